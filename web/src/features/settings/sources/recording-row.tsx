/** A recording at a source: what has become of it, and why. */
import { Check, CircleAlert, CircleDashed, Clock } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type SourceRecording, useStartSourceRecording } from "@/api/sources";
import { Button } from "@/components/button";
import { MARK_LOOKS, Mark } from "@/domain/webhooks/marks";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useProblemText } from "./use-problem-text";

const MARKS = {
  skipped: { icon: CircleDashed, look: MARK_LOOKS.off },
  waiting: { icon: Clock, look: MARK_LOOKS.note },
  started: { icon: Check, look: MARK_LOOKS.good },
  failed: { icon: CircleAlert, look: MARK_LOOKS.bad },
} as const;

interface RecordingRowProps {
  sourceId: string;
  recording: SourceRecording;
  /** Whether it leaves the list when its state changes. */
  filtered: boolean;
}

export function RecordingRow({ sourceId, recording, filtered }: RecordingRowProps) {
  const { t } = useTranslation("sources");
  const locale = useLocale();
  const problemText = useProblemText();
  const errorText = useErrorText();
  const start = useStartSourceRecording(sourceId);
  const { id, name, size, state, job_id, problem, found_at } = recording;
  const row = useRef<HTMLLIElement>(null);
  const run = () =>
    start.mutate(id, {
      // The button goes away with its focus.
      onSuccess: () => (filtered ? row.current?.closest("ul") : row.current)?.focus(),
      onError: (error) => toast.error(`${t("recordings.start_failed")}. ${errorText(error)}`),
    });
  return (
    <li ref={row} tabIndex={-1} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-rule py-3">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="wrap-anywhere">
          {job_id ? (
            <Link to={`/transcription/${job_id}`} className="text-accent underline underline-offset-4 hover:text-accent-strong">
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-faint">
          <Mark {...MARKS[state]}>{t(`recordings.states.${state}`)}</Mark>
          {size !== null && <span>{formatBytes(size, locale)}</span>}
          <span>{formatDateTime(found_at, locale)}</span>
        </p>
        {state === "started" && !job_id && <p className="text-sm text-ink-soft">{t("recordings.deleted")}</p>}
        {problem && (
          <p className={`max-w-[60ch] text-sm ${state === "failed" ? "text-bad" : "text-warn"}`}>{problemText(problem)}</p>
        )}
      </div>
      {(state === "skipped" || state === "failed") && (
        <Button
          size="small"
          busy={start.isPending}
          aria-label={t("named", { action: t(`recordings.start.${state}`), name })}
          onClick={run}
        >
          {t(`recordings.start.${state}`)}
        </Button>
      )}
    </li>
  );
}
