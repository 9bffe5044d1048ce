/** The API keys of all accounts: search by owner, revoke. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { allApiKeysQuery, type OwnedApiKey, useRevokeAnyApiKey } from "@/api/admin-api-keys";
import { Button } from "@/components/button";
import { EmptyLog, NothingFound } from "@/components/drawings";
import { SearchBox } from "@/components/search-box";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { RevokeKey } from "@/domain/api-keys/revoke-key";
import { useErrorText } from "@/hooks/use-error-text";
import { useMediaQuery } from "@/hooks/use-media-query";
import { toast } from "@/lib/toast";
import { KeyCards, KeyTable } from "./key-rows";

export function KeysTab() {
  const { t } = useTranslation("api-keys");
  const [search, find] = useSearch();
  const errorText = useErrorText();
  const list = useInfiniteQuery(allApiKeysQuery(search));
  const wide = useMediaQuery("(width >= 64rem)");
  const revocation = useRevocation();
  const rows = list.data?.pages.flatMap((page) => page.items);
  const Rows = wide ? KeyTable : KeyCards;
  const more = async () => {
    const result = await list.fetchNextPage();
    if (result.isFetchNextPageError) toast.error(`${t("admin.more_failed")}. ${errorText(result.error)}`);
  };
  return (
    <>
      <h2 ref={revocation.heading} tabIndex={-1} className="sr-only">
        {t("title")}
      </h2>
      <p className="max-w-[64ch] text-sm text-ink-soft">{t("admin.about")}</p>
      <search>
        <SearchBox
          label={t("admin.search")}
          clearLabel={t("admin.clear_search")}
          value={search}
          onChange={find}
          className="max-w-md"
        />
      </search>
      {list.error && !rows ? (
        <ErrorState title={t("load_failed")} error={list.error} onRetry={() => void list.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState
          drawing={search ? NothingFound : EmptyLog}
          title={t(search ? "admin.nothing" : "admin.empty")}
          text={t(search ? "admin.nothing_text" : "admin.empty_text")}
          actions={search && <Button onClick={() => find("")}>{t("admin.clear_search")}</Button>}
        />
      ) : (
        <Rows rows={rows} onRevoke={revocation.ask} />
      )}
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void more()} className="self-center">
          {t("admin.more")}
        </Button>
      )}
      {revocation.dialog}
    </>
  );
}

/** Part of an owner's address, stored in the URL beside the tab. */
function useSearch(): [search: string, find: (text: string) => void] {
  const [params, setParams] = useSearchParams();
  const find = (text: string) =>
    setParams(
      (before) => {
        if (text) before.set("q", text);
        else before.delete("q");
        return before;
      },
      { replace: true },
    );
  return [params.get("q")?.trim() ?? "", find];
}

/** The confirmation; once the key is gone, the heading gets the focus, which the row had. */
function useRevocation() {
  const revoke = useRevokeAnyApiKey();
  const heading = useRef<HTMLHeadingElement>(null);
  const [asked, ask] = useState<OwnedApiKey | null>(null);
  const [isGone, setGone] = useState(false);

  useEffect(() => {
    if (!isGone || asked !== null) return;
    setGone(false);
    heading.current?.focus();
  }, [isGone, asked]);

  const dialog = asked && (
    <RevokeKey
      apiKey={asked.key}
      owner={asked.email}
      revoke={revoke.mutateAsync}
      onRevoked={() => setGone(true)}
      onClose={() => ask(null)}
    />
  );
  return { heading, ask, dialog };
}
