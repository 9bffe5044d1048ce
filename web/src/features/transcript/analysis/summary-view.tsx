/** A summary: each sentence links to its source in the text. */
import { useTranslation } from "react-i18next";
import type { Summary } from "@/api/analysis";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { formatClock } from "@/lib/format";
import { useAnalysis } from "./analysis-context";
import { TimeButton } from "./time-button";

export function SummaryView({ summary }: { summary: Summary }) {
  const { t } = useTranslation("analysis");
  const { workspace } = useAnalysis();
  const { sentences, words, extractive } = summary;
  if (sentences.length === 0) {
    return <p className="text-ink-soft">{t("summary.empty")}</p>;
  }
  return (
    <>
      <p lang={workspace.language} className="reading" data-testid="summary">
        {sentences.map((sentence, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two sentences may be the same, and none moves
          <Sentence key={at} {...sentence} />
        ))}
      </p>
      <p className="mt-2 text-sm text-ink-faint">
        {t(extractive ? "summary.extractive" : "summary.abstractive")} {t("summary.words", { count: words })}.
      </p>
    </>
  );
}

function Sentence({ text, moments: [first, ...others] }: Summary["sentences"][number]) {
  const { t } = useTranslation("analysis");
  const { play } = useAnalysis();
  if (!first) {
    return `${text} `;
  }
  const time = formatClock(first.start);
  const last = text.lastIndexOf(" ") + 1;
  return (
    <span>
      <a
        href={`?t=${first.start}`}
        title={t("result.play", { time })}
        onClick={(event) => {
          event.preventDefault();
          releaseFocus(event);
          play(first.start);
        }}
        className="group rounded-sm decoration-rule-strong decoration-1 underline-offset-4 hover:bg-voice-wash hover:underline"
      >
        {text.slice(0, last)}
        {/* The time stays on the line of the last word: on a new line it would seem to belong to the next sentence. */}
        <span className="whitespace-nowrap">
          {text.slice(last)}
          {"\u00a0"}
          <span className="figures mr-1 inline-block text-xs text-ink-soft group-hover:text-accent-strong">{time}</span>
        </span>
      </a>
      {others.map((moment) => (
        <TimeButton key={`${moment.segment} ${moment.start}`} at={moment.start} onPlay={play} className="-my-1 align-baseline" />
      ))}{" "}
    </span>
  );
}
