/** What a new transcription begins with. Only what the rules allow is handed on. */
import { useState } from "react";
import type { TranscriptionSettings, Violation } from "@/api";
import {
  LanguageSelect,
  ModeCards,
  type Settings,
  Timestamps,
  useModeChoice,
  VocabularyField,
} from "@/components/settings-fields";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { defaultSettings, validateOptions } from "@/rules";

interface DefaultSettingsProps {
  saved: TranscriptionSettings;
  onChange: (settings: Settings) => void;
}

export function DefaultSettings({ saved, onChange }: DefaultSettingsProps) {
  const violationText = useViolationText();
  const withMode = useModeChoice();
  const [settings, setSettings] = useState<Settings>(() => ({ ...(defaultSettings() as Settings), ...saved }));
  const [broken, setBroken] = useState<readonly (BrokenRule | Violation)[]>([]);
  const errorOf = (field: keyof Settings) => {
    const found = broken.find((rule) => rule.field === field);
    return found && violationText(found);
  };
  const take = (next: Settings) => {
    const violations = validateOptions(next);
    setSettings(next);
    setBroken(violations);
    if (violations.length === 0) onChange(next);
  };
  const change = (part: Partial<Settings>) => take({ ...settings, ...part });
  return (
    <div className="flex flex-col gap-5">
      <ModeCards value={settings.transcription_type} onChange={(mode) => take(withMode(settings, mode))} />
      <LanguageSelect settings={settings} error={errorOf("language_code")} onChange={change} />
      <Timestamps settings={settings} onChange={change} />
      <VocabularyField settings={settings} error={errorOf("custom_vocabulary")} onChange={change} />
    </div>
  );
}
