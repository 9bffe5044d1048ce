/** Charts of the daily figures. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { OverviewDay } from "@/api/admin-overview";
import { DayChart } from "@/components/chart";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber, formatSpan } from "@/lib/format";

/** From bottom to top of a bar. */
const STATES = [
  { figure: "completed", colour: "var(--good)" },
  { figure: "under_way", colour: "var(--voice)" },
  { figure: "cancelled", colour: "var(--edge)" },
  { figure: "failed", colour: "var(--bad)" },
] as const;

interface ChartsProps {
  days: readonly OverviewDay[];
  /** Shown beside the last chart. */
  children: ReactNode;
}

export function Charts({ days, children }: ChartsProps) {
  const { t } = useTranslation("admin-overview");
  const locale = useLocale();
  const dates = days.map(({ day }) => day);
  const formatCount = (value: number) => formatNumber(value, locale, 1);
  const sum = (figure: "completed" | "under_way" | "cancelled" | "failed" | "minutes" | "words") =>
    days.reduce((all, day) => all + day[figure], 0);
  const jobs = STATES.reduce((all, { figure }) => all + sum(figure), 0);
  const span = (seconds: number) => formatSpan(seconds, locale);
  const waits = days.flatMap(({ waited_p95 }) => waited_p95 ?? []);
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
      <DayChart
        title={t("charts.jobs")}
        summary={t("charts.sum", { sum: formatCount(jobs) })}
        days={dates}
        look="bars"
        format={formatCount}
        series={STATES.map(({ figure, colour }) => ({
          name: t(`charts.${figure}`),
          colour,
          values: days.map((day) => day[figure]),
        }))}
      />
      <DayChart
        title={t("charts.waited")}
        summary={waits.length > 0 ? t("charts.longest", { time: span(Math.max(...waits)) }) : t("charts.never")}
        days={dates}
        look="lines"
        format={span}
        series={[
          { name: t("charts.median"), colour: "var(--accent)", values: days.map(({ waited_median }) => waited_median) },
          { name: t("charts.p95"), colour: "var(--voice)", values: days.map(({ waited_p95 }) => waited_p95) },
        ]}
      />
      <DayChart
        title={t("charts.queue")}
        summary={t("charts.most", { count: Math.max(0, ...days.map(({ queue_peak }) => queue_peak)) })}
        days={dates}
        look="bars"
        format={formatCount}
        series={[{ name: t("charts.queue"), colour: "var(--voice)", values: days.map(({ queue_peak }) => queue_peak) }]}
      />
      <DayChart
        title={t("charts.minutes")}
        summary={t("charts.sum_minutes", { sum: formatCount(sum("minutes")) })}
        days={dates}
        look="bars"
        format={formatCount}
        series={[{ name: t("charts.minutes"), colour: "var(--accent)", values: days.map(({ minutes }) => minutes) }]}
      />
      <DayChart
        title={t("charts.words")}
        summary={t("charts.sum", { sum: formatCount(sum("words")) })}
        days={dates}
        look="bars"
        format={formatCount}
        series={[{ name: t("charts.words"), colour: "var(--accent)", values: days.map(({ words }) => words) }]}
      />
      {children}
    </div>
  );
}
