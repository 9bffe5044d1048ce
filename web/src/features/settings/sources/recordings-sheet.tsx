/** What was found at a source. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Source, type SourceRecordingState, sourceRecordingsQuery } from "@/api/sources";
import { Button } from "@/components/button";
import { Choice } from "@/components/choice";
import { NoRecordings } from "@/components/drawings";
import { Sheet } from "@/components/sheet";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { SOURCE_RECORDING_STATES } from "@/rules/constants";
import { RecordingRow } from "./recording-row";

export function RecordingsSheet({ source, onClose }: { source: Source; onClose: () => void }) {
  const { t } = useTranslation("sources");
  const [state, setState] = useState<SourceRecordingState>();
  const query = useInfiniteQuery(sourceRecordingsQuery(source.id, state));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <Sheet
      wide
      title={t("recordings.title")}
      subject={source.name}
      onClose={onClose}
      className="md:min-h-[min(30rem,calc(100dvh-14rem))]"
    >
      <Choice
        label={t("recordings.state")}
        all={t("recordings.all")}
        value={state}
        options={SOURCE_RECORDING_STATES.map((value) => ({ value, text: t(`recordings.states.${value}`) }))}
        onChange={(value) => setState(SOURCE_RECORDING_STATES.find((one) => one === value))}
        className="sm:w-64"
      />
      {error && !data ? (
        <ErrorState title={t("recordings.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : items?.length === 0 ? (
        <EmptyState drawing={NoRecordings} title={t("recordings.empty")} text={t("recordings.empty_text")} />
      ) : (
        <>
          <ul tabIndex={-1} aria-label={t("recordings.title")} aria-busy={!items} className="mt-3 border-t-2 border-ink">
            {items
              ? items.map((item) => (
                  <RecordingRow key={item.id} sourceId={source.id} recording={item} filtered={state !== undefined} />
                ))
              : ["a", "b", "c", "d"].map((key) => (
                  <li key={key} className="border-b border-rule py-3.5">
                    <Skeleton className="h-5 w-2/5" />
                    <Skeleton className="mt-2 h-4 w-3/5" />
                  </li>
                ))}
          </ul>
          {hasNextPage && (
            <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t("recordings.more")}
            </Button>
          )}
        </>
      )}
    </Sheet>
  );
}
