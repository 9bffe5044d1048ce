/** The phone's menu: slides in from the left over the page. */
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { LogoWithName } from "@/components/logo";
import { AccountMenu } from "./account-menu";
import { NavList } from "./nav-list";

interface MobilePanelProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function MobilePanel({ open, onOpenChange }: MobilePanelProps) {
  const { t } = useTranslation("shell");
  const opening = useRef<{ path: string; from: Element | null }>({ path: "", from: null });
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            opening.current = { path: location.pathname, from: document.activeElement };
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const { path, from } = opening.current;
            // The focus goes back to the button, or to the heading of a new page below the panel.
            const target = location.pathname === path ? from : document.querySelector("h1");
            if (target instanceof HTMLElement) target.focus({ preventScroll: true });
          }}
          className="fixed inset-y-0 left-0 z-50 flex w-(--sidebar-mobile) max-w-[88vw] animate-slide-in flex-col border-r border-rule bg-paper-sunk pb-[env(safe-area-inset-bottom)] outline-none"
        >
          <div className="flex h-(--header-height) shrink-0 items-center justify-between pr-2 pl-4">
            <Dialog.Title asChild>
              <span>
                <LogoWithName />
                <span className="sr-only">: {t("menu")}</span>
              </span>
            </Dialog.Title>
            <Dialog.Close
              aria-label={t("sidebar.close")}
              className="inline-flex size-(--control) items-center justify-center rounded text-ink-soft hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </Dialog.Close>
          </div>
          <NavList onNavigate={() => onOpenChange(false)} />
          <div className="mt-auto border-t border-rule p-2">
            <AccountMenu />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
