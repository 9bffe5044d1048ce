/** How many minutes are left this month. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Minutes, subscriptionQuery } from "@/api/subscription";
import { MinutesBar } from "@/components/minutes-bar";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { formatDay, formatNumber } from "@/lib/format";
import { wholeMinutesLeft, wholeMinutesUsed } from "@/rules";

export function MinutesCard() {
  const { t } = useTranslation("dashboard");
  const { data, isError } = useQuery(subscriptionQuery());
  const minutes = data?.minutes;
  return (
    <section aria-labelledby="minutes-left" className="border-t-2 border-ink pt-3">
      <h2 id="minutes-left" className="kicker">
        {minutes && minutes.left === null ? t("left.used") : t("left.title")}
      </h2>
      {minutes ? (
        <Left minutes={minutes} />
      ) : isError ? (
        <p className="mt-2 text-ink-soft">{t("load_failed")}</p>
      ) : (
        <>
          <Skeleton className="mt-2 h-10 w-32" />
          <Skeleton className="mt-4 h-1.5 w-full" />
          <Skeleton className="mt-2 h-4 w-40" />
        </>
      )}
    </section>
  );
}

function Left({ minutes: { limit, used, reserved, reset_at } }: { minutes: Minutes }) {
  const { t } = useTranslation("dashboard");
  const locale = useLocale();
  // Without a plan nothing limits them, so what counts is what was used.
  const shown = limit === null ? wholeMinutesUsed(used) : wholeMinutesLeft(limit, used);
  const figures = limit !== null && {
    used: formatNumber(wholeMinutesUsed(used), locale),
    limit: formatNumber(limit, locale, 2),
  };
  const text = figures ? t("left.of", figures) : t("left.no_limit");
  return (
    <>
      <p className="mt-1 leading-none">
        <span className="headline text-[2.5rem]">{formatNumber(shown, locale)}</span>{" "}
        <span className="text-ink-soft">{t("left.unit", { count: shown })}</span>
      </p>
      <div className="mt-3">
        <MinutesBar label={t("left.bar")} text={text} used={used} reserved={reserved} limit={limit} />
      </div>
      <p className="mt-2 text-sm text-ink-soft">{text}</p>
      <p className="text-sm text-ink-faint">{t("left.reset", { day: formatDay(reset_at, locale) })}</p>
    </>
  );
}
