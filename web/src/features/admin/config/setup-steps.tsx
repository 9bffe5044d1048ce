/** Descriptions of the setup steps. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Setup } from "@/api/admin-setup";
import { useLanguageName } from "@/hooks/use-language-name";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatPercent, formatSpan } from "@/lib/format";
import { mailFailure } from "./mail-failure";
import { sectionLink } from "./sections";

interface StepProps<Name extends keyof Setup> {
  step: Setup[Name];
}

function Status({ children }: { children: ReactNode }) {
  return <p className="max-w-[64ch] wrap-anywhere">{children}</p>;
}

export function Mail({ step: { cause, place, failure } }: StepProps<"mail">) {
  const { t } = useTranslation(["admin-setup", "admin-config"]);
  return (
    <Status>
      {t(`mail.cause.${cause}`, { place })} {failure && t(`admin-config:mail.failure.${mailFailure(failure)}`)}
    </Status>
  );
}

export function Models({ step: { models, better } }: StepProps<"models">) {
  const { t } = useTranslation("admin-config");
  return (
    <>
      <ul className="flex flex-col gap-0.5">
        {models.map(({ id, used_by, on_disk }) => (
          <li key={id} className="wrap-anywhere">
            <span className="font-mono text-sm">{id}</span>
            <span className="text-ink-soft"> ({used_by.map((user) => t(`models.used_by.${user}`)).join(", ")})</span>
            {": "}
            <span className={on_disk ? "text-good" : "text-warn"}>{t(on_disk ? "setup.on_disk" : "setup.not_on_disk")}</span>
          </li>
        ))}
      </ul>
      {better && <Better model={better} />}
    </>
  );
}

/** A model with fewer errors that keeps up with speech on this server. */
function Better({ model }: { model: NonNullable<Setup["models"]["better"]> }) {
  const { t } = useTranslation("admin-setup");
  const locale = useLocale();
  const languageName = useLanguageName();
  const { id, percent, current_percent: current, seconds_per_hour: seconds, bytes, on_disk } = model;
  const values = { id, language: languageName(model.language), percent: formatPercent(percent, locale) };
  return (
    <Status>
      {current === null
        ? t("models.better_unknown", values)
        : t("models.better", { ...values, current: formatPercent(current, locale) })}{" "}
      {seconds !== null && t("models.better_facts", { time: formatSpan(seconds, locale), size: formatBytes(bytes, locale) })}{" "}
      {t(on_disk ? "models.better_on_disk" : "models.better_get")}
    </Status>
  );
}

export function Analysis({ step: { cause, host, outcome } }: StepProps<"analysis">) {
  const { t } = useTranslation(["admin-setup", "admin-config"]);
  const reason = outcome && t(`admin-config:endpoint.outcome.${outcome}.title`);
  return <Status>{t(`analysis.cause.${cause}`, { host, reason })}</Status>;
}

export function Address({ step: { cause, url } }: StepProps<"address">) {
  const { t } = useTranslation("admin-setup");
  return <Status>{t(`address.cause.${cause}`, { url, here: window.location.origin })}</Status>;
}

const FIELDS = ["legal_name", "email", "address", "imprint"] as const;

export function Legal({ step: { missing } }: StepProps<"legal">) {
  const { t } = useTranslation(["admin-setup", "admin-site"]);
  const empty = FIELDS.filter((field) => missing.includes(field));
  if (empty.length === 0) return <Status>{t("legal.complete")}</Status>;
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <span id="setup-legal-missing">{t("legal.missing")}</span>
      <ul aria-labelledby="setup-legal-missing" className="flex flex-wrap gap-x-3">
        {empty.map((field) => (
          <li key={field}>
            <Link
              to={sectionLink("site", field)}
              className="inline-flex min-h-8 items-center text-accent underline underline-offset-4 hover:text-accent-strong"
            >
              {t(`admin-site:fields.${field}.label`)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
