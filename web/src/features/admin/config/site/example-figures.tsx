/** Example figures for the landing page, shown until the server has its own. */
import { useTranslation } from "react-i18next";
import type { ExampleFigures as Figures } from "@/api/schema";
import { Field, TextInput } from "@/components/field";
import { LOCALES } from "@/lib/i18n";
import type { SiteForm } from "./use-site-form";

const FIGURES = ["minutes", "accuracy", "saved"] as const satisfies readonly (keyof Figures)[];

export function ExampleFigures({ form }: { form: SiteForm }) {
  const { t } = useTranslation("admin-site");
  const figures = form.values.example_figures;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="text-[0.9375rem] font-strong">{t("fields.example_figures.label")}</legend>
      <p className="text-sm text-ink-faint">{t("fields.example_figures.hint")}</p>
      {FIGURES.map((name) => {
        const label = t(`fields.example_figures.${name}`);
        return (
          <fieldset key={name}>
            <legend className="mb-1">{label}</legend>
            <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2">
              {LOCALES.map((locale) => (
                <Field key={locale} label={t(`in.${locale}`)} error={form.errorOf(`example_figures.${name}.${locale}`)}>
                  {(wiring) => (
                    <TextInput
                      {...wiring}
                      aria-label={`${label}, ${t(`in.${locale}`)}`}
                      lang={locale}
                      autoComplete="off"
                      value={figures[name][locale]}
                      onChange={({ target }) =>
                        form.change({ example_figures: { ...figures, [name]: { ...figures[name], [locale]: target.value } } })
                      }
                    />
                  )}
                </Field>
              ))}
            </div>
          </fieldset>
        );
      })}
    </fieldset>
  );
}
