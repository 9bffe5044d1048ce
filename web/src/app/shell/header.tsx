/** Title of the page, and the button for a new recording. */
import { Menu as MenuIcon, Pencil, Plus, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { useStore } from "zustand";
import { LinkButton } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { SampleBadge } from "@/components/sample-badge";
import { useHeadingFocus } from "@/hooks/use-heading-focus";
import { hotkeyLabel } from "@/hooks/use-hotkey";
import { usePageTitle } from "@/hooks/use-page-title";
import { cx } from "@/lib/class-names";
import { type Naming, pageHeading } from "@/lib/page-heading";
import { PATHS } from "../paths";
import { InProgress } from "./in-progress";
import { titleKey } from "./navigation";
import { TitleForm } from "./title-form";

interface HeaderProps {
  onOpenMenu: () => void;
  onOpenPalette: () => void;
}

export function Header({ onOpenMenu, onOpenPalette }: HeaderProps) {
  const { t } = useTranslation(["shell", "common"]);
  const { pathname } = useLocation();
  const key = titleKey(pathname);
  const title = key ? t(`titles.${key}`) : "Slovo";
  usePageTitle(title);
  const heading = useHeadingFocus(pathname);
  const ownHeading = useStore(pageHeading, (state) => state.heading);
  const naming = useNaming(pathname, ownHeading?.naming ?? null);
  // On a phone there is no room for anything beside the form of the heading.
  const beside = naming.open ? "max-md:hidden" : "";
  return (
    <header className="@container sticky top-0 z-30 flex h-(--header-height) shrink-0 items-center gap-1 border-b border-rule bg-paper pr-4 pl-2 md:gap-3 md:px-8">
      <IconButton label={t("sidebar.open")} onClick={onOpenMenu} className={cx("md:hidden", beside)}>
        <MenuIcon aria-hidden="true" />
      </IconButton>
      <div className="flex min-w-0 flex-1 items-center gap-1 md:gap-3">
        <div className={naming.open ? "sr-only" : "min-w-0"}>
          {ownHeading && <p className="truncate text-xs text-ink-faint max-md:hidden">{title}</p>}
          <h1
            ref={heading}
            tabIndex={-1}
            title={ownHeading?.title}
            className={
              ownHeading
                ? "headline line-clamp-2 text-base -outline-offset-2 [overflow-wrap:anywhere] md:line-clamp-1 md:text-lg"
                : "headline line-clamp-2 text-lg -outline-offset-2 md:line-clamp-1 md:text-xl"
            }
          >
            {ownHeading?.title ?? title}
          </h1>
        </div>
        {naming.open ? (
          <TitleForm key={pathname} naming={naming.open} onClose={naming.close} />
        ) : (
          <>
            {ownHeading?.naming && (
              <IconButton ref={naming.opener} label={t("naming.open")} onClick={naming.begin} className="max-md:-ml-1">
                <Pencil aria-hidden="true" className="max-md:size-4!" />
              </IconButton>
            )}
            {ownHeading?.sample && <SampleBadge className="shrink-0 max-sm:hidden" />}
          </>
        )}
      </div>
      <div className={cx("contents", beside && "max-md:*:hidden")}>
        <InProgress />
        <IconButton label={t("palette.open")} shortcut={hotkeyLabel("k")} onClick={onOpenPalette}>
          <Search aria-hidden="true" />
        </IconButton>
        {pathname !== PATHS.upload && (
          <LinkButton to={PATHS.upload} look="primary">
            <Plus aria-hidden="true" />
            {/* On a tablet with a sidebar, there is room for either the title or this. */}
            <span className="@max-2xl:sr-only">{t("common:new_transcription")}</span>
          </LinkButton>
        )}
      </div>
    </header>
  );
}

/** Whether the heading is being edited. Afterwards the focus returns to the button, unless the page has changed. */
function useNaming(pathname: string, naming: Naming | null) {
  const [place, setPlace] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const returning = useRef(false);
  const open = place === pathname ? naming : null;
  useEffect(() => {
    if (open || !returning.current) return;
    returning.current = false;
    opener.current?.focus();
  });
  return {
    open,
    opener,
    begin: () => setPlace(pathname),
    close: () => {
      returning.current = true;
      setPlace(null);
    },
  };
}
