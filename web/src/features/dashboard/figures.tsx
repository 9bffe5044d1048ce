/** How much has been transcribed, and how many recordings stand where. */
import { useTranslation } from "react-i18next";
import type { JobSummary } from "@/api";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatNumber, formatSpan } from "@/lib/format";

interface FiguresProps {
  summary: JobSummary | undefined;
  /** The figures could not be had; the list beside them still can. */
  failed: boolean;
  className?: string;
}

export function Figures({ summary, failed, className }: FiguresProps) {
  const { t } = useTranslation("dashboard");
  const locale = useLocale();
  if (failed && !summary) return null;
  const counts = summary && {
    running: summary.pending + summary.processing,
    completed: summary.completed,
    failed: summary.failed,
  };
  return (
    <section aria-label={t("figures")} className={className}>
      <p className="kicker">{t("minutes")}</p>
      {summary ? (
        <p className="headline mt-1 text-[2.5rem] lg:text-5xl">{formatSpan(summary.processed_seconds, locale)}</p>
      ) : (
        <Skeleton className="mt-2 h-11 w-44" />
      )}
      <p className="mt-1 text-ink-soft">
        {summary ? t("count", { count: summary.total }) : <Skeleton className="mt-2 h-5 w-28" />}
      </p>
      <dl className="mt-5 grid grid-cols-3 gap-x-4 gap-y-1 border-t border-rule pt-3 lg:grid-cols-1">
        {(["running", "completed", "failed"] as const).map((key) => (
          <div key={key} className="flex flex-col-reverse justify-end lg:flex-row lg:items-baseline lg:justify-between">
            <dt className="text-sm text-ink-soft lg:text-[0.9375rem]">{t(`counts.${key}`)}</dt>
            <dd className={cx("figures text-xl lg:text-base", key === "failed" && counts && counts.failed > 0 && "text-bad")}>
              {counts ? formatNumber(counts[key], locale) : <Skeleton className="inline-block h-4 w-6" />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
