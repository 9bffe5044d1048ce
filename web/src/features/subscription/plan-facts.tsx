/** The limits of a plan as a list. */
import { useTranslation } from "react-i18next";
import type { QueueSpeed } from "@/api/subscription";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber, formatPrice } from "@/lib/format";

interface PlanFactsProps {
  /** Null means unlimited. */
  monthly: number | null;
  longest: number | null;
  speed: QueueSpeed;
}

export function PlanFacts({ monthly, longest, speed }: PlanFactsProps) {
  const { t } = useTranslation(["subscription", "rules"]);
  const locale = useLocale();
  const minutes = (limit: number | null) =>
    limit === null ? t("rules:comparison.unlimited") : t("minutes", { minutes: formatNumber(limit, locale, 2) });
  const facts = [
    [t("rules:comparison_row.minutes"), minutes(monthly)],
    [t("facts.longest"), minutes(longest)],
    [t("rules:comparison_row.speed"), t(`rules:comparison.${speed}`)],
  ] as const;
  return (
    <dl className="flex flex-col gap-1 text-[0.9375rem]">
      {facts.map(([name, value]) => (
        <div key={name} className="flex items-baseline justify-between gap-4">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A monthly price; a free plan is marked as free. */
export function Price({ price, currency }: { price: number; currency: string }) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  return price > 0 ? t("price", { price: formatPrice(price, currency, locale) }) : t("free");
}
