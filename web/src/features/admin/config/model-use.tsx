/** Uses an installed speech model for a mode that it is not used for yet. */
import { useTranslation } from "react-i18next";
import { type ManagedModel, useChooseModel } from "@/api/admin-config";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";

/** Full needs a multilingual model; Lite is English only, which every speech model supports. */
export const modesFor = ({ kind, state, multilingual, used_by, task }: ManagedModel) =>
  kind !== "speech" || state === "missing" || task !== null
    ? []
    : TRANSCRIPTION_TYPES.filter((mode) => !used_by.includes(mode) && (mode === "lite" || multilingual));

export function ModelUse({ model }: { model: ManagedModel }) {
  const { t } = useTranslation("admin-config");
  const errorText = useErrorText();
  const { mutateAsync, isPending, variables } = useChooseModel();
  const { id } = model;
  const choose = async (mode: (typeof TRANSCRIPTION_TYPES)[number]) => {
    try {
      await mutateAsync({ id, mode });
      toast.success(t("models.chosen", { id }));
    } catch (error) {
      toast.error(`${t("models.use_failed")}. ${errorText(error)}`);
    }
  };
  return modesFor(model).map((mode) => (
    <Button
      key={mode}
      size="small"
      aria-label={t("models.named", { action: t(`models.use.${mode}`), id })}
      busy={isPending && variables?.mode === mode}
      onClick={() => void choose(mode)}
    >
      {t(`models.use.${mode}`)}
    </Button>
  ));
}
