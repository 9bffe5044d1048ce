/** An account's minutes in this month, used and left. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { userMinutesQuery } from "@/api/admin";
import { Skeleton } from "@/components/skeleton";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatChange, formatDay, formatNumber } from "@/lib/format";

export function MinutesPanel({ id }: { id: string }) {
  const { t } = useTranslation("admin");
  const locale = useLocale();
  const errorText = useErrorText();
  const { data, error } = useQuery(userMinutesQuery(id));
  const minutes = (value: number | null) => (value === null ? t("minutes.unlimited") : formatNumber(value, locale, 2));
  if (error && !data) return <p className="text-sm text-bad">{errorText(error)}</p>;
  const figures = [
    ["used", data && minutes(data.used)],
    ["left", data && minutes(data.left)],
    ["limit", data && minutes(data.plan_limit)],
    ["reset", data && formatDay(data.reset_at, locale)],
    ...(data && data.plan_limit !== null && data.bonus !== 0 ? ([["bonus", formatChange(data.bonus, locale)]] as const) : []),
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 rounded border border-rule bg-paper px-4 py-3 sm:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-ink-faint">{t(`minutes.${name}`)}</dt>
          <dd className="mt-0.5 font-strong tabular-nums">{value ?? <Skeleton className="h-5 w-16" />}</dd>
        </div>
      ))}
    </dl>
  );
}
