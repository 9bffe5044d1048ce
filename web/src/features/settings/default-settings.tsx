/** The default settings of new transcriptions. Only valid settings are passed on. */
import { useState } from "react";
import type { TranscriptionSettings } from "@/api";
import { type Settings, SettingsForm } from "@/domain/settings";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { defaultSettings, validateOptions } from "@/rules";

interface DefaultSettingsProps {
  saved: TranscriptionSettings;
  onChange: (settings: Settings) => void;
}

export function DefaultSettings({ saved, onChange }: DefaultSettingsProps) {
  const [settings, setSettings] = useState<Settings>(() => ({ ...(defaultSettings() as Settings), ...saved }));
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const take = (next: Settings) => {
    const violations = validateOptions(next);
    setSettings(next);
    setBroken(violations);
    if (violations.length === 0) onChange(next);
  };
  return <SettingsForm parts="defaults" settings={settings} violations={broken} onChange={take} />;
}
