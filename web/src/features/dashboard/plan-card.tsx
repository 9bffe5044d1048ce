/** The plan, and the way to another one. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { minutesQuery } from "@/api/minutes";
import { Button } from "@/components/button";
import { Skeleton } from "@/components/skeleton";

export function PlanCard() {
  const { t } = useTranslation("dashboard");
  const { data: minutes, isError } = useQuery(minutesQuery());
  return (
    <section aria-labelledby="plan" className="border-t-2 border-ink pt-3 lg:border-t lg:border-rule">
      <h2 id="plan" className="kicker">
        {t("plan.title")}
      </h2>
      {minutes || isError ? (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-3">
          <span className="headline text-2xl">{minutes?.plan ?? "Demo"}</span>
          {!minutes?.plan && <span className="text-ink-soft">{t("plan.free")}</span>}
        </p>
      ) : (
        <Skeleton className="mt-2 h-7 w-28" />
      )}
      {/* There is nothing to compare yet: the button says so and stays reachable. */}
      <Button aria-disabled="true" aria-describedby="plan-later" className="mt-3 w-full">
        {t("plan.upgrade")}
      </Button>
      <p id="plan-later" className="mt-1.5 text-sm text-ink-faint">
        {t("plan.later")}
      </p>
    </section>
  );
}
