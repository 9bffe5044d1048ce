/** The subtitles as they will be shown: each cue with its times, its speed and the length of its lines. */
import type { TFunction } from "i18next";
import { Merge, Split } from "lucide-react";
import { type KeyboardEvent, memo, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { IconButton } from "@/components/icon-button";
import { wordsNow } from "@/components/transcript/late-words";
import { letGo } from "@/components/transcript/pointer-focus";
import { SEGMENT_ATTRIBUTE } from "@/components/transcript/segment-row";
import { ROW_ATTRIBUTE } from "@/components/transcript/spoken-word";
import { timelineOf } from "@/components/transcript/timeline";
import { useLate } from "@/components/transcript/use-late";
import { useSpokenPlace } from "@/components/transcript/use-spoken-place";
import { WHOLE_ROWS, WindowRows, type WindowRowsHandle } from "@/components/transcript/window-rows";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatNumber } from "@/lib/format";
import type { Locale } from "@/lib/i18n";
import { newUuid } from "@/lib/tab-client";
import { segmentCues, subtitleLimits } from "@/rules/text";
import { segmentOf } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import { refOf } from "../editor/moves";
import type { Workspace } from "../workspace";
import { cueAt, cuesAt, figuresOf, type PlacedCue, splitPlace, textWithCue } from "./cues";
import { useOverLimits } from "./use-over-limits";

const CUE_PX = 108;

