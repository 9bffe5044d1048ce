/** Visits of the public pages by visitors who agreed to be counted. */

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteVisits, visitsQuery } from "@/api/admin-messages";
import { DayChart } from "@/components/chart";
import { NoFigures } from "@/components/drawings";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber } from "@/lib/format";
import { byPage, lastDays } from "./visits";

const DAYS = 30;
const LOCALES = [
  { locale: "uk", colour: "var(--accent)" },
  { locale: "en", colour: "var(--voice)" },
] as const;

export function VisitsTab() {
  const { t } = useTranslation("admin-messages");
  const { data, error, refetch } = useQuery(visitsQuery(DAYS));
  if (error && !data) return <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-56 w-full" />;
  return (
    <section aria-label={t("visits.title")} className="flex flex-col gap-5">
      <p className="max-w-[70ch] text-sm text-ink-soft">{t("visits.note")}</p>
      {data.length === 0 ? <EmptyState drawing={NoFigures} title={t("visits.empty")} /> : <VisitsChart visits={data} />}
    </section>
  );
}

function VisitsChart({ visits }: { visits: readonly SiteVisits[] }) {
  const { t } = useTranslation("admin-messages");
  const locale = useLocale();
  const days = lastDays(DAYS);
  const formatCount = (value: number) => formatNumber(value, locale, 1);
  const sum = visits.reduce((all, row) => all + row.visits, 0);
  const of = (day: string, language: string) =>
    visits.reduce((all, row) => (row.day === day && row.locale === language ? all + row.visits : all), 0);
  return (
    <>
      <DayChart
        title={t("visits.title")}
        summary={t("visits.sum", { sum: formatCount(sum) })}
        days={days}
        look="bars"
        format={formatCount}
        series={LOCALES.map((entry) => ({
          name: t(`visits.${entry.locale}`),
          colour: entry.colour,
          values: days.map((day) => of(day, entry.locale)),
        }))}
      />
      <table className="w-full max-w-md border-collapse text-left text-sm">
        <caption className="mb-1 text-left font-strong">{t("visits.pages")}</caption>
        <thead>
          <tr className="border-b border-rule-strong">
            <th scope="col" className="kicker py-1">
              {t("visits.page")}
            </th>
            <th scope="col" className="kicker py-1 text-right">
              {t("visits.visits")}
            </th>
          </tr>
        </thead>
        <tbody>
          {byPage(visits).map(([page, count]) => (
            <tr key={page} className="border-b border-rule">
              <th scope="row" className="figures py-(--row) font-normal wrap-anywhere">
                {page}
              </th>
              <td className="figures py-(--row) text-right">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
