/** The plan and this month's minutes, in one line. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type Minutes, type Subscription, subscriptionQuery } from "@/api/subscription";
import { MinutesBar } from "@/components/minutes-bar";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatDay, formatNumber, formatPrice } from "@/lib/format";
import { wholeMinutesLeft, wholeMinutesUsed } from "@/rules";

const LINK = "rounded text-accent underline-offset-4 hover:underline pointer-coarse:py-2";

export function UsageLine() {
  const { t } = useTranslation("dashboard");
  const { data, isError } = useQuery(subscriptionQuery());
  return (
    <aside
      aria-label={t("account")}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-y border-rule py-2.5 text-sm text-ink-soft"
    >
      {data ? (
        <>
          <Plan {...data} />
          <MinutesLeft minutes={data.minutes} />
        </>
      ) : isError ? (
        <p>{t("load_failed")}</p>
      ) : (
        <Skeleton className="h-5 w-72 max-w-full" />
      )}
      <nav aria-label={t("ways")} className="ml-auto flex flex-wrap gap-x-4 max-sm:ml-0">
        <Link to="/subscription#plans" className={LINK}>
          {t("plan.upgrade")}
        </Link>
        <Link to="/profile" className={LINK}>
          {t("settings")}
        </Link>
      </nav>
    </aside>
  );
}

function Plan({ plan, trial_ends_at }: Subscription) {
  const { t } = useTranslation("dashboard");
  const locale = useLocale();
  const price =
    plan && plan.price > 0 ? t("plan.price", { price: formatPrice(plan.price, plan.currency, locale) }) : t("plan.free");
  return (
    <section aria-labelledby="plan" className="min-w-0">
      <h2 id="plan" className="sr-only">
        {t("plan.title")}
      </h2>
      <p className="flex flex-wrap gap-x-2">
        <span className="font-strong wrap-anywhere text-ink">{plan?.name ?? "Demo"}</span>
        <span>
          {trial_ends_at ? `${t("plan.trial")} ${t("plan.trial_until", { when: formatDateTime(trial_ends_at, locale) })}` : price}
        </span>
      </p>
    </section>
  );
}

function MinutesLeft({ minutes: { limit, used, reserved, reset_at } }: { minutes: Minutes }) {
  const { t } = useTranslation("dashboard");
  const locale = useLocale();
  const number = (minutes: number) => formatNumber(wholeMinutesUsed(minutes), locale);
  const text =
    limit === null
      ? t("left.used_line", { used: number(used) })
      : t("left.line", { left: formatNumber(wholeMinutesLeft(limit, used), locale), limit: formatNumber(limit, locale, 2) });
  return (
    <section aria-labelledby="minutes-left" className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 max-sm:w-full">
      <h2 id="minutes-left" className="sr-only">
        {t(limit === null ? "left.used" : "left.title")}
      </h2>
      {limit !== null && (
        <div className="w-16 max-sm:w-full">
          <MinutesBar
            label={t("left.bar")}
            text={t("left.of", { used: number(used), limit: formatNumber(limit, locale, 2) })}
            used={used}
            reserved={reserved}
            limit={limit}
          />
        </div>
      )}
      <p className="flex flex-wrap gap-x-2.5">
        <span className="text-ink">{text}</span>
        {reserved > 0 && <span>{t("left.reserved", { reserved: number(reserved) })}</span>}
        {limit === null ? (
          <span>{t("left.no_limit")}</span>
        ) : (
          <span>{t("left.reset", { day: formatDay(reset_at, locale) })}</span>
        )}
      </p>
    </section>
  );
}
