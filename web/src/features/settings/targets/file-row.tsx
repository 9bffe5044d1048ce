/** The file of a text at a target: what has become of it, and why. */
import { Check, CircleAlert, CircleDashed, Clock } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type TargetFile, useWriteTargetFile } from "@/api/targets";
import { Button } from "@/components/button";
import { MARK_LOOKS, Mark } from "@/domain/webhooks/marks";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useProblemText } from "../sources/use-problem-text";

const MARKS = {
  waiting: { icon: Clock, look: MARK_LOOKS.note },
  written: { icon: Check, look: MARK_LOOKS.good },
  foreign: { icon: CircleDashed, look: MARK_LOOKS.off },
  failed: { icon: CircleAlert, look: MARK_LOOKS.bad },
} as const;

interface FileRowProps {
  targetId: string;
  file: TargetFile;
  /** Whether it leaves the list when its state changes. */
  filtered: boolean;
}

export function FileRow({ targetId, file: { job_id, title, state, path, problem, written_at }, filtered }: FileRowProps) {
  const { t } = useTranslation(["targets", "sources"]);
  const locale = useLocale();
  const problemText = useProblemText();
  const errorText = useErrorText();
  const write = useWriteTargetFile(targetId);
  const row = useRef<HTMLLIElement>(null);
  const run = () =>
    write.mutate(job_id, {
      // The button goes away with its focus.
      onSuccess: () => (filtered ? row.current?.closest("ul") : row.current)?.focus(),
      onError: (error) => toast.error(`${t("files.write_failed")}. ${errorText(error)}`),
    });
  return (
    <li ref={row} tabIndex={-1} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-rule py-3">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="wrap-anywhere">
          <Link to={`/transcription/${job_id}`} className="text-accent underline underline-offset-4 hover:text-accent-strong">
            {title}
          </Link>
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-faint">
          <Mark {...MARKS[state]}>{t(`files.states.${state}`)}</Mark>
          {path && <span className="wrap-anywhere">{path}</span>}
          {written_at && <span>{formatDateTime(written_at, locale)}</span>}
        </p>
        {problem && (
          <p className={`max-w-[60ch] text-sm ${state === "failed" ? "text-bad" : "text-warn"}`}>{problemText(problem)}</p>
        )}
      </div>
      {(state === "foreign" || state === "failed") && (
        <Button
          size="small"
          busy={write.isPending}
          aria-label={t("sources:named", { action: t(`files.write.${state}`), name: title })}
          onClick={run}
        >
          {t(`files.write.${state}`)}
        </Button>
      )}
    </li>
  );
}
