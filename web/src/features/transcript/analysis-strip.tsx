/** Shown when the text is complete and analyses are running: the state of each, with a link to it. */
import { useQuery } from "@tanstack/react-query";
import { Check, Circle, CircleAlert, CircleDot, Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Analysis, analysisQuery, isInProgress } from "@/api/analysis";
import { Button } from "@/components/button";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatPercent, formatSpan } from "@/lib/format";
import type { TranslationTarget } from "@/rules";
import { newestRuns } from "./analysis/model";
import type { Job } from "./model";

/** Hidden after this time; the state is then in the tab only. */
const RECENT_MS = 30 * 60_000;

interface AnalysisStripProps {
  job: Job;
  version: number;
  onOpen: () => void;
}

export function AnalysisStrip({ job, version, onOpen }: AnalysisStripProps) {
  const { t } = useTranslation("transcript");
  const recent = job.finished_at != null && Date.now() - Date.parse(job.finished_at) < RECENT_MS;
  const { data } = useQuery({ ...analysisQuery(job.my_job_id, version), enabled: recent || job.held_parts > 0 });
  const parts = data ? newestRuns(data) : [];
  const running = parts.some(isInProgress);
  const failed = parts.some(({ status }) => status === "failed");
  const hasHeld = parts.some(({ status }) => status === "held");
  if (!running && !failed && !hasHeld) {
    return null;
  }
  const state = running ? "running" : failed ? "failed" : "held";
  return (
    <section
      aria-label={t(`analysis.strip.${state}.label`)}
      className={cx("mb-4 rounded-lg border border-rule-strong px-4 py-2.5", WASHES[state])}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>{t(`analysis.strip.${state}.text`)}</p>
        <Button size="small" onClick={onOpen}>
          {t("analysis.open")}
        </Button>
      </div>
      <ul aria-label={t("analysis.parts")} className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1.5 text-sm">
        {parts.map((analysis) => (
          <Standing key={analysis.id} analysis={analysis} />
        ))}
      </ul>
    </section>
  );
}

const WASHES = { running: "bg-voice-wash", failed: "bg-warn-wash", held: "bg-paper-sunk" } as const;

const SIGNS = { waiting: Circle, running: CircleDot, done: Check, failed: CircleAlert, held: Hourglass } as const;

function Standing({ analysis: { part, target, status, percent, seconds_left } }: { analysis: Analysis }) {
  const { t } = useTranslation(["analysis", "transcript", "rules"]);
  const locale = useLocale();
  const Sign = SIGNS[status];
  const language = target && t(`rules:translation_target.${target as TranslationTarget}`, { defaultValue: target });
  return (
    <li
      data-status={status}
      className={cx(
        "flex items-center gap-1.5",
        status === "done" && "text-good",
        status === "running" && "font-strong",
        (status === "waiting" || status === "held") && "text-ink-soft",
        status === "failed" && "text-bad",
      )}
    >
      <Sign aria-hidden="true" className="size-4 shrink-0" />
      <span>
        {t(`analysis:parts.${part}`)}
        {language && `: ${language}`}
      </span>
      {status === "running" ? (
        <span className="font-normal text-ink-soft">
          <span className="figures">{formatPercent(percent, locale)}</span>
          {seconds_left != null && ` · ${t("transcript:live.left", { time: formatSpan(Math.max(1, seconds_left), locale) })}`}
        </span>
      ) : (
        <span className="sr-only">: {t(`transcript:analysis.status.${status}`)}</span>
      )}
    </li>
  );
}
