/** The server's data on the public pages, with a preview and a list of missing data. */
import { useQuery } from "@tanstack/react-query";
import { ExternalLink, Eye } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type SiteView, siteQuery } from "@/api/admin-site";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { useLocale } from "@/hooks/use-locale";
import { EDITIONS } from "@/rules/constants";
import { type CardProps, CardState, ConfigCard, SaveBar } from "./config-card";
import { FieldAnchor } from "./field-anchor";
import { ExampleFigures } from "./site/example-figures";
import { Bilingual, Line } from "./site/fields";
import { SocialLinks, Testimonials } from "./site/lists";
import { type SiteForm, useSiteForm } from "./site/use-site-form";

/** Fields that may be missing, by the server's names. */
const FIELDS = [
  "server_name",
  "purpose",
  "legal_name",
  "email",
  "phone",
  "address",
  "hours",
  "hosting",
  "imprint",
  "social",
] as const;

export function SiteCard({ onDirtyChange }: CardProps) {
  const { t } = useTranslation("admin-site");
  const { data, error, refetch } = useQuery(siteQuery());
  return (
    <ConfigCard title={t("title")} text={t("text")}>
      {data ? (
        <Site view={data} onDirtyChange={onDirtyChange} />
      ) : (
        <CardState error={error} onRetry={() => void refetch()} rows={5} />
      )}
    </ConfigCard>
  );
}

interface SiteProps {
  view: SiteView;
  onDirtyChange: CardProps["onDirtyChange"] | undefined;
}

function Site({ view, onDirtyChange }: SiteProps) {
  const form = useSiteForm(view);
  return (
    <form ref={form.element} noValidate onSubmit={form.submit} className="flex flex-col gap-6">
      <Missing fields={view.missing} />
      <EditionChoice form={form} view={view} />
      <Line form={form} field="server_name" />
      <Bilingual form={form} field="purpose" />
      <FieldAnchor name="legal_name">
        <Bilingual form={form} field="legal_name" />
      </FieldAnchor>
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        <FieldAnchor name="email">
          <Line form={form} field="email" type="email" />
        </FieldAnchor>
        <Line form={form} field="phone" type="tel" />
      </div>
      <Bilingual form={form} field="hours" />
      <FieldAnchor name="address">
        <Bilingual form={form} field="address" />
      </FieldAnchor>
      <Bilingual form={form} field="hosting" />
      <FieldAnchor name="imprint">
        <Bilingual form={form} field="imprint" long />
      </FieldAnchor>
      <SocialLinks form={form} />
      <ShownParts form={form} view={view} />
      <ExampleFigures form={form} />
      <Testimonials form={form} />
      <Preview form={form} />
      <SaveBar
        dirty={form.dirty}
        saving={form.saving}
        failure={form.failure}
        onRevert={form.revert}
        onDirtyChange={onDirtyChange}
      />
    </form>
  );
}

/** What visitors cannot see because it is not set. */
function Missing({ fields }: { fields: readonly string[] }) {
  const { t } = useTranslation("admin-site");
  const locale = useLocale();
  const missing = FIELDS.filter((field) => fields.includes(field)).map((field) => t(`fields.${field}.label`));
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat(locale).format(missing);
  return <p className="max-w-[64ch] rounded bg-warn-wash px-3.5 py-3 text-warn">{t("missing", { list })}</p>;
}

function EditionChoice({ form, view }: { form: SiteForm; view: SiteView }) {
  const { t } = useTranslation("admin-site");
  const id = useId();
  const chosen = form.values.edition ?? view.edition;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-[0.9375rem] font-strong">{t("edition.question")}</legend>
      {EDITIONS.map((edition) => (
        <label key={edition} className="flex cursor-pointer items-start gap-2.5">
          <input
            type="radio"
            name={id}
            className="mt-1 size-4 shrink-0 accent-accent"
            checked={chosen === edition}
            onChange={() => form.change({ edition })}
            aria-describedby={`${id}-${edition}`}
          />
          <span>
            {t(`edition.${edition}.label`)}
            <span id={`${id}-${edition}`} className="block text-sm text-ink-faint">
              {t(`edition.${edition}.hint`)}
            </span>
          </span>
        </label>
      ))}
      {form.values.edition === null && (
        <p className="text-sm text-ink-faint">{t(view.configured_edition ? "edition.configured" : "edition.unanswered")}</p>
      )}
    </fieldset>
  );
}

/** Optional content of the landing page. */
function ShownParts({ form, view }: { form: SiteForm; view: SiteView }) {
  const { t } = useTranslation("admin-site");
  const id = useId();
  return (
    <fieldset className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <legend className="mb-3 text-[0.9375rem] font-strong">{t("shown.title")}</legend>
      {(["figures", "testimonials"] as const).map((field) => (
        <div key={field} className="flex flex-col gap-0.5">
          <Checkbox checked={form.values[field]} onChange={(on) => form.change({ [field]: on })} describedBy={`${id}-${field}`}>
            {t(`shown.${field}.label`)}
          </Checkbox>
          <p id={`${id}-${field}`} className="pl-7.5 text-sm text-ink-faint">
            {field === "figures" && view.figures ? t("shown.figures.own", { ...view.figures }) : t(`shown.${field}.hint`)}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

function Preview({ form }: { form: SiteForm }) {
  const { t } = useTranslation("admin-site");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button busy={form.showing} onClick={() => void form.show()}>
        <Eye aria-hidden="true" />
        {t("preview.make")}
      </Button>
      <p role="status" className="text-sm text-ink-faint">
        {form.link ? (
          <a href={form.link} target="_blank" rel="noreferrer" className="inline-flex min-h-8 items-center gap-1.5">
            {t("preview.open")}
            <ExternalLink aria-hidden="true" className="size-4" />
          </a>
        ) : (
          t("preview.hint")
        )}
      </p>
    </div>
  );
}
