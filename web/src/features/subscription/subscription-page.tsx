/** /subscription: the plan with its minutes, their usage over time, and the other plans. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearchParams } from "react-router";
import { useUser } from "@/api";
import { type Plan, plansQuery, subscriptionQuery } from "@/api/subscription";
import { ErrorState } from "@/components/state-panel";
import { useOpenSheets } from "@/hooks/use-open-sheets";
import { chosenPlan } from "@/lib/chosen-plan";
import { scrollBehavior } from "@/lib/scroll-behavior";
import { History } from "./history";
import { MinutesUsed } from "./minutes-used";
import { PlanComparison } from "./plan-comparison";
import { PresentPlan } from "./present-plan";
import { RequestSheet } from "./request-sheet";
import { RequestState } from "./request-state";
import { UsageChart } from "./usage-chart";

/** Target of links from other pages. */
const COMPARISON = "plans";

export function SubscriptionPage() {
  const { t } = useTranslation("subscription");
  const user = useUser();
  const { data: subscription, error, refetch } = useQuery(subscriptionQuery());
  const plans = useQuery(plansQuery());
  const sheet = useOpenSheets<Plan>();
  // A plan on trial can be requested, to keep it.
  const currentPlan = subscription?.trial_ends_at === null ? subscription.plan?.id : undefined;
  const trial = subscription && subscription.trial_ends_at !== null ? subscription.plan?.id : undefined;
  const canAsk = plans.data?.filter(({ id }) => id !== currentPlan) ?? [];
  useChosen(subscription && subscription.request?.status !== "open" ? plans.data && canAsk : undefined, sheet.show);
  useArrival(COMPARISON, subscription !== undefined && !plans.isPending);

  if (error && !subscription) {
    return <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-10 px-4 py-6 md:px-8 md:py-9">
      <div className="grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <PresentPlan subscription={subscription} />
        <MinutesUsed minutes={subscription?.minutes} />
      </div>
      {subscription?.request && <RequestState request={subscription.request} trial={trial} />}
      <PlanComparison id={COMPARISON} subscription={subscription} plans={plans} onAsk={sheet.show} />
      <UsageChart />
      <History />
      {sheet.open && plans.data && (
        <RequestSheet
          // Discards one user's input when another one signs in.
          key={user?.id}
          plan={sheet.open}
          plans={canAsk}
          trial={trial}
          onClose={sheet.close}
        />
      )}
    </div>
  );
}

/** Opens the request for the plan in the URL, once it is known to be available; not again after a reload. */
function useChosen(plans: readonly Plan[] | undefined, show: (plan: Plan) => void) {
  const [params, setParams] = useSearchParams();
  const chosen = chosenPlan(`?${params}`);
  useEffect(() => {
    if (chosen === null || plans === undefined) return;
    const plan = plans.find(({ id }) => id === chosen);
    if (plan) show(plan);
    setParams({}, { replace: true });
  }, [chosen, plans, show, setParams]);
}

/** Scrolls to the section in the URL, once it is mounted. */
function useArrival(part: string, ready: boolean) {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival counts, at the same address too
  useEffect(() => {
    if (ready && hash === `#${part}`) {
      document.getElementById(part)?.scrollIntoView({ block: "start", behavior: scrollBehavior() });
    }
  }, [ready, hash, key, part]);
}
