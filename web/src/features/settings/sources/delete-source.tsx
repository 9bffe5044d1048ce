/** Confirmation before a source is deleted. */
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type Source, useDeleteSource } from "@/api/sources";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";

interface DeleteSourceProps {
  source: Source;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteSource({ source: { id, name }, onDeleted, onClose }: DeleteSourceProps) {
  const { t } = useTranslation("sources");
  const errorText = useErrorText();
  const remove = useDeleteSource();
  const confirm = async () => {
    try {
      await remove.mutateAsync(id);
    } catch (error) {
      // It was deleted elsewhere.
      const isGone = error instanceof ApiError && error.code === "not_found";
      if (!isGone) return toast.error(`${t("remove.failed")}. ${errorText(error)}`);
    }
    toast.success(t("remove.done"));
    return onDeleted();
  };
  return (
    <ConfirmDialog
      title={t("remove.question", { name })}
      text={t("remove.text")}
      confirm={t("delete")}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
