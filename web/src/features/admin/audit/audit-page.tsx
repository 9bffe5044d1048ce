/** /admin/audit: who changed what and when, with the values before and after. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { auditQuery } from "@/api/admin-audit";
import { Button } from "@/components/button";
import { EmptyLog, NothingFound } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { useMediaQuery } from "@/hooks/use-media-query";
import { toast } from "@/lib/toast";
import { EntryCards, EntryTable } from "./entries";
import { Toolbar } from "./toolbar";
import { useFilter } from "./use-filter";

export function AuditPage() {
  const { t } = useTranslation("admin-audit");
  const { filter, change, clear } = useFilter();
  const errorText = useErrorText();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(auditQuery(filter));
  const wide = useMediaQuery("(width >= 64rem)");
  const entries = data?.pages.flatMap((page) => page.items);
  const narrowed = Object.keys(filter).length > 0;
  const Entries = wide ? EntryTable : EntryCards;
  const more = async () => {
    const result = await fetchNextPage();
    if (result.isFetchNextPageError) toast.error(`${t("more_failed")}. ${errorText(result.error)}`);
  };
  return (
    <div
      data-density="compact"
      className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-4 px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <h2 className="sr-only">{t("title")}</h2>
      <Toolbar filter={filter} onChange={change} onClear={clear} />
      {error && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : entries?.length === 0 ? (
        <EmptyState
          drawing={narrowed ? NothingFound : EmptyLog}
          title={t(narrowed ? "nothing" : "empty")}
          text={t(narrowed ? "nothing_text" : "empty_text")}
          actions={narrowed && <Button onClick={clear}>{t("clear")}</Button>}
        />
      ) : (
        <Entries entries={entries} />
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void more()} className="self-center">
          {t("more")}
        </Button>
      )}
    </div>
  );
}
