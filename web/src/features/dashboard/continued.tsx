/** Texts to continue with: the number of uncertain words, and a link to the first one. */
import { ArrowRight, Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ContinuedJob } from "@/api";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatFullDateTime } from "@/lib/format";
import { titleOf } from "@/lib/job-title";
import { SectionHead } from "./section-head";

export function Continued({ texts }: { texts: readonly ContinuedJob[] }) {
  const { t } = useTranslation("dashboard");
  return (
    <section aria-labelledby="continue" className="min-w-0">
      <SectionHead id="continue" title={t("continue.title")} />
      <ul className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {texts.map((text) => (
          <Text key={text.job.my_job_id} text={text} />
        ))}
      </ul>
    </section>
  );
}

function Text({ text: { job, unsure, worked_at } }: { text: ContinuedJob }) {
  const { t } = useTranslation(["dashboard", "transcripts"]);
  const locale = useLocale();
  const some = unsure !== null && unsure > 0;
  return (
    <li className="group relative flex min-w-0 flex-col gap-2 rounded-lg border border-rule-strong bg-paper-raised px-4 py-3.5 transition-colors hover:border-edge">
      <Link
        to={`/transcription/${job.my_job_id}${some ? "?unsure=first" : ""}`}
        title={titleOf(job)}
        aria-describedby={`unsure-${job.my_job_id}`}
        className="line-clamp-2 rounded font-serif text-lg leading-snug wrap-anywhere underline-offset-4 group-hover:underline after:absolute after:inset-0"
      >
        {titleOf(job) || t("transcripts:untitled")}
      </Link>
      <p id={`unsure-${job.my_job_id}`} className="mt-auto flex items-center gap-1.5 text-[0.9375rem]">
        {some ? (
          <>
            <span className="text-warn">{t("continue.unsure", { count: unsure })}</span>
            <ArrowRight aria-hidden="true" className="size-4 shrink-0 text-warn" />
          </>
        ) : (
          unsure === 0 && (
            <>
              <Check aria-hidden="true" className="size-4 shrink-0 text-good" />
              <span className="text-ink-soft">{t("continue.all_sure")}</span>
            </>
          )
        )}
      </p>
      <time dateTime={worked_at} title={formatFullDateTime(worked_at, locale)} className="text-sm text-ink-faint">
        {t("continue.worked", { when: formatDateTime(worked_at, locale) })}
      </time>
    </li>
  );
}
