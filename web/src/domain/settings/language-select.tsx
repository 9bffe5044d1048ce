/** Selects the language of a recording from those that its mode supports. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { useLocale } from "@/hooks/use-locale";
import { useFields } from "./fields-context";
import { languageOptions } from "./language-options";

interface LanguageSelectProps {
  /** A small control in the line of the label. */
  beside?: ReactNode;
}

export function LanguageSelect({ beside }: LanguageSelectProps) {
  const { t } = useTranslation(["configure", "languages"]);
  const { settings, errorOf, change } = useFields();
  const locale = useLocale();
  const lite = settings.transcription_type === "lite";
  const options = languageOptions(settings.transcription_type, (code) => t(`languages:${code}` as "languages:uk"), locale);
  return (
    <div data-field="language_code">
      <Field
        label={t("language.label")}
        hint={lite ? t("language.liteHint") : undefined}
        error={errorOf("language_code")}
        beside={beside}
      >
        {(wiring) => (
          <select
            {...wiring}
            className={CONTROL}
            value={settings.language_code}
            onChange={(event) => change({ language_code: event.currentTarget.value })}
          >
            {!lite && <option value="auto">{t("language.auto")}</option>}
            {options.often.length > 0 && (
              <optgroup label={t("language.often")}>
                {options.often.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </optgroup>
            )}
            <optgroup label={t("language.all")}>
              {options.rest.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </optgroup>
          </select>
        )}
      </Field>
    </div>
  );
}
