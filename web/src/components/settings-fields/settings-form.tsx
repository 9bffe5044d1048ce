/** All settings of a transcription, for the upload page, for presets and for the defaults of new transcriptions. */
import type { ReactNode } from "react";
import type { Capabilities } from "@/api/capabilities";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { LanguageSelect } from "./language-select";
import { ModeCards } from "./mode-cards";
import type { Settings } from "./settings";
import { Timestamps } from "./timestamps";
import { useModeChoice } from "./use-mode-choice";
import { VocabularyField } from "./vocabulary-field";

export interface SettingsFormProps {
  settings: Settings;
  /** Called with the whole of the next settings: choosing a mode changes more than one field. */
  onChange: (settings: Settings) => void;
  /** Broken rules, shown beside their fields. */
  violations?: readonly BrokenRule[];
  /** Rises with every refusal: the tab with the first broken rule is opened, its field focused. */
  refusals?: number;
  /** What the server can do at the moment; nothing is noted while that is not known. */
  capabilities?: Capabilities | undefined;
  /** Of the recording, in seconds, for what is estimated; null while it is not known. */
  duration?: number | null;
  /** `defaults`: the basic fields alone, one under another. */
  parts?: "all" | "defaults";
  /** Stands before the basic fields. */
  lead?: ReactNode;
  /** Stands beside the tabs. */
  aside?: ReactNode;
}

export function SettingsForm({ settings, onChange, violations = [], lead }: SettingsFormProps) {
  const violationText = useViolationText();
  const withMode = useModeChoice();
  const errorOf = (field: keyof Settings) => {
    const found = violations.find((violation) => violation.field === field);
    return found && violationText(found);
  };
  const change = (part: Partial<Settings>) => onChange({ ...settings, ...part });
  return (
    <div className="flex flex-col gap-5">
      {lead}
      <ModeCards value={settings.transcription_type} onChange={(mode) => onChange(withMode(settings, mode))} />
      <LanguageSelect settings={settings} error={errorOf("language_code")} onChange={change} />
      <Timestamps settings={settings} onChange={change} />
      <VocabularyField settings={settings} error={errorOf("custom_vocabulary")} onChange={change} />
    </div>
  );
}
