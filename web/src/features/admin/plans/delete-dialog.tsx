/** The question before a plan is gone for good. */
import { AlertDialog } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ManagedPlan, useDeletePlan } from "@/api/managed-plans";
import { Button } from "@/components/button";
import { toast } from "@/lib/toast";
import { useFailureText } from "./use-failure-text";

interface DeleteDialogProps {
  /** The one in question; null while none is. */
  plan: ManagedPlan | null;
  onClose: () => void;
}

export function DeleteDialog({ plan, onClose }: DeleteDialogProps) {
  const { t } = useTranslation("admin-plans");
  const failureText = useFailureText("delete_failed");
  const remove = useDeletePlan();
  // While the dialog fades it still names the plan.
  const [shown, setShown] = useState(plan);
  if (plan && plan !== shown) setShown(plan);
  const confirm = () =>
    plan &&
    remove.mutate(plan.id, {
      onSuccess: () => toast.success(t("deleted")),
      onError: (error) => toast.error(failureText(error)),
      onSettled: onClose,
    });
  return (
    <AlertDialog.Root open={plan !== null} onOpenChange={(open) => !open && !remove.isPending && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <AlertDialog.Content className="fixed inset-x-4 top-1/2 z-50 mx-auto flex max-w-md -translate-y-1/2 animate-fade flex-col gap-3 rounded-lg border border-rule-strong bg-paper-raised p-5 shadow-sheet md:p-6">
          <AlertDialog.Title className="headline text-xl">{t("delete_dialog.title")}</AlertDialog.Title>
          <AlertDialog.Description className="text-ink-soft wrap-anywhere">
            {t("delete_dialog.text", { plan: shown?.name ?? "" })}
          </AlertDialog.Description>
          {shown && shown.users > 0 && <p className="text-sm text-warn">{t("delete_dialog.in_use", { count: shown.users })}</p>}
          <div className="mt-2 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button disabled={remove.isPending}>{t("delete_dialog.cancel")}</Button>
            </AlertDialog.Cancel>
            <Button look="danger" busy={remove.isPending} onClick={confirm}>
              {t("delete")}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
