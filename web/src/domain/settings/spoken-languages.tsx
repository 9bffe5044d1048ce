/** The languages that may be spoken in a recording whose language is detected. */
import { useTranslation } from "react-i18next";
import { ChipsSelect } from "@/components/chips-select";
import { Field } from "@/components/field";
import { useLanguageOptions } from "./language-options";

interface SpokenLanguagesProps {
  /** Instead of the usual one. */
  label?: string;
  languages: readonly string[];
  onChange: (languages: string[]) => void;
  error?: string | undefined;
  /** Indices of invalid languages. */
  broken?: ReadonlySet<number>;
  /** What the empty list means; any language if absent. */
  hint?: string | undefined;
}

export function SpokenLanguages({ label, languages, onChange, error, broken, hint }: SpokenLanguagesProps) {
  const { t } = useTranslation("configure");
  const { often, rest } = useLanguageOptions("full");
  return (
    <div data-field="languages">
      <Field label={label ?? t("spoken.label")} hint={hint ?? t("spoken.hint")} error={error}>
        {(wiring) => (
          <ChipsSelect
            {...wiring}
            options={[...often, ...rest].map(({ code, name }) => ({ value: code, label: name }))}
            selected={languages}
            onChange={onChange}
            {...(broken && { broken })}
            removeLabel={(language) => t("chips.remove", { entry: language })}
            placeholder={t("spoken.placeholder")}
            listLabel={t("language.all")}
            nothing={t("spoken.nothing")}
          />
        )}
      </Field>
    </div>
  );
}
