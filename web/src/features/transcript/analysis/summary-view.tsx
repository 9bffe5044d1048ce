/** A summary: each sentence leads to the place that it rests on. */
import { useTranslation } from "react-i18next";
import type { Summary } from "@/api/analysis";
import { letGo } from "@/components/transcript/pointer-focus";
import { formatClock } from "@/lib/format";
import { useAnalysis } from "./analysis-context";
import { TimeButton } from "./time-button";

export function SummaryView({ summary }: { summary: Summary }) {
  const { t } = useTranslation("analysis");
  const { play, workspace } = useAnalysis();
  const { sentences, words, extractive } = summary;
  if (sentences.length === 0) {
    return <p className="text-ink-soft">{t("summary.empty")}</p>;
  }
  return (
    <>
      <p lang={workspace.language} className="reading" data-testid="summary">
        {sentences.map(({ text, moments: [first, ...others] }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two sentences may be the same, and none moves
          <span key={at}>
            {first ? (
              <a
                href={`?t=${Math.floor(first.start)}`}
                title={t("result.play", { time: formatClock(first.start) })}
                onClick={(event) => {
                  event.preventDefault();
                  letGo(event);
                  play(first.start);
                }}
                className="rounded-sm decoration-rule-strong decoration-1 underline-offset-4 hover:bg-voice-wash hover:underline"
              >
                {text}
              </a>
            ) : (
              text
            )}
            {first && <TimeButton at={first.start} onPlay={play} className="-my-1 align-baseline text-ink-faint" />}
            {others.map((moment) => (
              <TimeButton
                key={`${moment.segment} ${moment.start}`}
                at={moment.start}
                onPlay={play}
                className="-my-1 align-baseline text-ink-faint"
              />
            ))}{" "}
          </span>
        ))}
      </p>
      <p className="mt-2 text-sm text-ink-faint">
        {t(extractive ? "summary.extractive" : "summary.abstractive")} {t("summary.words", { count: words })}.
      </p>
    </>
  );
}
