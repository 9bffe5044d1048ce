/** Confirmation before a target is deleted. */
import { useTranslation } from "react-i18next";
import { type Target, useDeleteTarget } from "@/api/targets";
import { DeletePlace } from "../places/delete-place";

interface DeleteTargetProps {
  target: Target;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteTarget({ target: { id, name }, ...handlers }: DeleteTargetProps) {
  const { t } = useTranslation("targets");
  const remove = useDeleteTarget();
  const texts = {
    question: t("remove.question", { name }),
    text: t("remove.text"),
    confirm: t("delete"),
    failed: t("remove.failed"),
    done: t("remove.done"),
  };
  return <DeletePlace texts={texts} remove={() => remove.mutateAsync(id)} {...handlers} />;
}
