/** /subscription: the plan and its minutes, what was used and when, and the other plans that there are. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { useUser } from "@/api";
import { type Plan, plansQuery, subscriptionQuery } from "@/api/subscription";
import { ErrorState } from "@/components/state-panel";
import { useOpener } from "@/hooks/use-opener";
import { scrollBehavior } from "@/lib/scroll-behavior";
import { History } from "./history";
import { MinutesUsed } from "./minutes-used";
import { PlanComparison } from "./plan-comparison";
import { PresentPlan } from "./present-plan";
import { RequestSheet } from "./request-sheet";
import { RequestState } from "./request-state";
import { UsageChart } from "./usage-chart";

/** Where links from other pages lead. */
const COMPARISON = "plans";

export function SubscriptionPage() {
  const { t } = useTranslation("subscription");
  const user = useUser();
  const { data: subscription, error, refetch } = useQuery(subscriptionQuery());
  const plans = useQuery(plansQuery());
  const sheet = useOpener<Plan>();
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
      {subscription?.request && <RequestState request={subscription.request} />}
      <PlanComparison id={COMPARISON} subscription={subscription} plans={plans} onAsk={sheet.show} />
      <UsageChart />
      <History />
      {sheet.open && plans.data && (
        <RequestSheet
          // What one user has typed is not the next one's.
          key={user?.id}
          plan={sheet.open}
          plans={plans.data.filter(({ id }) => id !== subscription?.plan?.id)}
          onClose={sheet.close}
        />
      )}
    </div>
  );
}

/** Goes to the part that the address names, once it is there. */
function useArrival(part: string, ready: boolean) {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival counts, at the same address too
  useEffect(() => {
    if (ready && hash === `#${part}`) {
      document.getElementById(part)?.scrollIntoView({ block: "start", behavior: scrollBehavior() });
    }
  }, [ready, hash, key, part]);
}
