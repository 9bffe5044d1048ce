import { useTranslation } from "react-i18next";
import { toast } from "@/lib/toast";
import { withAllowedLanguage, withType } from "@/rules";
import type { Settings } from "./settings";

/** The settings in another mode; tells the reader if the language had to change too. */
export function useModeChoice(): (settings: Settings, mode: Settings["transcription_type"]) => Settings {
  const { t } = useTranslation("configure");
  return (settings, mode) => {
    const { settings: allowed, forced } = withAllowedLanguage({ ...settings, transcription_type: mode });
    if (forced) {
      toast.info(t("mode.forcedEnglish"));
    }
    return { ...settings, ...withType(allowed, mode) };
  };
}
