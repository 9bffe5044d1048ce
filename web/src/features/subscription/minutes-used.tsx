/** The month's minutes: left, used and reserved. */
import { useTranslation } from "react-i18next";
import type { Minutes } from "@/api/subscription";
import { MinutesBar } from "@/components/minutes-bar";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { formatChange, formatDay, formatNumber } from "@/lib/format";
import { wholeMinutesLeft, wholeMinutesUsed } from "@/rules";
import { Section } from "./section";

export function MinutesUsed({ minutes }: { minutes: Minutes | undefined }) {
  const { t } = useTranslation("subscription");
  return (
    <Section title={t("usage.title")}>
      {minutes ? (
        <Figures minutes={minutes} />
      ) : (
        <>
          <Skeleton className="h-12 w-36" />
          <Skeleton className="h-1.5 w-full" />
          <Skeleton className="h-20 w-full" />
        </>
      )}
    </Section>
  );
}

function Figures({ minutes: { left, limit, plan_limit, used, reserved, bonus, reset_at } }: { minutes: Minutes }) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  const displayed = limit === null ? wholeMinutesUsed(used) : wholeMinutesLeft(limit, used);
  const figure = (value: number) => t("minutes", { minutes: formatNumber(value, locale, 2) });
  const text =
    limit === null
      ? t("usage.no_limit")
      : t(reserved > 0 ? "usage.of_reserved" : "usage.of", {
          used: formatNumber(wholeMinutesUsed(used), locale),
          limit: formatNumber(limit, locale, 2),
        });
  const facts: [string, string][] = [
    [t("usage.used"), figure(used - reserved)],
    [t("usage.reserved"), figure(reserved)],
    [t("usage.left"), left === null ? t("usage.no_limit") : figure(Math.max(0, left))],
    [t("usage.limit"), plan_limit === null ? t("usage.no_limit") : figure(plan_limit)],
  ];
  if (limit !== null && bonus !== 0) facts.push([t("usage.bonus"), t("minutes", { minutes: formatChange(bonus, locale) })]);
  return (
    <>
      <div>
        <p className="leading-none">
          <span className="headline text-5xl">{formatNumber(displayed, locale)}</span>{" "}
          <span className="text-ink-soft">{t(left === null ? "usage.used_unit" : "usage.left_unit", { count: displayed })}</span>
        </p>
        <div className="mt-4">
          <MinutesBar label={t("usage.bar")} text={text} used={used} reserved={reserved} limit={limit} />
        </div>
        <p className="mt-2 text-sm text-ink-soft">{text}</p>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t border-rule pt-3 sm:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-faint">{name}</dt>
            <dd className="mt-0.5">{value}</dd>
          </div>
        ))}
        <div>
          <dt className="text-sm text-ink-faint">{t("usage.reset")}</dt>
          <dd className="mt-0.5">
            <time dateTime={reset_at}>{formatDay(reset_at, locale)}</time>
          </dd>
        </div>
      </dl>
    </>
  );
}
