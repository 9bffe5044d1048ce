/** The sentiment of the text: a word, a number, and the curve. */
import { Frown, Meh, Smile } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Mood, Sentiment } from "@/api/analysis";
import { useLocale } from "@/hooks/use-locale";
import { useMediaQuery } from "@/hooks/use-media-query";
import { cx } from "@/lib/class-names";
import { useAnalysis } from "./analysis-context";
import { curveOf } from "./curve";
import { SentimentCurve } from "./sentiment-curve";
import { formatScore, MOOD_TEXT } from "./sentiment-words";
import { TimeButton } from "./time-button";

const SIGNS = { positive: Smile, neutral: Meh, negative: Frown } as const satisfies Record<Mood, typeof Meh>;

/** As many points as can be distinguished. */
const MAX_BARS = { narrow: 28, wide: 56 } as const;

export function SentimentView({ sentiment }: { sentiment: Sentiment }) {
  const { t } = useTranslation("analysis");
  const { play } = useAnalysis();
  const locale = useLocale();
  const narrow = useMediaQuery("(width < 640px)");
  const curve = useMemo(() => curveOf(sentiment.points, narrow ? MAX_BARS.narrow : MAX_BARS.wide), [sentiment.points, narrow]);
  const { mood, score, reason } = sentiment;
  const Sign = SIGNS[mood];
  // The description of the curve does not depend on the window's width.
  const sorted = [...curveOf(sentiment.points, MAX_BARS.wide)].sort((a, b) => a.score - b.score);
  const [worst, best] = [sorted[0], sorted.at(-1)];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className={cx("flex items-center gap-2 text-lg font-strong", MOOD_TEXT[mood])}>
          <Sign aria-hidden="true" className="size-5" />
          {t(`sentiment.mood.${mood}`)}
        </span>
        <span className="text-sm text-ink-soft">{t("sentiment.score", { score: formatScore(score, locale) })}</span>
      </p>
      {reason && <p className="mt-1 max-w-[65ch] wrap-anywhere text-ink-soft">{reason}</p>}
      {curve.length > 1 ? (
        <>
          <SentimentCurve curve={curve} onPlay={play} />
          {best && worst && best.score > worst.score && (
            <p className="mt-1 flex flex-wrap items-center gap-x-4 text-sm text-ink-soft">
              <span>
                {t("sentiment.best")} <TimeButton at={best.start} onPlay={play} />
              </span>
              <span>
                {t("sentiment.worst")} <TimeButton at={worst.start} onPlay={play} />
              </span>
            </p>
          )}
        </>
      ) : (
        <p className="mt-2 text-sm text-ink-faint">{t("sentiment.noCurve")}</p>
      )}
    </>
  );
}
