/**
 * A confirmation before something that cannot be undone, or that affects other people at once. It is modal while it is
 * rendered; afterwards the focus returns to where it was.
 */
import { AlertDialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRestoreFocus } from "@/hooks/use-restore-focus";
import { Button } from "./button";

interface ConfirmDialogProps {
  title: string;
  /** The consequences. */
  text?: ReactNode;
  /** Further warnings. */
  children?: ReactNode;
  /** Label of the confirming button. */
  confirm: string;
  /** Runs while the button shows a spinner; it must report its own errors. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

export function ConfirmDialog({ title, text, children, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const focusBack = useRestoreFocus();
  const answer = () => {
    setBusy(true);
    void onConfirm().finally(onClose);
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <AlertDialog.Content
          {...(text === undefined && { "aria-describedby": undefined })}
          {...focusBack}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto flex max-w-md -translate-y-1/2 animate-fade flex-col gap-3 rounded-lg border border-rule-strong bg-paper-raised p-5 shadow-sheet md:p-6"
        >
          <AlertDialog.Title className="headline text-xl wrap-anywhere">{title}</AlertDialog.Title>
          {text !== undefined && (
            <AlertDialog.Description className="text-ink-soft wrap-anywhere">{text}</AlertDialog.Description>
          )}
          {children}
          <div className="mt-2 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button disabled={busy}>{t("actions.cancel")}</Button>
            </AlertDialog.Cancel>
            <Button look="danger" busy={busy} onClick={answer}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
