/** Whether subtitles have a translation as a second line. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { cx } from "@/lib/class-names";
import type { TranslationTarget } from "@/rules";

interface TwoLanguagesProps {
  /** Null: the original only. */
  value: string | null;
  /** Languages into which the subtitles have been translated. */
  translations: readonly string[];
  onChange: (value: string | null) => void;
}

export function TwoLanguages({ value, translations, onChange }: TwoLanguagesProps) {
  const { t } = useTranslation(["sharing", "rules"]);
  const nameOf = (target: string) => t(`rules:translation_target.${target as TranslationTarget}`, { defaultValue: target });
  return (
    <Field label={t("sharing:export.languages.label")} hint={value !== null ? t("sharing:export.languages.hint") : undefined}>
      {(wiring) => (
        <select
          {...wiring}
          className={cx(CONTROL, "sm:max-w-96")}
          value={value ?? ""}
          onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
        >
          <option value="">{t("sharing:export.languages.original")}</option>
          {translations.map((target) => (
            <option key={target} value={target}>
              {t("sharing:export.languages.both", { language: nameOf(target) })}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
