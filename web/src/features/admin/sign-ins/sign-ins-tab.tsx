/** Successful and failed sign-ins, with their origin, browser and outcome. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { signInsQuery } from "@/api/admin-sign-ins";
import { Button } from "@/components/button";
import { EmptyLog, NothingFound } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { useMediaQuery } from "@/hooks/use-media-query";
import { toast } from "@/lib/toast";
import { Counts, SignInCards, SignInTable } from "./rows";
import { Toolbar } from "./toolbar";
import { useFilter } from "./use-filter";

export function SignInsTab() {
  const { t } = useTranslation("admin-sign-ins");
  const filtering = useFilter();
  const { filter, clear } = filtering;
  const errorText = useErrorText();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(signInsQuery(filter));
  const wide = useMediaQuery("(width >= 64rem)");
  const rows = data?.pages.flatMap((page) => page.items);
  const narrowed = Object.keys(filter).length > 0;
  const Rows = wide ? SignInTable : SignInCards;
  const more = async () => {
    const result = await fetchNextPage();
    if (result.isFetchNextPageError) toast.error(`${t("more_failed")}. ${errorText(result.error)}`);
  };
  return (
    <>
      <h2 className="sr-only">{t("title")}</h2>
      <p className="max-w-[64ch] text-sm text-ink-soft">{t("about")}</p>
      <Toolbar {...filtering} />
      <Counts counts={data?.pages[0]?.counts ?? []} />
      {error && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState
          drawing={narrowed ? NothingFound : EmptyLog}
          title={t(narrowed ? "nothing" : "empty")}
          text={t(narrowed ? "nothing_text" : "empty_text")}
          actions={narrowed && <Button onClick={clear}>{t("clear")}</Button>}
        />
      ) : (
        <Rows rows={rows} />
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void more()} className="self-center">
          {t("more")}
        </Button>
      )}
    </>
  );
}
