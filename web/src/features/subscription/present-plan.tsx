/** The reader's current plan. */
import { useTranslation } from "react-i18next";
import type { Subscription } from "@/api/subscription";
import { PlanFeatures } from "@/components/plan-features";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime } from "@/lib/format";
import { PlanFacts, Price } from "./plan-facts";
import { Section } from "./section";

export function PresentPlan({ subscription }: { subscription: Subscription | undefined }) {
  const { t } = useTranslation("subscription");
  return (
    <Section title={t("present.title")}>{subscription ? <Known subscription={subscription} /> : <PresentSkeleton />}</Section>
  );
}

function Known({ subscription: { plan, trial_ends_at: trialEnd, features, minutes } }: { subscription: Subscription }) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  return (
    <>
      <div>
        <p className="headline text-4xl wrap-anywhere">{plan?.name ?? t("demo")}</p>
        <p className="mt-1 text-ink-soft">{plan ? <Price price={plan.price} currency={plan.currency} /> : t("free")}</p>
        {trialEnd && (
          <p className="mt-3 max-w-[60ch] rounded bg-note-wash px-3.5 py-2.5 text-[0.9375rem]">
            {t("present.trial", { when: formatDateTime(trialEnd, locale) })}
          </p>
        )}
        {(plan === null || plan.description) && (
          <p className="mt-3 max-w-[60ch] text-[0.9375rem] whitespace-pre-line text-ink-soft wrap-anywhere">
            {plan?.description ?? t("present.demo")}
          </p>
        )}
      </div>
      <PlanFacts
        monthly={plan ? plan.monthly_minutes_limit : limitOf(minutes)}
        longest={minutes.max_file_duration}
        speed={plan?.queue_speed ?? "standard"}
      />
      <PlanFeatures has={features} className="border-t border-rule pt-3 text-[0.9375rem]" />
    </>
  );
}

/** For the month, without administrators' adjustments. */
const limitOf = ({ limit, bonus }: Subscription["minutes"]) => (limit === null ? null : limit - bonus);

function PresentSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-3">
      <Skeleton className="h-9 w-40" />
      <Skeleton className="h-5 w-28" />
      {["a", "b", "c", "d", "e", "f"].map((key) => (
        <Skeleton key={key} className="h-4 w-full" />
      ))}
    </div>
  );
}
