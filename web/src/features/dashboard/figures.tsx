/** Total duration, and number of recordings by status: a line under the list. */
import { useTranslation } from "react-i18next";
import type { JobSummary } from "@/api";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatNumber, formatSpan } from "@/lib/format";

interface FiguresProps {
  summary: JobSummary | undefined;
  /** The figures could not be loaded; the list above is independent of them. */
  failed: boolean;
}

export function Figures({ summary, failed }: FiguresProps) {
  const { t } = useTranslation("dashboard");
  const locale = useLocale();
  if (failed && !summary) return null;
  if (!summary) return <Skeleton className="h-5 w-96 max-w-full" />;
  const counts = {
    running: summary.pending + summary.processing,
    completed: summary.completed,
    failed: summary.failed,
  };
  return (
    <section aria-label={t("figures")} className="text-[0.9375rem] text-ink-soft">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        <Figure name={t("minutes")} value={formatSpan(summary.processed_seconds, locale)} />
        <Figure name={t("total")} value={formatNumber(summary.total, locale)} />
        {(["running", "completed", "failed"] as const).map((key) => (
          <Figure
            key={key}
            name={t(`counts.${key}`)}
            value={formatNumber(counts[key], locale)}
            bad={key === "failed" && counts.failed > 0}
          />
        ))}
      </dl>
    </section>
  );
}

function Figure({ name, value, bad = false }: { name: string; value: string; bad?: boolean }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt>{name}</dt>
      <dd className={cx("figures", bad ? "text-bad" : "text-ink")}>{value}</dd>
    </div>
  );
}
