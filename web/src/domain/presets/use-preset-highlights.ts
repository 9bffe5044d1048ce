import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import { capabilitiesQuery } from "@/api/capabilities";
import { useTargets } from "@/domain/settings/settings-words";
import { isDistinctive, type PresetResult, type PresetResults, resultsOf } from "./preset-highlights";

interface PresetHighlights extends PresetResults<string> {
  /** Whether the server's features are known. */
  known: boolean;
}

/** The results of settings on this server, as text. `brief` omits numbers and results common to most presets. */
export function usePresetHighlights(): (settings: TranscriptionSettings, brief?: "brief") => PresetHighlights {
  const { t } = useTranslation("presets");
  const targets = useTargets();
  const { data: capabilities } = useQuery(capabilitiesQuery());
  return (settings, brief) => {
    const wordOf = (gift: PresetResult): string => {
      switch (gift) {
        case "summary":
          return brief ? t("gives.any_summary") : t("gives.summary", { count: settings.summarize });
        case "translation":
          return t("gives.translation", { languages: targets(settings.llm_translation).join(", ") });
        case "subtitle_translation":
          return t("gives.subtitle_translation", { languages: targets(settings.srt_translation).join(", ") });
        default:
          return t(`gives.${gift}`);
      }
    };
    const { now, later, missing } = resultsOf(settings, capabilities);
    const words = (gifts: readonly PresetResult[]) => gifts.filter((gift) => !brief || isDistinctive(gift)).map(wordOf);
    return { now: words(now), later: words(later), missing: words(missing), known: capabilities !== undefined };
  };
}
