/**
 * The plans side by side, the current one marked. Another plan can be requested here; if there is none, there is a link
 * to contact the administrator.
 */
import type { UseQueryResult } from "@tanstack/react-query";
import { Check, Mail } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Plan, Subscription } from "@/api/subscription";
import { Button, LinkButton } from "@/components/button";
import { PlanFeatures } from "@/components/plan-features";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { cx } from "@/lib/class-names";
import { PlanFacts, Price } from "./plan-facts";
import { Section } from "./section";

const SKELETONS = ["a", "b", "c"];
const GRID = "grid gap-4 sm:grid-cols-[repeat(auto-fill,minmax(17rem,1fr))]";
const CARD = "flex flex-col gap-3 rounded-lg border p-5";

interface PlanComparisonProps {
  id: string;
  subscription: Subscription | undefined;
  plans: UseQueryResult<Plan[]>;
  onAsk: (plan: Plan) => void;
}

export function PlanComparison({ id, subscription, plans: { data, error, refetch }, onAsk }: PlanComparisonProps) {
  const { t } = useTranslation("subscription");
  const waiting = subscription?.request?.status === "open";
  return (
    <Section id={id} title={t("plans.title")} aside={data && data.length > 0 && <Contact quiet />}>
      {error && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-lg border border-dashed border-rule-strong px-5 py-5">
          <p className="max-w-[60ch] flex-1 basis-72 text-ink-soft">{t("plans.none")}</p>
          <Contact />
        </div>
      ) : (
        <ul className={GRID} aria-busy={!data || !subscription}>
          {data && subscription
            ? data.map((plan) => (
                <Card
                  key={plan.id}
                  plan={plan}
                  present={plan.id === subscription.plan?.id}
                  trial={subscription.trial_ends_at !== null}
                  waiting={waiting}
                  onAsk={onAsk}
                />
              ))
            : SKELETONS.map((key) => <SkeletonCard key={key} />)}
        </ul>
      )}
    </Section>
  );
}

/** A public page, which the browser loads. */
function Contact({ quiet = false }: { quiet?: boolean }) {
  const { t } = useTranslation("subscription");
  return (
    <LinkButton to="/contact" loads {...(quiet && { look: "quiet", size: "small", className: "-my-1" })}>
      <Mail aria-hidden="true" />
      {t("contact")}
    </LinkButton>
  );
}

interface CardProps {
  plan: Plan;
  present: boolean;
  /** The current plan is on trial: it can be requested, to keep it. */
  trial: boolean;
  /** There is an open request: only one is possible at a time. */
  waiting: boolean;
  onAsk: (plan: Plan) => void;
}

function Card({ plan, present, trial, waiting, onAsk }: CardProps) {
  const { t } = useTranslation("subscription");
  const id = useId();
  const costs = plan.price > 0;
  return (
    <li
      className={cx(
        CARD,
        "bg-paper-raised",
        present ? "border-accent shadow-[inset_0_0_0_1px_var(--accent)]" : "border-rule-strong",
      )}
    >
      <h3 id={id} className="headline text-xl wrap-anywhere">
        {plan.name}
      </h3>
      <p className={cx("text-lg", costs ? "font-strong" : "text-ink-soft")}>
        <Price price={plan.price} currency={plan.currency} />
      </p>
      {plan.description && <p className="text-[0.9375rem] whitespace-pre-line text-ink-soft wrap-anywhere">{plan.description}</p>}
      {present && trial && <p className="text-[0.9375rem] text-ink-soft">{t("plans.trial")}</p>}
      <div className="mt-auto flex flex-col gap-3">
        <div className="border-t border-rule pt-3">
          <PlanFacts monthly={plan.monthly_minutes_limit} longest={plan.max_file_duration_minutes} speed={plan.queue_speed} />
        </div>
        <PlanFeatures has={plan.features} className="border-t border-rule pt-3 text-[0.9375rem]" />
        {present && !trial ? (
          <p className="mt-1 flex min-h-(--control) items-center justify-center gap-1.5 rounded bg-accent-wash font-strong text-accent">
            <Check aria-hidden="true" className="size-4" />
            {t("plans.present")}
          </p>
        ) : (
          <Button
            look="primary"
            aria-describedby={cx(id, waiting && `${id}-waiting`)}
            aria-disabled={waiting || undefined}
            className="mt-1 w-full"
            onClick={() => !waiting && onAsk(plan)}
          >
            {t(present ? "plans.keep" : "plans.ask")}
          </Button>
        )}
        {waiting && (!present || trial) && (
          <span id={`${id}-waiting`} className="sr-only">
            {t("plans.waiting")}
          </span>
        )}
      </div>
    </li>
  );
}

function SkeletonCard() {
  return (
    <li className={cx(CARD, "border-rule-strong bg-paper-raised")}>
      <Skeleton className="h-6 w-2/5" />
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-28 w-4/5" />
      <Skeleton className="h-10 w-full" />
    </li>
  );
}
