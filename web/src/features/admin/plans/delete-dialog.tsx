/** Confirmation before a plan is deleted permanently. */
import { useTranslation } from "react-i18next";
import { type ManagedPlan, useDeletePlan } from "@/api/managed-plans";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { toast } from "@/lib/toast";
import { useFailureText } from "./use-failure-text";

interface DeleteDialogProps {
  plan: ManagedPlan;
  onClose: () => void;
}

export function DeleteDialog({ plan, onClose }: DeleteDialogProps) {
  const { t } = useTranslation("admin-plans");
  const failureText = useFailureText("delete_failed");
  const remove = useDeletePlan();
  const confirm = async () => {
    try {
      await remove.mutateAsync(plan.id);
      toast.success(t("deleted"));
    } catch (error) {
      toast.error(failureText(error));
    }
  };
  return (
    <ConfirmDialog
      title={t("delete_dialog.title")}
      text={t("delete_dialog.text", { plan: plan.name })}
      confirm={t("delete")}
      onConfirm={confirm}
      onClose={onClose}
    >
      {plan.users > 0 && <p className="text-sm text-warn">{t("delete_dialog.in_use", { count: plan.users })}</p>}
    </ConfirmDialog>
  );
}
