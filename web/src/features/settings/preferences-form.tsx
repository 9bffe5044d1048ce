/** Saved automatically a second after the last change. Language and theme apply at once, even if saving fails. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Preferences } from "@/api/account";
import { Checkbox } from "@/components/checkbox";
import { useLocale } from "@/hooks/use-locale";
import { LOCALE_NAMES, LOCALES, switchLocale } from "@/lib/i18n";
import { THEMES, useTheme } from "@/lib/theme";
import { Choice } from "./choice";
import { DefaultSettings } from "./default-settings";
import { SaveState } from "./save-state";
import { Section } from "./section";
import { usePreferencesAutosave } from "./use-preferences-autosave";

export function PreferencesForm({ saved }: { saved: Preferences }) {
  const { t } = useTranslation(["settings", "common"]);
  const locale = useLocale();
  const { theme, setTheme } = useTheme();
  const [mail, setMail] = useState(saved.mail_on_completion);
  const { autosave, state, error } = usePreferencesAutosave();
  return (
    <div>
      <Section title={t("interface.title")} text={t("interface.text")}>
        <div className="flex flex-col gap-5">
          <Choice
            label={t("interface.locale")}
            value={locale}
            options={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value], lang: value }))}
            onChange={(value) => {
              void switchLocale(value);
              autosave.change({ locale: value });
            }}
          />
          <Choice
            label={t("common:theme.label")}
            value={theme}
            options={THEMES.map((value) => ({ value, label: t(`common:theme.${value}`) }))}
            onChange={(value) => {
              setTheme(value);
              autosave.change({ theme: value });
            }}
          />
        </div>
      </Section>
      <Section title={t("mail.title")}>
        <Checkbox
          checked={mail}
          onChange={(mail_on_completion) => {
            setMail(mail_on_completion);
            autosave.change({ mail_on_completion });
          }}
        >
          {t("mail.on_completion")}
        </Checkbox>
      </Section>
      <Section title={t("defaults.title")} text={t("defaults.text")}>
        <DefaultSettings saved={saved.settings} onChange={(settings) => autosave.change({ settings })} />
      </Section>
      {/* Visible wherever the change was made; takes no space while empty. */}
      <div className="sticky bottom-4 z-10 flex h-0 items-end justify-end">
        <SaveState
          state={state}
          error={error}
          onRetry={() => void autosave.flush()}
          className="rounded-lg border border-rule-strong bg-paper-raised px-3.5 py-2 shadow-sheet"
        />
      </div>
    </div>
  );
}
