/** Confirmation before a voice is deleted permanently. */
import { useTranslation } from "react-i18next";
import { useDeleteVoice, type Voice } from "@/api/voices";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";

interface DeleteVoiceProps {
  voice: Voice;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteVoice({ voice, onDeleted, onClose }: DeleteVoiceProps) {
  const { t } = useTranslation(["voices", "common"]);
  const errorText = useErrorText();
  const remove = useDeleteVoice();
  // The row is unmounted with the voice; a promise outlives it.
  const confirm = async () => {
    try {
      await remove.mutateAsync(voice.id);
      toast.success(t("voices:delete.done"));
      onDeleted();
    } catch (error) {
      toast.error(`${t("voices:delete.failed")}. ${errorText(error)}`);
    }
  };
  return (
    <ConfirmDialog
      title={t("voices:delete.question", { name: voice.name })}
      text={t("voices:delete.text")}
      confirm={t("common:actions.delete")}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
