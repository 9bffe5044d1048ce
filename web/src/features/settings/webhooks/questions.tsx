/** Confirmations before a secret is replaced, and before a webhook is deleted. */
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type UserWebhook, useDeleteUserWebhook } from "@/api/webhooks";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";

interface QuestionProps {
  webhook: UserWebhook;
  onClose: () => void;
}

interface ReplaceSecretProps extends QuestionProps {
  /** Replaces the secret, and shows the new one. */
  replace: (id: string) => Promise<unknown>;
}

export function ReplaceSecret({ webhook: { id, name }, replace, onClose }: ReplaceSecretProps) {
  const { t } = useTranslation("webhooks");
  const errorText = useErrorText();
  const confirm = async () => {
    try {
      await replace(id);
    } catch (error) {
      toast.error(`${t("rotate.failed")}. ${errorText(error)}`);
    }
  };
  return (
    <ConfirmDialog
      title={t("rotate.question", { name })}
      text={t("rotate.text")}
      confirm={t("rotate.confirm")}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

export function DeleteWebhook({ webhook: { id, name }, onDeleted, onClose }: QuestionProps & { onDeleted: () => void }) {
  const { t } = useTranslation("webhooks");
  const errorText = useErrorText();
  const remove = useDeleteUserWebhook();
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
