/** Fields for the public pages: single lines, and texts in both languages. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field, TextInput } from "@/components/field";
import { LOCALES } from "@/lib/i18n";
import type { LineField, SiteForm, WordsField } from "./use-site-form";

interface LineProps {
  form: SiteForm;
  field: LineField;
  type?: "text" | "email" | "tel";
}

export function Line({ form, field, type = "text" }: LineProps) {
  const { t } = useTranslation("admin-site");
  return (
    <Field label={t(`fields.${field}.label`)} hint={t(`fields.${field}.hint`)} error={form.errorOf(field)}>
      {(wiring) => (
        <TextInput
          {...wiring}
          type={type}
          autoComplete="off"
          value={form.values[field]}
          onChange={(event) => form.change({ [field]: event.target.value })}
        />
      )}
    </Field>
  );
}

interface BilingualProps {
  form: SiteForm;
  field: WordsField;
  /** Has several lines. */
  long?: boolean;
}

export function Bilingual({ form, field, long = false }: BilingualProps) {
  const { t } = useTranslation("admin-site");
  const label = t(`fields.${field}.label`);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-[0.9375rem] font-strong">{label}</legend>
      <p className="text-sm text-ink-faint">{t(`fields.${field}.hint`)}</p>
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2">
        {LOCALES.map((locale) => (
          <Field key={locale} label={t(`in.${locale}`)} error={form.errorOf(`${field}.${locale}`)}>
            {(wiring) => {
              const control = {
                ...wiring,
                lang: locale,
                "aria-label": `${label}, ${t(`in.${locale}`)}`,
                value: form.values[field][locale],
              };
              const type = (text: string) => form.change({ [field]: { ...form.values[field], [locale]: text } });
              return long ? (
                <textarea
                  {...control}
                  rows={4}
                  className={`${CONTROL} h-auto py-2`}
                  onChange={(event) => type(event.target.value)}
                />
              ) : (
                <TextInput {...control} autoComplete="off" onChange={(event) => type(event.target.value)} />
              );
            }}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
