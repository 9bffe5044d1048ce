/** An earlier state: its text, or the differences to another state, and a button to restore it. */
import { ArrowLeft, History as HistorySign } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { History, Job } from "@/api";
import { Button } from "@/components/button";
import { CONTROL } from "@/components/field";
import { DiffView } from "./diff-view";
import { useEntryWords } from "./entry-words";
import { PastText } from "./past-text";
import { type Chapter, currentPoint, type Entry, type Point, previousPoint, samePoint } from "./points";
import { useRestore } from "./use-restore";

interface EntryViewProps {
  job: Job;
  history: History;
  chapters: readonly Chapter[];
  entry: Entry;
  onBack: () => void;
  onRestored: () => void;
  flush: () => Promise<void>;
}

/** What is shown: the whole text, or the differences to another state. */
type Comparison = { against: Point; isLater: boolean } | null;

export function EntryView({ job, history, chapters, entry, onBack, onRestored, flush }: EntryViewProps) {
  const { t } = useTranslation("history");
  const words = useEntryWords();
  const { title, note } = words(entry);
  const { point } = entry;
  const present = currentPoint(history);
  const before = previousPoint(chapters, entry);
  const [choice, setChoice] = useState(before ? "before" : "text");
  const comparison = comparisonOf(choice, { entry, chapters, before, present });
  const { goBack, busy } = useRestore(job.my_job_id, flush);
  const isPresent = samePoint(point, present);
  const last = { version: point.version, at: chapters.find(({ run }) => run.version === point.version)?.run.seq ?? 0 };

  const giveBack = async () => {
    if (await goBack(point, last, present)) onRestored();
  };

  return (
    <article aria-label={title} className="flex flex-col gap-4">
      <Button look="quiet" size="small" className="-ml-3 self-start md:hidden" onClick={onBack}>
        <ArrowLeft aria-hidden="true" />
        {t("backToList")}
      </Button>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h3 className="headline text-xl wrap-anywhere">{title}</h3>
          <p className="text-sm text-ink-faint">{note}</p>
        </div>
        {isPresent ? (
          <p className="py-2 text-sm text-good">{t("isPresent")}</p>
        ) : (
          <Button look="primary" busy={busy} onClick={() => void giveBack()}>
            <HistorySign aria-hidden="true" />
            {t("restore")}
          </Button>
        )}
      </div>
      <ComparisonSelect
        chapters={chapters}
        entry={entry}
        hasBefore={before !== null}
        isPresent={isPresent}
        value={choice}
        onChange={setChoice}
      />
      {comparison ? (
        <DiffView
          jobId={job.my_job_id}
          from={comparison.isLater ? point : comparison.against}
          to={comparison.isLater ? comparison.against : point}
        />
      ) : (
        <PastText jobId={job.my_job_id} point={point} />
      )}
    </article>
  );
}

interface ComparisonSelectProps {
  chapters: readonly Chapter[];
  entry: Entry;
  hasBefore: boolean;
  isPresent: boolean;
  value: string;
  onChange: (value: string) => void;
}

function ComparisonSelect({ chapters, entry, hasBefore, isPresent, value, onChange }: ComparisonSelectProps) {
  const { t } = useTranslation("history");
  const words = useEntryWords();
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <label htmlFor={id} className="text-[0.9375rem]">
        {t("seen.label")}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className={`${CONTROL} w-auto! max-w-full`}
      >
        <option value="text">{t("seen.text")}</option>
        {hasBefore && <option value="before">{t("seen.before")}</option>}
        {!isPresent && <option value="present">{t("seen.present")}</option>}
        {chapters.map(({ run, entries }) => (
          <optgroup key={run.version} label={t("seen.against", { number: run.version })}>
            {entries
              .filter(({ key }) => key !== entry.key)
              .map((other) => {
                const { title, note } = words(other);
                return (
                  <option key={other.key} value={other.key}>
                    {title} · {note}
                  </option>
                );
              })}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

interface ComparisonContext {
  entry: Entry;
  chapters: readonly Chapter[];
  before: Point | null;
  present: Point;
}

function comparisonOf(choice: string, { entry, chapters, before, present }: ComparisonContext): Comparison {
  if (choice === "text") return null;
  if (choice === "before") return before && { against: before, isLater: false };
  if (choice === "present") return { against: present, isLater: true };
  const other = chapters.flatMap(({ entries }) => entries).find(({ key }) => key === choice);
  return other ? { against: other.point, isLater: isLater(other.point, entry.point) } : null;
}

const isLater = (one: Point, other: Point): boolean =>
  one.version - other.version > 0 || (one.version === other.version && one.at > other.at);
