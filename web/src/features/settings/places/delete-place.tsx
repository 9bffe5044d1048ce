/** Confirmation before a source or a target is deleted. */
import { ApiError } from "@/api";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";

interface DeletePlaceProps {
  texts: { question: string; text: string; confirm: string; failed: string; done: string };
  remove: () => Promise<unknown>;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeletePlace({ texts, remove, onDeleted, onClose }: DeletePlaceProps) {
  const errorText = useErrorText();
  const confirm = async () => {
    try {
      await remove();
    } catch (error) {
      // It was deleted elsewhere.
      const isGone = error instanceof ApiError && error.code === "not_found";
      if (!isGone) return toast.error(`${texts.failed}. ${errorText(error)}`);
    }
    toast.success(texts.done);
    return onDeleted();
  };
  return <ConfirmDialog title={texts.question} text={texts.text} confirm={texts.confirm} onConfirm={confirm} onClose={onClose} />;
}
