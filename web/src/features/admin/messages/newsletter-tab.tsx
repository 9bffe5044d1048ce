/** Newsletter subscribers: confirmed, unconfirmed and former ones. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Check, CircleDashed, LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type NewsletterSubscriber, newsletterQuery, saveSubscribers } from "@/api/admin-messages";
import { NoMessages } from "@/components/drawings";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatFullDateTime, formatNumber } from "@/lib/format";
import { LOCALE_NAMES } from "@/lib/i18n";
import { ExportButton } from "./export-button";
import { MoreButton } from "./more-button";

const COLUMNS = ["email", "state", "language", "asked"] as const;
const SKELETONS = ["a", "b", "c", "d"];
const CELL = "px-3 py-(--row) first:pl-0 last:pr-0";
const SIGNS = {
  confirmed: { icon: Check, look: "bg-good-wash text-good" },
  pending: { icon: CircleDashed, look: "bg-warn-wash text-warn" },
  left: { icon: LogOut, look: "bg-paper-sunk text-ink-soft" },
} as const;

export function NewsletterTab() {
  const { t } = useTranslation("admin-messages");
  const locale = useLocale();
  const query = useInfiniteQuery(newsletterQuery());
  const { data, error, refetch } = query;
  const [first] = data?.pages ?? [];
  const subscribers = data?.pages.flatMap((page) => page.items);
  if (error && !data) return <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />;
  return (
    <section aria-label={t("newsletter.title")} className="flex flex-col">
      {first && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p role="status" className="text-sm text-ink-soft">
            {t("newsletter.counts", {
              total: formatNumber(first.total, locale),
              subscribed: formatNumber(first.subscribed, locale),
            })}
          </p>
          {first.total > 0 && <ExportButton save={saveSubscribers} />}
        </div>
      )}
      {subscribers?.length === 0 ? (
        <EmptyState drawing={NoMessages} title={t("newsletter.empty")} text={t("newsletter.empty_text")} />
      ) : (
        <table aria-label={t("newsletter.title")} aria-busy={!subscribers} className="w-full border-collapse text-left text-sm">
          <thead>
            <tr className="border-b-2 border-ink">
              {COLUMNS.map((column) => (
                <th key={column} scope="col" className={`kicker ${CELL} ${column === "language" ? "max-sm:hidden" : ""}`}>
                  {t(`newsletter.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {subscribers
              ? subscribers.map((subscriber) => <Row key={subscriber.id} subscriber={subscriber} />)
              : SKELETONS.map((key) => (
                  <tr key={key} className="border-b border-rule">
                    <td colSpan={COLUMNS.length} className={CELL}>
                      <Skeleton className="h-5 w-4/5" />
                    </td>
                  </tr>
                ))}
          </tbody>
        </table>
      )}
      <MoreButton {...query} />
    </section>
  );
}

function Row({ subscriber }: { subscriber: NewsletterSubscriber }) {
  const { t } = useTranslation("admin-messages");
  const locale = useLocale();
  const state = subscriber.left_at ? "left" : subscriber.confirmed_at ? "confirmed" : "pending";
  const { icon: Icon, look } = SIGNS[state];
  return (
    <tr className="border-b border-rule hover:bg-paper-sunk/60">
      <td className={`${CELL} wrap-anywhere`}>{subscriber.email}</td>
      <td className={CELL}>
        <span className={`inline-flex items-center gap-1.5 rounded-sm px-1.5 py-0.5 ${look}`}>
          <Icon aria-hidden="true" className="size-3.5 shrink-0" />
          {t(`newsletter.${state}`)}
        </span>
      </td>
      <td className={`${CELL} text-ink-soft max-sm:hidden`}>{LOCALE_NAMES[subscriber.locale]}</td>
      <td className={`${CELL} text-ink-soft`}>
        <time dateTime={subscriber.created_at} title={formatFullDateTime(subscriber.created_at, locale)}>
          {formatDateTime(subscriber.created_at, locale)}
        </time>
      </td>
    </tr>
  );
}
