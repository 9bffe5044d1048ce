/** A summary of the setup while steps are left. */
import { useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { countSetup, STEPS, setupQuery } from "@/api/admin-setup";
import { sectionLink, stepLink } from "../config/sections";

/** How long a result is reused, in ms: each request also tests the analysis endpoint. */
const FRESH_MS = 60_000;

const LINK = "inline-flex min-h-8 items-center text-accent underline underline-offset-4 hover:text-accent-strong";

export function SetupNote() {
  const { t } = useTranslation("admin-setup");
  const id = useId();
  // Optional on this page: errors are ignored.
  const { data } = useQuery({ ...setupQuery(), staleTime: FRESH_MS });
  if (!data) return null;
  const { done, left } = countSetup(data);
  if (left.length === 0) return null;
  return (
    <section aria-labelledby={id} className="flex items-start gap-3 rounded border border-rule-strong bg-paper-raised px-4 py-3">
      <ListChecks aria-hidden="true" className="mt-1.5 size-5 shrink-0 text-warn" />
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-5 gap-y-1">
        <h2 id={id} className="font-strong">
          {t("note", { done, all: STEPS.length })}
        </h2>
        <ul aria-label={t("left")} className="flex min-w-0 flex-wrap gap-x-4">
          {left.map((step) => (
            <li key={step}>
              <Link to={stepLink(step, data)} className={LINK}>
                {t(`${step}.title`)}
              </Link>
            </li>
          ))}
        </ul>
        <Link to={sectionLink("setup")} className={`${LINK} sm:ml-auto`}>
          {t("open")}
        </Link>
      </div>
    </section>
  );
}
