/** /admin/subscriptions: plans, limits without a plan, and plan requests. */

import { useQuery } from "@tanstack/react-query";
import { Inbox, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { type ManagedPlan, managedPlansQuery, planRequestsQuery } from "@/api/managed-plans";
import { Button } from "@/components/button";
import { NoPlans } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useOpenSheets } from "@/hooks/use-open-sheets";
import { DeleteDialog } from "./delete-dialog";
import { DemoPanel } from "./demo-panel";
import { EditSheet } from "./edit-sheet";
import { PlanCard, SkeletonCard } from "./plan-card";
import { Requests } from "./requests";
import { TermsPanel } from "./terms-panel";

const SKELETONS = ["a", "b", "c"];
const GRID = "grid gap-4 sm:grid-cols-[repeat(auto-fill,minmax(19rem,1fr))]";
const REQUESTS = "requests";

/** The plan to edit; null for a new one. */
interface OpenPlan {
  plan: ManagedPlan | null;
}

export function PlansPage() {
  const { t } = useTranslation("admin-plans");
  const user = useUser();
  const { data: plans, error, refetch } = useQuery(managedPlansQuery());
  const requests = useQuery(planRequestsQuery());
  const sheet = useOpenSheets<OpenPlan>();
  const [deleting, setDeleting] = useState<ManagedPlan | null>(null);
  const open = requests.data?.filter(({ status }) => status === "open").length ?? 0;
  return (
    <div
      data-density="compact"
      className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <h2 className="headline text-xl">{t("title")}</h2>
        <p role="status" className="text-sm text-ink-soft">
          {plans && t("total", { count: plans.length })}
        </p>
        {open > 0 && (
          <a
            href={`#${REQUESTS}`}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-sm bg-accent-wash px-2 text-sm text-accent underline-offset-4 hover:underline"
          >
            <Inbox aria-hidden="true" className="size-4" />
            {t("open_requests", { count: open })}
          </a>
        )}
        <Button look="primary" className="sm:ml-auto" onClick={() => sheet.show({ plan: null })}>
          <Plus aria-hidden="true" />
          {t("create")}
        </Button>
      </div>
      {error && !plans ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : plans?.length === 0 ? (
        <EmptyState drawing={NoPlans} title={t("empty.title")} text={t("empty.text")} />
      ) : (
        <ul aria-label={t("title")} aria-busy={!plans} className={GRID}>
          {plans
            ? plans.map((plan) => (
                <PlanCard key={plan.id} plan={plan} onEdit={() => sheet.show({ plan })} onDelete={setDeleting} />
              ))
            : SKELETONS.map((key) => <SkeletonCard key={key} />)}
        </ul>
      )}
      <DemoPanel />
      <TermsPanel plans={plans} />
      <Requests id={REQUESTS} requests={requests} />
      {sheet.open && <EditSheet key={user?.id} plan={sheet.open.plan} onClose={sheet.close} />}
      {deleting && <DeleteDialog plan={deleting} onClose={() => setDeleting(null)} />}
    </div>
  );
}
