/** A translation beside its original, and as a file. */
import { useQuery } from "@tanstack/react-query";
import { Copy, Download } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { TranslatedCue, TranslatedSegment } from "@/api/analysis";
import { subscriptionQuery } from "@/api/subscription";
import { Button } from "@/components/button";
import { NotInPlan } from "@/components/not-in-plan";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { namesOf, speakerSign } from "@/domain/transcript/speakers";
import { WindowRows } from "@/domain/transcript/window-rows";
import { copyText } from "@/lib/clipboard";
import { fileStemOf } from "@/lib/job-title";
import { saveBlob } from "@/lib/save-file";
import { toast } from "@/lib/toast";
import { cuesAt } from "../tabs/cues";
import { useAnalysis } from "./analysis-context";
import { fileName, srtText, translationText, vttText } from "./files";
import { TimeButton } from "./time-button";

/** Languages by their wire names, for readers' voices and hyphens. */
const CODES: Readonly<Record<string, string>> = {
  english: "en",
  french: "fr",
  german: "de",
  italian: "it",
  portuguese: "pt",
  hindi: "hi",
  spanish: "es",
  thai: "th",
  ukrainian: "uk",
};

const ROW_PX = 72;
const ROW =
  "grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 border-b border-rule py-2.5 lg:grid-cols-[3.5rem_minmax(0,1fr)_minmax(0,1fr)] lg:gap-x-5";

interface SegmentsViewProps {
  segments: readonly TranslatedSegment[];
  target: string;
}

export function SegmentsView({ segments, target }: SegmentsViewProps) {
  const { t } = useTranslation("analysis");
  const { play, workspace } = useAnalysis();
  const { document } = workspace;
  const originals = useStore(document, (state) => state.segments);
  const speakers = useStore(document, (state) => state.speakers);
  const names = useMemo(() => namesOf(speakers), [speakers]);
  const texts = useMemo(() => new Map(originals.map(({ id, text }) => [id, text])), [originals]);
  if (segments.length === 0) {
    return <p className="text-ink-soft">{t("translation.empty")}</p>;
  }
  return (
    <>
      <Taking text={() => translationText(segments, names)} target={target} extension="txt" />
      <WindowRows
        role="list"
        order={segments}
        count={segments.length}
        estimate={() => ROW_PX}
        keyOf={(at) => at}
        row={(at) => {
          const segment = segments[at];
          if (!segment) return null;
          const { moment, speaker, text } = segment;
          return (
            <div className={ROW}>
              <TimeButton at={moment.start} onPlay={play} className="-ml-1.5 self-start" />
              <div className="min-w-0 lg:order-2">
                {speaker != null && speaker !== segments[at - 1]?.speaker && (
                  <SpeakerLabel id={speaker} name={names.get(speaker) ?? speakerSign(speaker)} className="text-xs" />
                )}
                <p lang={CODES[target]} className="font-serif leading-relaxed wrap-anywhere">
                  {text}
                </p>
              </div>
              <Original text={texts.get(moment.segment) ?? ""} />
            </div>
          );
        }}
      />
    </>
  );
}

interface CuesViewProps {
  cues: readonly TranslatedCue[];
  target: string;
}

export function CuesView({ cues, target }: CuesViewProps) {
  const { t } = useTranslation(["analysis", "sharing"]);
  const { play, workspace } = useAnalysis();
  const { data: subscription } = useQuery(subscriptionQuery());
  const formats = subscription?.export_formats;
  // Created here, so the server cannot refuse it: offered only if the plan is known to include it.
  const hasSrt = formats?.includes("srt") === true;
  const originals = useStore(workspace.document, (state) => state.segments);
  const duration = workspace.job.duration ?? 0;
  const speakers = useStore(workspace.document, (state) => state.speakers);
  const lines = useMemo(() => {
    const text = { segments: originals, speakers, duration };
    return originals.flatMap((_, at) => cuesAt(text, at));
  }, [originals, speakers, duration]);
  if (cues.length === 0) {
    return <p className="text-ink-soft">{t("analysis:translation.empty")}</p>;
  }
  return (
    <>
      <Taking text={() => (hasSrt ? srtText(cues) : vttText(cues))} target={target} extension={hasSrt ? "srt" : "vtt"} />
      {formats && !hasSrt && <NotInPlan text={t("sharing:export.not_in_plan")} className="mb-2 text-sm text-ink-soft" />}
      <WindowRows
        role="list"
        order={cues}
        count={cues.length}
        estimate={() => ROW_PX}
        keyOf={(at) => at}
        row={(at) => {
          const cue = cues[at];
          if (!cue) return null;
          const middle = (cue.start + cue.end) / 2;
          const original = lines.find(({ start, end }) => start <= middle && middle <= end);
          return (
            <div className={ROW}>
              <TimeButton at={cue.start} onPlay={play} className="-ml-1.5 self-start" />
              <p
                lang={CODES[target]}
                className="min-w-0 font-serif leading-relaxed whitespace-pre-line wrap-anywhere lg:order-2 lg:whitespace-normal"
              >
                {cue.lines.join("\n")}
              </p>
              <Original text={original?.lines.join("\n") ?? ""} />
            </div>
          );
        }}
      />
    </>
  );
}

/** On a narrow page it is below the translation, in a lighter colour. Side by side, subtitle lines would wrap again. */
function Original({ text }: { text: string }) {
  const { workspace } = useAnalysis();
  return (
    <p
      lang={workspace.language}
      className="min-w-0 font-serif leading-relaxed whitespace-pre-line text-ink-soft wrap-anywhere lg:whitespace-normal max-lg:col-start-2 max-lg:mt-1 max-lg:text-sm lg:order-1"
    >
      {text}
    </p>
  );
}

interface TakingProps {
  text: () => string;
  target: string;
  extension: "txt" | "srt" | "vtt";
}

function Taking({ text, target, extension }: TakingProps) {
  const { t } = useTranslation("analysis");
  const { workspace } = useAnalysis();
  const copy = async () => {
    if (await copyText(text())) toast.success(t("translation.copied"));
    else toast.error(t("translation.copyFailed"));
  };
  const download = () =>
    saveBlob(new Blob([text()], { type: "text/plain;charset=utf-8" }), fileName(fileStemOf(workspace.job), target, extension));
  return (
    <div className="mb-2 flex flex-wrap gap-2">
      <Button size="small" onClick={download}>
        <Download aria-hidden="true" />
        {t("translation.download", { format: extension.toUpperCase() })}
      </Button>
      <Button size="small" look="quiet" onClick={() => void copy()}>
        <Copy aria-hidden="true" />
        {t("translation.copy")}
      </Button>
    </div>
  );
}
