/** Creates a private copy of a preset. */
import { useTranslation } from "react-i18next";
import { type Preset, useCreatePreset } from "@/api/presets";
import { copyName, formOf } from "@/domain/presets/preset-form";
import { inReadersLanguage } from "@/domain/presets/preset-words";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { toast } from "@/lib/toast";

export function useDuplicate(): (preset: Preset) => void {
  const { t } = useTranslation("presets");
  const locale = useLocale();
  const errorText = useErrorText();
  const create = useCreatePreset();
  return (preset) => {
    const read = inReadersLanguage(preset, locale);
    create.mutate(
      {
        ...formOf(read),
        name: copyName(read.name, t("copy_mark")),
        description: read.description,
        is_public: false,
        is_default: false,
      },
      {
        onSuccess: (copy) => toast.success(t("duplicated", { name: copy.name })),
        onError: (error) => toast.error(`${t("create_failed")}. ${errorText(error)}`),
      },
    );
  };
}
