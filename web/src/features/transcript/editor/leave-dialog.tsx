/** Confirms leaving the page with edits that exist only there. */
import { AlertDialog } from "radix-ui";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import type { DocumentStore } from "../document/document-store";
import { useLeaveQuestion } from "./use-leave-question";

export function LeaveDialog({ document }: { document: DocumentStore }) {
  const { t } = useTranslation("editor");
  const { asking, leave, stay } = useLeaveQuestion(document);
  const saving = useStore(document, ({ status }) => status === "saving");
  return (
    <AlertDialog.Root open={asking} onOpenChange={(open) => !open && stay()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <AlertDialog.Content className="fixed inset-x-4 top-1/2 z-50 mx-auto flex max-w-md -translate-y-1/2 animate-fade flex-col gap-3 rounded-lg border border-rule-strong bg-paper-raised p-5 shadow-sheet md:p-6">
          <AlertDialog.Title className="headline text-xl">{t("leave.title")}</AlertDialog.Title>
          <AlertDialog.Description className="text-ink-soft">{t(saving ? "leave.trying" : "leave.text")}</AlertDialog.Description>
          <div className="mt-2 flex flex-wrap justify-end gap-2">
            <Button look="danger" onClick={leave}>
              {t("leave.go")}
            </Button>
            <AlertDialog.Cancel asChild>
              <Button look="primary">{t("leave.stay")}</Button>
            </AlertDialog.Cancel>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
