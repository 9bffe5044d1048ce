/** The default settings of new transcriptions. Only valid settings are passed on. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import { capabilitiesQuery } from "@/api/capabilities";
import { type Settings, SettingsForm } from "@/domain/settings";
import { useLanguageNames } from "@/domain/settings/settings-words";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { defaultSettings, validateOptions } from "@/rules";

interface DefaultSettingsProps {
  saved: TranscriptionSettings;
  onChange: (settings: Settings) => void;
}

export function DefaultSettings({ saved, onChange }: DefaultSettingsProps) {
  const { t } = useTranslation("configure");
  const namesOf = useLanguageNames();
  const ofServer = useQuery(capabilitiesQuery()).data?.languages ?? [];
  const [settings, setSettings] = useState<Settings>(() => ({ ...(defaultSettings() as Settings), ...saved }));
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const take = (next: Settings) => {
    const violations = validateOptions(next);
    setSettings(next);
    setBroken(violations);
    if (violations.length === 0) onChange(next);
  };
  return (
    <SettingsForm
      parts="defaults"
      settings={settings}
      violations={broken}
      onChange={take}
      languagesHint={
        ofServer.length > 0 ? t("spoken.hintAccountServer", { languages: namesOf(ofServer) }) : t("spoken.hintAccount")
      }
    />
  );
}
