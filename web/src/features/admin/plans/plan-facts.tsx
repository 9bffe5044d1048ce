/** The limits of a plan as a list; plan cards add more facts. */
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber } from "@/lib/format";

interface PlanFactsProps {
  /** Null means unlimited. */
  limits: { monthly_minutes_limit: number | null; max_file_duration_minutes: number | null };
  /** Name and value. */
  more?: readonly (readonly [string, string])[];
  className?: string;
}

export function PlanFacts({ limits, more = [], className = "" }: PlanFactsProps) {
  const { t } = useTranslation(["admin-plans", "rules"]);
  const locale = useLocale();
  const minutes = (limit: number | null) =>
    limit === null ? t("rules:comparison.unlimited") : t("minutes", { minutes: formatNumber(limit, locale, 2) });
  const facts = [
    [t("facts.monthly"), minutes(limits.monthly_minutes_limit)],
    [t("facts.longest"), minutes(limits.max_file_duration_minutes)],
    ...more,
  ] as const;
  return (
    <dl className={`flex flex-col gap-0.5 text-sm ${className}`}>
      {facts.map(([name, value]) => (
        <div key={name} className="flex items-baseline justify-between gap-4">
          <dt className="text-ink-soft">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
