/** Messages from the contact form: read, answered by mail, marked as handled, deleted. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { contactQuery, saveMessages } from "@/api/admin-messages";
import { NoMessages } from "@/components/drawings";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber } from "@/lib/format";
import { useDeletedMessages } from "./deletion";
import { ExportButton } from "./export-button";
import { MessageItem } from "./message-item";
import { MoreButton } from "./more-button";

const SKELETONS = ["a", "b", "c", "d"];

export function ContactTab() {
  const { t } = useTranslation("admin-messages");
  const locale = useLocale();
  const query = useInfiniteQuery(contactQuery());
  const deleted = useDeletedMessages();
  const { data, error, refetch } = query;
  const [first] = data?.pages ?? [];
  const messages = data?.pages.flatMap((page) => page.items).filter(({ id }) => !deleted.has(id));
  if (error && !data) return <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />;
  return (
    <section aria-label={t("contact.title")} className="flex flex-col">
      {first && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p role="status" className="text-sm text-ink-soft">
            {t("contact.counts", { total: formatNumber(first.total, locale), open: formatNumber(first.open, locale) })}
          </p>
          {first.total > 0 && <ExportButton save={saveMessages} />}
        </div>
      )}
      {messages?.length === 0 ? (
        <EmptyState drawing={NoMessages} title={t("contact.empty")} text={t("contact.empty_text")} />
      ) : (
        <ul aria-busy={!messages} className="border-t border-rule-strong">
          {messages
            ? messages.map((message) => <MessageItem key={message.id} message={message} />)
            : SKELETONS.map((key) => (
                <li key={key} className="border-b border-rule py-4">
                  <Skeleton className="h-5 w-1/3" />
                  <Skeleton className="mt-2 h-12 w-4/5" />
                </li>
              ))}
        </ul>
      )}
      <MoreButton {...query} />
    </section>
  );
}
