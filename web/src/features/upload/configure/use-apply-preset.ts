import { useTranslation } from "react-i18next";
import type { Preset } from "@/api/presets";
import type { Choice } from "@/domain/settings/settings-draft";
import { useLocale } from "@/hooks/use-locale";
import { toast } from "@/lib/toast";
import { withPreset } from "./preset-choice";

/** Applies a preset with its settings in the reader's language; reports if the rules do not allow them. */
export function useApplyPreset(choice: Choice, onChoice: (choice: Choice) => void): (preset: Preset) => void {
  const { t } = useTranslation("configure");
  const locale = useLocale();
  return (preset) => {
    const next = withPreset(choice, preset, locale);
    if (next) onChoice(next);
    else toast.error(t("presets.applyFailed"));
  };
}
