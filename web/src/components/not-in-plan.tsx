/** A note that the plan does not include a feature, with a link to those that do. */
import { CircleDashed } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";

const CODE = "feature_not_in_plan";

/** Whether the server refused something because of the plan. */
export const isNotInPlan = (violations: readonly BrokenRule[]): boolean => violations.some(({ code }) => code === CODE);

interface PlanLackProps {
  /** Replaces the default message. */
  text?: string;
  className?: string;
}

export function NotInPlan({ text, className }: PlanLackProps) {
  const { t } = useTranslation("rules");
  return (
    <p className={cx("flex items-start gap-1.5", className)}>
      <CircleDashed aria-hidden="true" className="mt-[0.3em] size-3.5 shrink-0" />
      <span>
        {text ?? `${t(`violations.${CODE}`)}.`} <PlansLink />
      </span>
    </p>
  );
}

/** A link to the comparison of plans. */
export function PlansLink() {
  const { t } = useTranslation();
  return (
    <Link to="/subscription#plans" className="text-accent underline underline-offset-4 hover:text-accent-strong">
      {t("compare_plans")}
    </Link>
  );
}
