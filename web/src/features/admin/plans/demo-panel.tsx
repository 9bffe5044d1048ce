/** Limits and features for accounts without a plan. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { type DemoPlan, demoPlanQuery } from "@/api/managed-plans";
import { Button } from "@/components/button";
import { PlanFeatures } from "@/components/plan-features";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { useOpenSheets } from "@/hooks/use-open-sheets";
import { DemoSheet } from "./demo-sheet";
import { PlanFacts } from "./plan-facts";

export function DemoPanel() {
  const { t } = useTranslation("admin-plans");
  const user = useUser();
  const { data: demo, error, refetch } = useQuery(demoPlanQuery());
  const sheet = useOpenSheets<DemoPlan>();
  const title = useId();
  if (error && !demo) return <ErrorState title={t("demo.load_failed")} error={error} onRetry={() => void refetch()} />;
  return (
    <section
      aria-labelledby={title}
      aria-busy={!demo}
      className="grid gap-x-10 gap-y-3 rounded-lg border border-rule-strong p-4 md:grid-cols-2 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)_minmax(0,4fr)] lg:grid-rows-[auto_1fr]"
    >
      <div className="flex flex-col gap-1 md:col-span-2 lg:col-span-1">
        <h3 id={title} className="headline text-lg leading-snug">
          {t("demo.title")}
        </h3>
        <p className="max-w-[60ch] text-sm text-ink-soft">{t("demo.text")}</p>
      </div>
      {demo ? (
        <>
          <PlanFacts limits={demo} className="border-t border-rule pt-3 lg:row-span-2 lg:border-0 lg:pt-1" />
          <PlanFeatures has={demo.features} className="border-t border-rule pt-3 text-sm lg:row-span-2 lg:border-0 lg:pt-1" />
        </>
      ) : (
        <>
          <Skeleton className="h-12 w-full lg:row-span-2" />
          <Skeleton className="h-28 w-4/5 lg:row-span-2" />
        </>
      )}
      <div className="border-t border-rule pt-3 md:col-span-2 lg:col-span-1 lg:self-end lg:border-0 lg:pt-0">
        <Button size="small" aria-describedby={title} disabled={!demo} onClick={() => demo && sheet.show(demo)}>
          {t("edit")}
        </Button>
      </div>
      {sheet.open && <DemoSheet key={user?.id} demo={sheet.open} onClose={sheet.close} />}
    </section>
  );
}
