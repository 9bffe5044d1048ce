/** The languages that may be spoken in a recording whose language is detected. */
import { useTranslation } from "react-i18next";
import { ChipsSelect } from "@/components/chips-select";
import { Field } from "@/components/field";
import { useLocale } from "@/hooks/use-locale";
import { languageOptions } from "./language-options";

interface SpokenLanguagesProps {
  languages: readonly string[];
  onChange: (languages: string[]) => void;
  error?: string | undefined;
  /** Indices of invalid languages. */
  broken?: ReadonlySet<number>;
  /** What the empty list means; any language if absent. */
  hint?: string | undefined;
}

export function SpokenLanguages({ languages, onChange, error, broken, hint }: SpokenLanguagesProps) {
  const { t } = useTranslation(["configure", "languages"]);
  const locale = useLocale();
  const nameOf = (code: string) => t(`languages:${code}` as "languages:uk");
  const { often, rest } = languageOptions("full", nameOf, locale);
  return (
    <div data-field="languages">
      <Field label={t("spoken.label")} hint={hint ?? t("spoken.hint")} error={error}>
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
