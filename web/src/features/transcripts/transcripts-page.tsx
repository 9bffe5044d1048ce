/** The library: all of the user's jobs, sortable, with a search by name and by text. */

import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, LinkButton } from "@/components/button";
import { NoRecordings, NothingFound } from "@/components/drawings";
import { SampleOffer } from "@/components/sample-offer";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useMediaQuery } from "@/hooks/use-media-query";
import { cx } from "@/lib/class-names";
import { BulkBar } from "./bulk-bar";
import { HeldBanner } from "./held-banner";
import { JobCards } from "./job-cards";
import { JobTable } from "./job-table";
import { onListKeys, ROW_LINK } from "./list-keys";
import { PassageResults } from "./passage-results";
import { SortMenu } from "./sort-menu";
import { Toolbar } from "./toolbar";
import { Unstarted } from "./unstarted";
import { useFilter } from "./use-filter";
import { useList, useNearEnd } from "./use-list";

export function TranscriptsPage() {
  const { t } = useTranslation("transcripts");
  const { filter, sort, setFilter, setSort, reset } = useFilter();
  const { list, jobs, deleted, selection, chosen, toggle, toggleAll, clear } = useList(filter, sort);
  const [focused, setFocused] = useState<string | null>(null);
  const wide = useMediaQuery("(width >= 60rem)");
  const filtered = Object.keys(filter).length > 0;
  // Uploads without a job are not in the list of jobs.
  const unstarted = filter.status === "uploaded";
  const nothing = jobs?.length === 0 && !list.hasNextPage;
  const end = useNearEnd(list.hasNextPage && !list.isFetchingNextPage && !list.isError, () => void list.fetchNextPage());
  useSearchKey();
  const List = wide ? JobTable : JobCards;

  return (
    <div className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-5 px-4 py-5 md:px-8 md:py-7">
      <h2 className="sr-only">{t("table")}</h2>
      <HeldBanner />
      <SampleOffer jobs={jobs} />
      {(!nothing || filtered) && <Toolbar filter={filter} onChange={setFilter} />}
      {unstarted && <Unstarted filter={filter} onReset={reset} />}
      {filter.q !== undefined && !unstarted && <PassageResults q={filter.q} hidden={deleted} />}
      {filter.q !== undefined && !unstarted && <h3 className="headline mt-3 text-lg">{t("named")}</h3>}
      {list.isError && !list.data ? (
        <ErrorState title={t("load_failed")} error={list.error} onRetry={() => void list.refetch()} />
      ) : nothing && unstarted ? null : nothing ? (
        <Nothing filtered={filtered} searched={filter.q !== undefined} onReset={reset} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the links in it, on their way up
        <div
          className={cx("@container", filter.q !== undefined && "-mt-3", list.isPlaceholderData && "opacity-60")}
          onKeyDown={(event) => onListKeys(event, { onToggle: toggle, onClear: clear })}
          onFocus={(event) => setFocused(event.target.getAttribute(ROW_LINK))}
          onBlur={() => setFocused(null)}
        >
          <SortMenu sort={sort} onSort={setSort} />
          <List
            jobs={jobs}
            sort={sort}
            onSort={setSort}
            selection={selection}
            onToggle={toggle}
            onToggleAll={toggleAll}
            kept={focused === null ? undefined : jobs?.findIndex((job) => job.my_job_id === focused)}
          />
          <div ref={end} />
          {list.isFetchNextPageError && (
            <p role="alert" className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 py-4 text-bad">
              {t("load_failed")}
              <Button size="small" onClick={() => void list.fetchNextPage()}>
                {t("load_more")}
              </Button>
            </p>
          )}
        </div>
      )}
      {chosen.length > 0 && <BulkBar jobs={chosen} onClear={clear} />}
    </div>
  );
}

/** `/` focuses the search, as on many sites; not while typing. */
function useSearchKey() {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof Element && target.closest("input, textarea, select, [contenteditable=true], [role=dialog]")) return;
    const box = document.querySelector<HTMLInputElement>("main search input[type=search]");
    if (!box) return;
    event.preventDefault();
    box.select();
    box.focus();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

interface NothingProps {
  filtered: boolean;
  /** Matches in the text are shown above: this concerns names only. */
  searched: boolean;
  onReset: () => void;
}

function Nothing({ filtered, searched, onReset }: NothingProps) {
  const { t } = useTranslation(["transcripts", "common"]);
  if (searched) {
    return (
      <p className="-mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 border-t-2 border-ink py-3 text-ink-soft">
        {t("nothing.named")}
        <Button size="small" onClick={onReset}>
          {t("nothing.reset")}
        </Button>
      </p>
    );
  }
  if (filtered) {
    return (
      <EmptyState
        drawing={NothingFound}
        title={t("nothing.title")}
        text={t("nothing.text")}
        actions={<Button onClick={onReset}>{t("nothing.reset")}</Button>}
      />
    );
  }
  return (
    <EmptyState
      drawing={NoRecordings}
      className="flex-1 justify-center"
      title={t("empty.title")}
      text={t("empty.text")}
      actions={
        <LinkButton to="/upload" look="primary">
          {t("common:new_transcription")}
        </LinkButton>
      }
    />
  );
}
