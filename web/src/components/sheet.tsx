/** A sheet over the page: title, scrollable content, fixed actions. On a phone it covers the whole page. */
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useRestoreFocus } from "@/hooks/use-restore-focus";
import { cx } from "@/lib/class-names";

/** Marks the element that gets the focus when the sheet opens; by default the sheet itself. */
export const INITIAL_FOCUS = { "data-sheet-first": true } as const;

export interface SheetProps {
  title: string;
  /** A small line above the title. */
  kicker?: ReactNode;
  /** The sheet's subject, a name given by the user: not capitalised. */
  subject?: string;
  wide?: boolean;
  /** A click outside does not close it. */
  staysOpen?: boolean;
  onClose: () => void;
  /** The actions; without any there is no footer. */
  footer?: ReactNode;
  /** Class of the scrollable part. */
  className?: string;
  children: ReactNode;
}

export function Sheet(props: SheetProps) {
  const { title, kicker, subject, wide = false, staysOpen = false, onClose, footer, className, children } = props;
  const { t } = useTranslation();
  const focusBack = useRestoreFocus();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        {/* Also over a drawer from which it was opened. */}
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Dialog.Content
          {...focusBack}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const content = event.currentTarget as HTMLElement;
            (content.querySelector<HTMLElement>("[data-sheet-first]") ?? content).focus();
          }}
          // It closes an open list first.
          onEscapeKeyDown={(event) => {
            if (event.target instanceof Element && event.target.matches('[role="combobox"][aria-expanded="true"]')) {
              event.preventDefault();
            }
          }}
          // Clicking a toast must not close the sheet.
          onInteractOutside={(event) => {
            const isToast = event.target instanceof Element && event.target.closest("[data-sonner-toaster]");
            if (staysOpen || isToast) event.preventDefault();
          }}
          className={cx(
            "fixed inset-0 z-50 mx-auto flex animate-fade flex-col bg-paper-raised outline-none md:inset-x-6 md:inset-y-auto md:top-1/2 md:max-h-[calc(100dvh-3rem)] md:-translate-y-1/2 md:rounded-lg md:border md:border-rule-strong md:shadow-sheet",
            wide ? "md:max-w-5xl" : "md:max-w-2xl",
          )}
        >
          <header className="flex shrink-0 items-start gap-3 border-b border-rule py-3 pr-2 pl-4 md:pr-4 md:pl-6">
            <div className="min-w-0 flex-1 self-center">
              {subject && <p className="mb-1 text-sm text-ink-faint wrap-anywhere">{subject}</p>}
              {kicker && <p className="kicker mb-1 flex flex-wrap items-center gap-x-3 gap-y-0.5">{kicker}</p>}
              <Dialog.Title className="headline text-xl wrap-anywhere md:text-2xl">{title}</Dialog.Title>
            </div>
            <Dialog.Close
              aria-label={t("actions.close")}
              className="inline-flex size-(--control) shrink-0 items-center justify-center rounded text-ink-soft hover:bg-paper-sunk hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </Dialog.Close>
          </header>
          <div className={cx("min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 md:px-6", className)}>{children}</div>
          {footer && (
            <footer className="flex shrink-0 flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-rule px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6 md:pb-3">
              {footer}
            </footer>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
