/** The differences between two states, marked by signs and lines as well as colour. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DiffRow } from "@/api";
import { ErrorState } from "@/components/state-panel";
import { cx } from "@/lib/class-names";
import { formatClock } from "@/lib/format";
import { diffQuery } from "./api";
import { RowsSkeleton } from "./past-text";
import type { Point } from "./points";
import "./history.css";

interface DiffViewProps {
  jobId: string;
  from: Point;
  to: Point;
}

export function DiffView({ jobId, from, to }: DiffViewProps) {
  const { t } = useTranslation("history");
  const diff = useQuery(diffQuery(jobId, from, to));
  if (diff.error) {
    return <ErrorState title={t("diff.failed")} error={diff.error} onRetry={() => void diff.refetch()} />;
  }
  if (!diff.data) {
    return <RowsSkeleton />;
  }
  const { rows, added_words, removed_words } = diff.data;
  if (rows.every(({ kind }) => kind === "equal")) {
    return <p className="py-8 text-ink-soft">{t("diff.same")}</p>;
  }
  return (
    <div data-testid="diff">
      <p className="mb-3 flex flex-wrap gap-x-4 text-sm">
        <span className="text-good">+ {t("diff.added", { count: added_words })}</span>
        <span className="text-bad">− {t("diff.removed", { count: removed_words })}</span>
      </p>
      <ol>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a difference never change
          <Row key={at} row={row} />
        ))}
      </ol>
    </div>
  );
}

const SIGNS: Record<DiffRow["kind"], string> = { equal: "", changed: "±", added: "+", removed: "−" };
const COLOURS: Record<DiffRow["kind"], string> = {
  equal: "border-transparent text-ink-faint",
  changed: "border-note",
  added: "border-good",
  removed: "border-bad",
};

function Row({ row }: { row: DiffRow }) {
  const { t } = useTranslation("history");
  const { kind, skipped, start, pieces } = row;
  return (
    <>
      {skipped > 0 && (
        <li className="my-2 flex items-center gap-3 text-xs text-ink-faint before:h-px before:w-6 before:bg-rule after:h-px after:flex-1 after:bg-rule">
          {t("diff.skipped", { count: skipped })}
        </li>
      )}
      <li className={cx("history-row grid grid-cols-[1.25rem_3.25rem_minmax(0,1fr)] border-l-2 py-1 pl-2", COLOURS[kind])}>
        <span className="figures text-sm font-strong">
          <span aria-hidden="true">{SIGNS[kind]}</span>
          {kind !== "equal" && <span className="sr-only">{t(`diff.kind.${kind}`)}</span>}
        </span>
        <span className="figures pt-1 text-xs text-ink-faint">{formatClock(start)}</span>
        <div className="min-w-0">
          <SpeakerChange row={row} />
          <TimeChange row={row} />
          <p className="reading">
            {pieces.map((piece, at) => {
              if (piece.kind === "added") {
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a row never change
                return <ins key={at}>{piece.text}</ins>;
              }
              if (piece.kind === "removed") {
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a row never change
                return <del key={at}>{piece.text}</del>;
              }
              return piece.text;
            })}
          </p>
        </div>
      </li>
    </>
  );
}

function SpeakerChange({ row: { kind, speaker_before, speaker_after } }: { row: DiffRow }) {
  const { t } = useTranslation("history");
  if (kind !== "changed" || speaker_before === speaker_after) {
    return null;
  }
  return (
    <p className="text-sm">
      <del>{speaker_before ?? t("diff.nobody")}</del> → <ins>{speaker_after ?? t("diff.nobody")}</ins>
    </p>
  );
}

/** A line that was moved, or whose subtitles were edited manually. */
function TimeChange({ row: { moved, subtitles_changed } }: { row: DiffRow }) {
  const { t } = useTranslation("history");
  return (
    <>
      {moved && (
        <p className="figures text-sm">
          <del>{span(moved.start_before, moved.end_before)}</del> → <ins>{span(moved.start_after, moved.end_after)}</ins>
        </p>
      )}
      {subtitles_changed && <p className="text-sm text-ink-soft">{t("diff.subtitles")}</p>}
    </>
  );
}

/** `1:02.500–1:04.000`: lines may be moved by less than a second. */
const span = (start: number, end: number): string => `${precise(start)}–${precise(end)}`;

function precise(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  return `${formatClock(Math.floor(milliseconds / 1000))}.${String(milliseconds % 1000).padStart(3, "0")}`;
}
