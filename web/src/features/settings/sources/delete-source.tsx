/** Confirmation before a source is deleted. */
import { useTranslation } from "react-i18next";
import { type Source, useDeleteSource } from "@/api/sources";
import { DeletePlace } from "../places/delete-place";

interface DeleteSourceProps {
  source: Source;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteSource({ source: { id, name }, ...handlers }: DeleteSourceProps) {
  const { t } = useTranslation("sources");
  const remove = useDeleteSource();
  const texts = {
    question: t("remove.question", { name }),
    text: t("remove.text"),
    confirm: t("delete"),
    failed: t("remove.failed"),
    done: t("remove.done"),
  };
  return <DeletePlace texts={texts} remove={() => remove.mutateAsync(id)} {...handlers} />;
}
