/** The language of a recording, of those that its mode knows. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { useLocale } from "@/hooks/use-locale";
import { languageOptions } from "./language-options";
import type { FieldProps } from "./settings";

export function LanguageSelect({ settings, error, onChange }: FieldProps) {
  const { t } = useTranslation(["configure", "languages"]);
  const locale = useLocale();
  const lite = settings.transcription_type === "lite";
  const options = languageOptions(settings.transcription_type, (code) => t(`languages:${code}` as "languages:uk"), locale);
  return (
    <Field label={t("language.label")} hint={lite ? t("language.liteHint") : undefined} error={error}>
      {(wiring) => (
        <select
          {...wiring}
          className={CONTROL}
          value={settings.language_code}
          onChange={(event) => onChange({ language_code: event.currentTarget.value })}
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
  );
}
