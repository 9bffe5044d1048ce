/**
 * The history of the transcript: runs, editing sessions and named versions; each can be viewed, compared and restored.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { History, Job } from "@/api";
import { Sheet } from "@/components/sheet";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { cx } from "@/lib/class-names";
import { titleOf } from "@/lib/job-title";
import { historyQuery } from "./api";
import { EntryList } from "./entry-list";
import { EntryView } from "./entry-view";
import { NameForm } from "./name-form";
import { chaptersOf, currentPoint } from "./points";

interface HistorySheetProps {
  job: Job;
  onClose: () => void;
  /** Saves pending edits. */
  flush: () => Promise<void>;
}

export function HistorySheet({ job, onClose, flush }: HistorySheetProps) {
  const { t } = useTranslation("history");
  const history = useQuery(historyQuery(job.my_job_id));
  return (
    <Sheet wide title={t("title")} subject={titleOf(job)} onClose={onClose} className="md:flex md:min-h-[60dvh] md:p-0">
      {history.data ? (
        <Opened job={job} history={history.data} onClose={onClose} flush={flush} />
      ) : history.error ? (
        <ErrorState title={t("loadFailed")} error={history.error} onRetry={() => void history.refetch()} className="m-auto" />
      ) : (
        <ListSkeleton />
      )}
    </Sheet>
  );
}

function Opened({ job, history, onClose, flush }: HistorySheetProps & { history: History }) {
  const { t } = useTranslation("history");
  const chapters = chaptersOf(history);
  const present = currentPoint(history);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const entries = chapters.flatMap((chapter) => chapter.entries);
  const chosen = entries.find(({ key }) => key === chosenKey);
  return (
    <>
      {/* On a phone the selected entry replaces the list. */}
      <div
        className={cx(
          "flex flex-col gap-5 md:w-[20rem] md:shrink-0 md:overflow-y-auto md:border-r md:border-rule md:p-5",
          chosen && "max-md:hidden",
        )}
      >
        <NameForm jobId={job.my_job_id} version={present.version} flush={flush} />
        <EntryList jobId={job.my_job_id} chapters={chapters} present={present} chosen={chosenKey} onChoose={setChosenKey} />
      </div>
      <div className={cx("min-w-0 md:flex-1 md:overflow-y-auto md:p-6", !chosen && "max-md:hidden")}>
        {chosen ? (
          <EntryView
            key={chosen.key}
            job={job}
            history={history}
            chapters={chapters}
            entry={chosen}
            onBack={() => setChosenKey(null)}
            onRestored={onClose}
            flush={flush}
          />
        ) : (
          <p className="m-auto max-w-[40ch] py-16 text-center text-ink-soft">{t("choose")}</p>
        )}
      </div>
    </>
  );
}

function ListSkeleton() {
  const { t } = useTranslation("history");
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-4 md:w-[20rem] md:p-5">
      {["w-3/4", "w-full", "w-5/6", "w-2/3"].map((width) => (
        <Skeleton key={width} className={`h-10 ${width}`} />
      ))}
    </div>
  );
}
