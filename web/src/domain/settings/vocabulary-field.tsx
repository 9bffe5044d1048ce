/** Words that the recognition should expect, with a counter. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ChipsInput } from "@/components/chips-input";
import { Field } from "@/components/field";
import { limits, vocabularyTerms } from "@/rules";
import { Counter } from "./counter";
import { useFields } from "./fields-context";
import { MissingBadge } from "./missing-ability";

export function VocabularyField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf, lacks } = useFields();
  const terms = useMemo(() => vocabularyTerms(settings.custom_vocabulary), [settings.custom_vocabulary]);
  const lacking = lacks("vocabulary");
  return (
    <div data-field="custom_vocabulary">
      <Field
        label={
          <>
            {t("vocabulary.label")}
            {lacking && terms.length === 0 && <MissingBadge lack="vocabulary" />}
          </>
        }
        hint={
          <span className="flex justify-between gap-3">
            {lacking && terms.length > 0 ? `${t("lack.note")} ${t("lack.without.vocabulary")}` : t("vocabulary.hint")}
            <Counter value={terms.length} max={limits().max_vocabulary_terms} />
          </span>
        }
        error={errorOf("custom_vocabulary")}
      >
        {(wiring) => (
          <ChipsInput
            {...wiring}
            entries={terms}
            onChange={(next) => change({ custom_vocabulary: next.join(", ") })}
            removeLabel={(term) => t("chips.remove", { entry: term })}
            placeholder={t("vocabulary.placeholder")}
          />
        )}
      </Field>
    </div>
  );
}
