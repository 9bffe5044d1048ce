/** A plan as a card: features, price, and number of users. */
import { CircleCheck, CirclePause } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ManagedPlan } from "@/api/managed-plans";
import { Button } from "@/components/button";
import { PlanFeatures } from "@/components/plan-features";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber, formatPrice } from "@/lib/format";
import { PlanFacts } from "./plan-facts";

const CARD = "flex flex-col gap-3 rounded-lg border border-rule-strong bg-paper-raised p-4";

interface PlanCardProps {
  plan: ManagedPlan;
  onEdit: (plan: ManagedPlan) => void;
  onDelete: (plan: ManagedPlan) => void;
}

export function PlanCard({ plan, onEdit, onDelete }: PlanCardProps) {
  const { t } = useTranslation(["admin-plans", "rules"]);
  const locale = useLocale();
  const title = useId();
  const more = [
    [t("rules:comparison_row.speed"), t(`rules:comparison.${plan.queue_speed}`)],
    [t("facts.users"), formatNumber(plan.users, locale)],
  ] as const;
  return (
    <li className={CARD}>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={title} className="headline min-w-0 text-lg leading-snug wrap-anywhere">
          {plan.name}
        </h3>
        <ActiveMark active={plan.is_active} />
      </div>
      <p className="font-strong">{t("price", { price: formatPrice(plan.price, plan.currency, locale) })}</p>
      {plan.description && (
        <p className="line-clamp-4 text-sm whitespace-pre-line text-ink-soft wrap-anywhere">{plan.description}</p>
      )}
      <PlanFacts limits={plan} more={more} className="mt-auto border-t border-rule pt-3" />
      <PlanFeatures has={plan.features} className="border-t border-rule pt-3 text-sm" />
      <div className="flex items-center gap-2 border-t border-rule pt-3">
        <Button size="small" aria-describedby={title} onClick={() => onEdit(plan)}>
          {t("edit")}
        </Button>
        <Button size="small" look="quiet" aria-describedby={title} onClick={() => onDelete(plan)}>
          {t("delete")}
        </Button>
      </div>
    </li>
  );
}

function ActiveMark({ active }: { active: boolean }) {
  const { t } = useTranslation("admin-plans");
  const Sign = active ? CircleCheck : CirclePause;
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-sm whitespace-nowrap ${active ? "bg-good-wash text-good" : "bg-paper-sunk text-ink-soft"}`}
    >
      <Sign aria-hidden="true" className="size-3.5 shrink-0" />
      {t(active ? "active" : "inactive")}
    </span>
  );
}

export function SkeletonCard() {
  return (
    <li className={CARD}>
      <Skeleton className="h-6 w-3/5" />
      <Skeleton className="h-5 w-2/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-28 w-4/5" />
      <Skeleton className="h-8 w-40" />
    </li>
  );
}