export function SubtitlesTab({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation(["editor", "transcript"]);
  const { job, document, player, language, editable } = workspace;
  const locale = useLocale();
  const segments = useStore(document, (state) => state.segments);
  const positions = useStore(document, (state) => state.positions);
  const duration = job.duration ?? 0;
  const speakers = useStore(document, (state) => state.speakers);
  const text = useMemo(() => ({ segments, speakers, duration }), [segments, speakers, duration]);
  const over = useOverLimits(text);
  const [play] = useState(() => (seconds: number) => player.getState().playFrom(seconds));
  const container = useRef<HTMLDivElement>(null);
  const rows = useRef<WindowRowsHandle>(null);
  const bringIn = useCallback((segment: number) => rows.current?.scrollToRow(segment), []);
  const rowAt = useCallback((segment: number, seconds: number) => cueName(cueAt(cuesAt(text, segment), seconds)), [text]);
  const refresh = useSpokenPlace({ container, timeline: timelineOf(segments), player, bringIn, rowAt });
  const limits = subtitleLimits();
  return (
    <>
      <h3 className="sr-only">{t("tabs.subtitles")}</h3>
      <p className="mb-3 text-sm text-ink-soft">
        {t("subtitles.limits", {
          columns: formatNumber(limits.max_columns, locale),
          lines: formatNumber(limits.max_lines, locale),
          speed: formatNumber(limits.max_cps, locale),
        })}{" "}
        {over !== null && (over > 0 ? t("subtitles.over", { count: over }) : t("subtitles.allGood"))}
      </p>
      <div ref={container} lang={language} data-testid="cues" onPointerDown={wordsNow}>
        <WindowRows
          ref={rows}
          role="list"
          order={positions}
          count={segments.length}
          estimate={() => CUE_PX}
          keyOf={(at) => segments[at]?.id ?? at}
          onRendered={refresh}
          row={(at) => {
            const segment = segments[at];
            return (
              segment && (
                <SegmentCues
                  cues={cuesAt(text, at)}
                  number={at + 1}
                  last={at === segments.length - 1}
                  t={t}
                  locale={locale}
                  late={segments.length > WHOLE_ROWS}
                  document={document}
                  editable={editable}
                  onPlay={play}
                />
              )
            );
          }}
        />
      </div>
    </>
  );
}

interface SegmentCuesProps {
  /** Of one segment. */
  cues: readonly PlacedCue[];
  /** Of the segment, from 1. */
  number: number;
  last: boolean;
  /** The list asks for the texts once: rows come by the dozen in a frame. */
  t: TFunction<["editor", "transcript"]>;
  locale: Locale;
  /** Its field and its buttons come a moment after its lines. */
  late: boolean;
  document: DocumentStore;
  editable: boolean;
  onPlay: (seconds: number) => void;
}

/** The cues of one segment: made when they come near the window. */
const SegmentCues = memo(function SegmentCues({ cues, number, ...rest }: SegmentCuesProps) {
  return cues.map((cue) => (
    <CueRow key={cue.part} cue={cue} number={cue.parts > 1 ? `${number}.${cue.part + 1}` : String(number)} {...rest} />
  ));
});

interface CueRowProps extends Omit<SegmentCuesProps, "cues" | "number"> {
  cue: PlacedCue;
  number: string;
}

const CueRow = memo(function CueRow({ cue, number, last, t, locale, late, document, editable, onPlay }: CueRowProps) {
  const whole = useLate(late);
  const [typed, setTyped] = useState<string | null>(null);
  const text = cue.segment.text.slice(cue.from, cue.to).trim();
  // While one types, the lines are those that the cue will have; its time is the present one.
  const lines = useMemo(() => (typed === null ? cue.lines : linesOf(cue, typed)), [typed, cue]);
  const figures = figuresOf(lines, cue.end - cue.start, cue.head);
  const { segment, part, parts } = cue;
  const splits = part > 0;
  const merges = part === parts - 1 && !last;

  const onInput = (value: string) => {
    const flat = value.replace(/\s*\n\s*/g, " ");
    setTyped(flat);
    document.actions.type(segment.id, textWithCue(cue, flat));
  };
  const onBlur = () => {
    if (typed !== null && textWithCue(cue, typed).trim() === "") {
      document.actions.cancel(segment.id);
    }
    document.actions.commit();
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Escape") {
      document.actions.cancel(segment.id);
      setTyped(null);
      event.currentTarget.blur();
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.currentTarget.blur();
    }
  };
  const split = () => {
    document.actions.commit();
    const now = segmentOf(document.getState(), segment.id);
    if (now) {
      document.actions.edit({ kind: "split", segment: refOf(now), at: splitPlace(cue), new_segment: newUuid() });
    }
  };
  const merge = () => {
    document.actions.commit();
    const { segments, positions } = document.getState();
    const at = positions.get(segment.id) ?? -1;
    const [now, next] = [segments[at], segments[at + 1]];
    if (now && next) {
      document.actions.edit({ kind: "merge", segment: refOf(now), next: refOf(next) });
    }
  };

  return (
    <div
      data-testid="cue"
      {...{ [ROW_ATTRIBUTE]: cueName(cue), [SEGMENT_ATTRIBUTE]: segment.id }}
      // On a phone its times stand over it: its lines need the whole width.
      className="heard-row grid gap-x-3 gap-y-1 border-b border-rule py-3 sm:grid-cols-[4.5rem_minmax(0,1fr)_9rem]"
    >
      <div className="max-sm:flex max-sm:items-center max-sm:gap-3">
        <p className="figures text-xs text-ink-faint">{number}</p>
        <button
          type="button"
          aria-label={t("transcript:text.segment", { time: cueClock(cue.start, locale) })}
          onClick={(event) => {
            letGo(event);
            onPlay(cue.start);
          }}
          className="figures -ml-1 rounded px-1 text-left text-xs leading-5 text-ink-soft hover:bg-accent-wash hover:text-accent-strong"
        >
          {cueClock(cue.start, locale)}
          <br className="max-sm:hidden" />
          <span className="sm:hidden"> – </span>
          {cueClock(cue.end, locale)}
        </button>
      </div>
      <div className="min-w-0">
        {editable && whole ? (
          <textarea
            aria-label={t("subtitles.text", { number })}
            value={typed ?? cue.lines.join("\n")}
            rows={Math.max(2, lines.length)}
            onFocus={() => setTyped(text)}
            onChange={(event) => onInput(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={onBlur}
            // Lines too long for the screen are broken, and the field grows with them.
            className="field-sizing-content block min-h-14.5 w-full resize-none rounded border border-transparent bg-paper-raised px-2 py-1 text-center font-serif leading-6 hover:border-edge focus:border-edge max-sm:px-1"
          />
        ) : (
          // As high as the field that comes in its place.
          <p
            className={cx(
              "text-center font-serif leading-6 whitespace-pre-line",
              editable && "min-h-14.5 rounded border border-transparent bg-paper-raised px-2 py-1 max-sm:px-1",
            )}
          >
            {cue.lines.join("\n")}
          </p>
        )}
      </div>
      <div className="flex items-start justify-between gap-1 max-sm:items-center">
        <p className="text-xs leading-5">
          <span className={cx("figures block max-sm:inline", figures.tooFast ? "font-strong text-bad" : "text-ink-soft")}>
            {t(figures.tooFast ? "subtitles.tooFast" : "subtitles.speed", { speed: formatNumber(figures.speed, locale, 1) })}
          </span>
          <span className="max-sm:px-1 sm:hidden">·</span>
          <span
            className={cx(
              "figures block max-sm:inline",
              figures.tooWide || figures.tooTall ? "font-strong text-bad" : "text-ink-soft",
            )}
          >
            {t(figures.tooWide ? "subtitles.tooWide" : figures.tooTall ? "subtitles.tooTall" : "subtitles.columns", {
              columns: figures.columns.join(" / "),
            })}
          </span>
        </p>
        {editable && (
          // Room for as many buttons as will come.
          <div className={cx("flex shrink-0", (splits || merges) && "min-h-8 min-w-8", splits && merges && "min-w-16")}>
            {whole && splits && (
              <IconButton label={t("subtitles.split")} className="size-8" onClick={split}>
                <Split aria-hidden="true" className="rotate-90" />
              </IconButton>
            )}
            {whole && merges && (
              <IconButton label={t("subtitles.merge")} className="size-8" onClick={merge}>
                <Merge aria-hidden="true" className="rotate-180" />
              </IconButton>
            )}
          </div>
        )}
      </div>
    </div>
  );
});

/** What the row of a cue is called; null for no cue. */
const cueName = (cue: PlacedCue | undefined): string | null => (cue ? `${cue.segment.id}/${cue.part}` : null);

/** Lines of the text that is being typed, as its cue will have them. */
const linesOf = (cue: PlacedCue, text: string): string[] =>
  segmentCues(
    [{ ...cue.segment, text: text.trim() || " ", words: [], start: cue.start, end: cue.end }],
    [],
    false,
    // Its name is not typed.
    cue.segment.speaker ?? undefined,
  ).flatMap(({ lines }) => lines);

/** `1:02,4`, `1:02.4` in English: the place of a cue, to a tenth of a second. */
function cueClock(seconds: number, locale: Locale): string {
  const tenths = Math.round(Math.max(0, seconds) * 10);
  const whole = Math.floor(tenths / 10);
  const h = Math.floor(whole / 3600);
  const m = Math.floor((whole % 3600) / 60);
  const head = h > 0 ? `${h}:${String(m).padStart(2, "0")}` : String(m);
  const mark = formatNumber(0.5, locale, 1).charAt(1);
  return `${head}:${String(whole % 60).padStart(2, "0")}${mark}${tenths % 10}`;
}
