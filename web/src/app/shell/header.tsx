/** Title of the page, and the way to the next recording. */
import { Menu as MenuIcon, Plus, Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { LinkButton } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { useHeadingFocus } from "@/hooks/use-heading-focus";
import { hotkeyLabel } from "@/hooks/use-hotkey";
import { usePageTitle } from "@/hooks/use-page-title";
import { PATHS } from "../paths";
import { titleKey } from "./navigation";
import { UnderWay } from "./under-way";

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
  return (
    <header className="@container sticky top-0 z-30 flex h-(--header-height) shrink-0 items-center gap-1 border-b border-rule bg-paper pr-4 pl-2 md:gap-3 md:px-8">
      <IconButton label={t("sidebar.open")} onClick={onOpenMenu} className="md:hidden">
        <MenuIcon aria-hidden="true" />
      </IconButton>
      {/* On a phone there is room for a second line sooner than for a long title in one. */}
      <h1
        ref={heading}
        tabIndex={-1}
        className="headline line-clamp-2 min-w-0 flex-1 text-lg -outline-offset-2 md:line-clamp-1 md:text-xl"
      >
        {title}
      </h1>
      <UnderWay />
      <IconButton label={t("palette.open")} shortcut={hotkeyLabel("k")} onClick={onOpenPalette}>
        <Search aria-hidden="true" />
      </IconButton>
      {pathname !== PATHS.upload && (
        <LinkButton to={PATHS.upload} look="primary">
          <Plus aria-hidden="true" />
          {/* Beside the sidebar of a tablet there is room for the title or for this. */}
          <span className="@max-2xl:sr-only">{t("common:new_transcription")}</span>
        </LinkButton>
      )}
    </header>
  );
}
