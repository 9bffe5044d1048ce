/** The text of an earlier state, read-only. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { LanguageMark } from "@/domain/transcript/language-mark";
import { langOf, languagesOf, newLanguage } from "@/domain/transcript/languages";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { namesOf } from "@/domain/transcript/speakers";
import { formatClock } from "@/lib/format";
import { pastTextQuery } from "./api";
import type { Point } from "./points";
import "./history.css";

export function PastText({ jobId, point }: { jobId: string; point: Point }) {
  const { t } = useTranslation("history");
  const text = useQuery(pastTextQuery(jobId, point));
  if (text.error) {
    return <ErrorState title={t("textFailed")} error={text.error} onRetry={() => void text.refetch()} />;
  }
  if (!text.data) {
    return <RowsSkeleton />;
  }
  const names = namesOf(text.data.speakers);
  const { segments, language } = text.data;
  const several = languagesOf(segments, language).length > 1;
  return (
    <div lang={language} data-testid="past-text">
      {segments.map((segment, at) => {
        const { id, start, speaker, text: segmentText } = segment;
        const begins = several ? newLanguage(segments[at - 1], segment, language) : undefined;
        return (
          <div key={id} className="history-row grid grid-cols-[3.25rem_minmax(0,1fr)] pt-1.5">
            {speaker && speaker !== segments[at - 1]?.speaker && (
              <SpeakerLabel id={speaker} name={names.get(speaker) ?? speaker} className="col-start-2 mt-2" />
            )}
            {begins !== undefined && <LanguageMark code={begins} className="col-start-2 justify-self-start" />}
            <span className="figures col-start-1 pt-1 text-xs text-ink-faint">{formatClock(start)}</span>
            <p lang={langOf(segment, language)} className="reading">
              {segmentText}
            </p>
          </div>
        );
      })}
    </div>
  );
}

export function RowsSkeleton() {
  const { t } = useTranslation("history");
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-4 pt-2">
      {["w-11/12", "w-full", "w-9/12", "w-10/12", "w-7/12"].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  );
}
