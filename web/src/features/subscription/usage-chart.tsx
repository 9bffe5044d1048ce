/** Minutes by day, as bars and as a table. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type UsageDay, usageByDayQuery } from "@/api/subscription";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { useLocale } from "@/hooks/use-locale";
import { formatDay, formatNumber } from "@/lib/format";
import { type Chart, chartOf } from "./chart";
import { Section } from "./section";

const DAYS = 30;
/** In units of the drawing: a bar with the gap after it, and the height. */
const STEP = 10;
const GAP = 2;
const HEIGHT = 100;

/** Noon, so that the date is the same in every time zone. */
const noonOf = (date: string) => `${date}T12:00`;

export function UsageChart() {
  const { t } = useTranslation("subscription");
  const { data, error, refetch } = useQuery(usageByDayQuery(DAYS));
  return (
    <Section title={t("chart.title")}>
      {data ? (
        <MinutesChart days={data} />
      ) : error ? (
        <ErrorState title={t("chart.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Section>
  );
}

function MinutesChart({ days }: { days: readonly UsageDay[] }) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  const chart = chartOf(days);
  const sum = t("minutes", { minutes: formatNumber(chart.sum, locale, 2) });
  return (
    <>
      <p className="text-[0.9375rem] text-ink-soft">
        {chart.jobs === 0 && chart.sum === 0 ? t("chart.nothing") : t("chart.sum", { sum, count: chart.jobs })}
      </p>
      <Bars chart={chart} label={t("chart.label", { sum })} />
      <details className="text-[0.9375rem]">
        <summary className="w-fit cursor-pointer py-1 text-accent underline-offset-4 hover:underline">{t("chart.table")}</summary>
        <Table days={days} />
      </details>
    </>
  );
}

function Bars({ chart: { bars, top }, label }: { chart: Chart; label: string }) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  const width = bars.length * STEP;
  const day = (date: string | undefined) => (date === undefined ? "" : formatDay(noonOf(date), locale));
  return (
    <figure>
      <p aria-hidden="true" className="figures mb-1 text-xs text-ink-faint">
        {t("minutes", { minutes: formatNumber(top, locale) })}
      </p>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-32 w-full border-y border-rule-strong border-t-rule sm:h-40"
      >
        {bars.map(({ date, minutes, height }, at) => (
          <g key={date}>
            {/* The whole column reacts to the pointer, however low its bar is. */}
            <rect x={at * STEP} width={STEP} height={HEIGHT} fill="transparent">
              <title>{`${day(date)}: ${t("minutes", { minutes: formatNumber(minutes, locale, 2) })}`}</title>
            </rect>
            <rect
              x={at * STEP + GAP / 2}
              y={HEIGHT * (1 - height)}
              width={STEP - GAP}
              height={HEIGHT * height}
              className="pointer-events-none fill-accent"
            />
          </g>
        ))}
      </svg>
      <p aria-hidden="true" className="mt-1 flex justify-between text-xs text-ink-faint">
        <span>{day(bars[0]?.date)}</span>
        <span>{day(bars[Math.floor(bars.length / 2)]?.date)}</span>
        <span>{day(bars.at(-1)?.date)}</span>
      </p>
    </figure>
  );
}

/** The newest first; days without usage are left out. */
function Table({ days }: { days: readonly UsageDay[] }) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  const used = days.filter(({ minutes, jobs }) => minutes !== 0 || jobs > 0).toReversed();
  if (used.length === 0) return <p className="mt-2 text-ink-soft">{t("chart.nothing")}</p>;
  return (
    <table className="mt-2 w-full max-w-md border-collapse text-left text-sm">
      <thead>
        <tr className="border-b border-rule-strong">
          <th scope="col" className="kicker py-2 pr-3">
            {t("chart.day")}
          </th>
          <th scope="col" className="kicker px-3 py-2 text-right">
            {t("chart.minutes")}
          </th>
          <th scope="col" className="kicker py-2 pl-3 text-right">
            {t("chart.jobs")}
          </th>
        </tr>
      </thead>
      <tbody>
        {used.map(({ date, minutes, jobs }) => (
          <tr key={date} className="border-b border-rule">
            <td className="py-2 pr-3">
              <time dateTime={date}>{formatDay(noonOf(date), locale)}</time>
            </td>
            <td className="figures px-3 py-2 text-right">{formatNumber(minutes, locale, 2)}</td>
            <td className="figures py-2 pl-3 text-right">{formatNumber(jobs, locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
