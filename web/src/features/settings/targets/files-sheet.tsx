/** The files of a target. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Target, type TargetFileState, targetFilesQuery } from "@/api/targets";
import { Button } from "@/components/button";
import { Choice } from "@/components/choice";
import { NoRecordings } from "@/components/drawings";
import { Sheet } from "@/components/sheet";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { TARGET_FILE_STATES } from "@/rules/constants";
import { FileRow } from "./file-row";

export function FilesSheet({ target, onClose }: { target: Target; onClose: () => void }) {
  const { t } = useTranslation(["targets", "sources"]);
  const [state, setState] = useState<TargetFileState>();
  const query = useInfiniteQuery(targetFilesQuery(target.id, state));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <Sheet
      wide
      title={t("files.title")}
      subject={target.name}
      onClose={onClose}
      className="md:min-h-[min(30rem,calc(100dvh-14rem))]"
    >
      <Choice
        label={t("sources:recordings.state")}
        all={t("sources:recordings.all")}
        value={state}
        options={TARGET_FILE_STATES.map((value) => ({ value, text: t(`files.states.${value}`) }))}
        onChange={(value) => setState(TARGET_FILE_STATES.find((one) => one === value))}
        className="sm:w-64"
      />
      {error && !data ? (
        <ErrorState title={t("files.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : items?.length === 0 ? (
        <EmptyState drawing={NoRecordings} title={t("sources:recordings.empty")} text={t("files.empty_text")} />
      ) : (
        <>
          <ul tabIndex={-1} aria-label={t("files.title")} aria-busy={!items} className="mt-3 border-t-2 border-ink">
            {items
              ? items.map((item) => <FileRow key={item.job_id} targetId={target.id} file={item} filtered={state !== undefined} />)
              : ["a", "b", "c"].map((key) => (
                  <li key={key} className="border-b border-rule py-3.5">
                    <Skeleton className="h-5 w-2/5" />
                    <Skeleton className="mt-2 h-4 w-3/5" />
                  </li>
                ))}
          </ul>
          {hasNextPage && (
            <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t("sources:recordings.more")}
            </Button>
          )}
        </>
      )}
    </Sheet>
  );
}
