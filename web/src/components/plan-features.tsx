/** Features that a plan includes or does not include, limited to those that this server has. */
import { Check, Minus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PlanFeature } from "@/api/subscription";
import { usePlanFeatures } from "@/hooks/use-plan-features";
import { cx } from "@/lib/class-names";

export function PlanFeatures({ has, className }: { has: readonly PlanFeature[]; className?: string }) {
  const { t } = useTranslation("rules");
  const features = usePlanFeatures();
  return (
    <ul className={cx("flex flex-col gap-1", className)}>
      {features.map((feature) => {
        const yes = has.includes(feature);
        const Sign = yes ? Check : Minus;
        return (
          <li key={feature} className={cx("flex items-start gap-2", !yes && "text-ink-faint")}>
            <Sign aria-hidden="true" className={cx("mt-[0.2em] size-4 shrink-0", yes && "text-good")} />
            <span>
              {t(`comparison_row.${feature}`)}
              <span className="sr-only">: {t(yes ? "comparison.yes" : "comparison.no")}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
