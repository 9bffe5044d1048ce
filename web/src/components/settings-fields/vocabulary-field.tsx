/** Words that the recognition should expect, with their number. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { vocabularyTerms } from "@/rules";
import type { FieldProps } from "./settings";

export function VocabularyField({ settings, error, onChange }: FieldProps) {
  const { t } = useTranslation("configure");
  const terms = vocabularyTerms(settings.custom_vocabulary).length;
  const hint = terms > 0 ? `${t("vocabulary.hint")} ${t("vocabulary.count", { count: terms })}.` : t("vocabulary.hint");
  return (
    <Field label={t("vocabulary.label")} hint={hint} error={error}>
      {(wiring) => (
        <textarea
          {...wiring}
          rows={2}
          className={`${CONTROL} h-auto min-h-16 resize-y py-2`}
          placeholder={t("vocabulary.placeholder")}
          value={settings.custom_vocabulary}
          onChange={(event) => onChange({ custom_vocabulary: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}
