/** The effect of an adjustment before it is made, and until when it applies. */
import { useTranslation } from "react-i18next";
import type { Minutes } from "@/api/subscription";
import { useLocale } from "@/hooks/use-locale";
import { formatDay, formatNumber } from "@/lib/format";
import type { BalanceAfter } from "@/rules";

interface BalanceEffectProps {
  month: Minutes;
  /** The month after the adjustment; null while the form is invalid. */
  after: BalanceAfter | null;
}

export function BalanceEffect({ month: { plan_limit, limit, reset_at }, after }: BalanceEffectProps) {
  const { t } = useTranslation("admin");
  const locale = useLocale();
  const figure = (value: number) => formatNumber(value, locale, 2);
  if (limit === null || plan_limit === null) return <p className="text-sm text-ink-soft">{t("balance.no_limit")}</p>;
  return (
    <p role="status" className="text-sm text-ink-soft">
      {after && (
        <>
          <span className="text-ink">
            {t("balance.effect", { before: figure(limit), after: figure(after.limit), left: figure(after.left) })}
          </span>{" "}
        </>
      )}
      {t("balance.lapses", { date: formatDay(reset_at, locale), limit: figure(plan_limit) })}
    </p>
  );
}
