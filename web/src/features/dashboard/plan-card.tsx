/** The plan that the user has, what it costs, and the way to another one. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { subscriptionQuery } from "@/api/subscription";
import { LinkButton } from "@/components/button";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatPrice } from "@/lib/format";

export function PlanCard() {
  const { t } = useTranslation("dashboard");
  const locale = useLocale();
  const { data, isError } = useQuery(subscriptionQuery());
  const plan = data?.plan;
  const price =
    plan && plan.price > 0 ? t("plan.price", { price: formatPrice(plan.price, plan.currency, locale) }) : t("plan.free");
  return (
    <section aria-labelledby="plan" className="border-t-2 border-ink pt-3 lg:border-t lg:border-rule">
      <h2 id="plan" className="kicker">
        {t("plan.title")}
      </h2>
      {data ? (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-3">
          <span className="headline text-2xl wrap-anywhere">{plan?.name ?? "Demo"}</span>
          <span className="text-ink-soft">{data.trial_ends_at ? t("plan.trial") : price}</span>
          {data.trial_ends_at && (
            <span className="w-full text-[0.9375rem] text-ink-soft">
              {t("plan.trial_until", { when: formatDateTime(data.trial_ends_at, locale) })}
            </span>
          )}
        </p>
      ) : isError ? (
        <p className="mt-2 text-ink-soft">{t("load_failed")}</p>
      ) : (
        <Skeleton className="mt-2 h-7 w-28" />
      )}
      <LinkButton to="/subscription#plans" className="mt-3 w-full">
        {t("plan.upgrade")}
      </LinkButton>
    </section>
  );
}
