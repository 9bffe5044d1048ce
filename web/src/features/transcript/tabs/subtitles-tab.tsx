/** The subtitles as they will be shown: each cue with its times, reading speed and line lengths; they can be edited. */
import { useQuery } from "@tanstack/react-query";
import { memo, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { waveformQuery } from "@/api/waveform";
import { renderWordsNow } from "@/domain/transcript/deferred-words";
import { readingBand, scrollPageBy } from "@/domain/transcript/page-scroll";
import { timelineOf } from "@/domain/transcript/timeline";
import { useSpokenPlace } from "@/domain/transcript/use-spoken-place";
import { WHOLE_ROWS, WindowRows, type WindowRowsHandle } from "@/domain/transcript/window-rows";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber } from "@/lib/format";
import { subtitleLimits } from "@/rules/text";
import { CorrectionSheet } from "../cues/correction-sheet";
import { CueBar } from "../cues/cue-bar";
import { createCueEditor } from "../cues/cue-editor";
import { CueRow, type CueRowProps, cueName } from "../cues/cue-row";
import { type CueKey, createCueStore } from "../cues/cue-store";
import { limitText } from "../cues/limit-text";
import { LineSheet, type LineSheetTarget } from "../cues/line-sheet";
import { keyOf, Strip } from "../cues/strip";
import { useRunTool } from "../cues/tools";
import { useCueKeys } from "../cues/use-cue-keys";
import type { StripView } from "../cues/use-strip-view";
import type { Workspace } from "../workspace";
import { cueAt, cueNumber, cuesAt, type PlacedCue } from "./cues";
import { useOverLimits } from "./use-over-limits";

const CUE_PX = 106;
/** Length of an inserted line in seconds, if there is room. */
const NEW_SECONDS = 2;

export function SubtitlesTab({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation(["editor", "transcript"]);
  const { job, document, player, language, editable } = workspace;
  const locale = useLocale();
  const segments = useStore(document, (state) => state.segments);
  const positions = useStore(document, (state) => state.positions);
  const duration = job.duration ?? 0;
  const speakers = useStore(document, (state) => state.speakers);
  const text = useMemo(() => ({ segments, speakers, duration }), [segments, speakers, duration]);
  const { data: peaks } = useQuery(waveformQuery(job.my_job_id));
  const over = useOverLimits(text);
  const overOf = useMemo(() => new Map(over?.map((finding) => [cueName(finding.cue) ?? "", finding])), [over]);
  const [store] = useState(createCueStore);
  const editor = useMemo(() => createCueEditor(document, player, store, duration), [document, player, store, duration]);
  const [line, setLine] = useState<LineSheetTarget | null>(null);
  const [correcting, setCorrecting] = useState(false);
  const handle = useRef<StripView | null>(null);
  const [play] = useState(() => (seconds: number) => player.getState().playFrom(seconds));
  const container = useRef<HTMLDivElement>(null);
  const rows = useRef<WindowRowsHandle>(null);
  const bringIn = useCallback((segment: number, instant?: boolean) => rows.current?.scrollToRow(segment, instant), []);
  const rowAt = useCallback((segment: number, seconds: number) => cueName(cueAt(cuesAt(text, segment), seconds)), [text]);
  const refresh = useSpokenPlace({ container, timeline: timelineOf(segments), player, bringIn, rowAt });
  const limits = subtitleLimits();

  const go = useGoTo({ document, container, bringIn });
  const onInsert = useCallback(
    (key: CueKey) => {
      const cue = editor.cue(key);
      const room = editor.room(key).most;
      if (cue) {
        const start = Math.min(cue.end, Math.max(0, (duration || cue.end + NEW_SECONDS) - NEW_SECONDS));
        const end = room - start > 0.3 ? Math.min(start + NEW_SECONDS, room) : start + NEW_SECONDS;
        setLine({ kind: "insert", span: { start, end } });
      }
    },
    [editor, duration],
  );
  const onLineTimes = useCallback((segment: string) => setLine({ kind: "times", segment }), []);
  const run = useRunTool({ editor, store, onInsert, onLineTimes });

  const goOver = (step: 1 | -1) => {
    if (!over || over.length === 0) {
      return;
    }
    const next = over[overBeside(over, chosenPlace(store.getState().chosen, positions), positions, step)];
    if (next) {
      const key = keyOf(next.cue);
      player.getState().follow(false);
      store.choose(key);
      store.setState({ announcement: limitText(t, locale, cueNumber(next.cue, positions), next.findings) });
      go(key, false);
    }
  };
  useCueKeys({ store, run, editable, onOver: goOver });

  return (
    <>
      <h3 className="sr-only">{t("tabs.subtitles")}</h3>
      <p className="mb-2 text-sm text-ink-soft">
        {t("subtitles.limits", {
          columns: formatNumber(limits.max_columns, locale),
          lines: formatNumber(limits.max_lines, locale),
          speed: formatNumber(limits.max_cps, locale),
        })}{" "}
        {over !== null && (over.length > 0 ? t("subtitles.over", { count: over.length }) : t("subtitles.allGood"))}
      </p>
      <CueBar
        strip={
          <Strip
            workspace={workspace}
            text={text}
            store={store}
            editor={editor}
            peaks={peaks}
            over={overOf}
            onGo={go}
            onInsert={(span) => setLine({ kind: "insert", span })}
            handle={handle}
          />
        }
        handle={handle}
        store={store}
        editor={editor}
        run={run}
        editable={editable}
        over={over?.length ?? null}
        onOver={goOver}
        onCorrect={() => {
          document.actions.commit();
          setCorrecting(true);
        }}
      />
      <div ref={container} lang={language} data-testid="cues" onPointerDown={renderWordsNow}>
        <WindowRows
          ref={rows}
          role="list"
          order={positions}
          count={segments.length}
          estimate={() => CUE_PX}
          keyOf={(at) => segments[at]?.id ?? at}
          onRendered={refresh}
          row={(at) =>
            segments[at] && (
              <SegmentCues
                cues={cuesAt(text, at)}
                line={at + 1}
                t={t}
                locale={locale}
                late={segments.length > WHOLE_ROWS}
                document={document}
                store={store}
                editor={editor}
                run={run}
                editable={editable}
                onPlay={play}
              />
            )
          }
        />
      </div>
      {line && (
        <LineSheet
          wanted={line}
          document={document}
          duration={duration}
          onClose={() => setLine(null)}
          onInserted={(segment) => {
            store.choose({ segment, part: 0 });
            go({ segment, part: 0 }, false);
          }}
        />
      )}
      {correcting && <CorrectionSheet document={document} text={text} onClose={() => setCorrecting(false)} />}
    </>
  );
}

interface SegmentCuesProps extends Omit<CueRowProps, "cue" | "number"> {
  /** Of one segment. */
  cues: readonly PlacedCue[];
  /** Number of the segment, from 1: it is part of the rows' labels. */
  line: number;
}

/** The cues of a segment: computed when they come near the window. */
const SegmentCues = memo(function SegmentCues({ cues, line, ...rest }: SegmentCuesProps) {
  return cues.map((cue) => (
    <CueRow key={cue.part} cue={cue} number={cue.parts > 1 ? `${line}.${cue.part + 1}` : String(line)} {...rest} />
  ));
});

interface GoToParts extends Pick<Workspace, "document"> {
  container: React.RefObject<HTMLElement | null>;
  bringIn: (segment: number, instant?: boolean) => void;
}

/** Scrolls to the row of a cue, with the caret in its text for `write`. */
function useGoTo({ document, container, bringIn }: GoToParts) {
  const [target, setTarget] = useState<{ key: CueKey; withCaret: boolean } | null>(null);
  const arrive = useEffectEvent(({ key, withCaret }: { key: CueKey; withCaret: boolean }) => {
    const row = container.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(`${key.segment}/${key.part}`)}"]`);
    if (row) {
      scrollToCue(row);
    }
    if (withCaret) {
      row?.querySelector("textarea")?.focus({ preventScroll: true });
    }
  });
  useEffect(() => {
    if (target) {
      // The row is rendered a moment later, and its field with the words.
      const timer = setTimeout(() => {
        if (target.withCaret) {
          renderWordsNow();
        }
        arrive(target);
      }, 100);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [target]);
  return useCallback(
    (key: CueKey, withCaret: boolean) => {
      // In a line higher than the window, scrolling to the row starts from the line.
      bringIn(document.getState().positions.get(key.segment) ?? 0, true);
      setTarget({ key, withCaret });
    },
    [document, bringIn],
  );
}

/** Scrolls the page as far as necessary to make the row readable. */
function scrollToCue(row: HTMLElement): void {
  const { top, bottom } = readingBand();
  const box = row.getBoundingClientRect();
  const by = box.top < top ? box.top - top : Math.min(box.top - top, Math.max(0, box.bottom - bottom));
  if (by !== 0) {
    scrollPageBy(by, true);
  }
}

/** Position of a cue among all: its line, then its index in it. Before the first one if none is selected. */
const chosenPlace = (key: CueKey | null, positions: ReadonlyMap<string, number>): readonly [number, number] =>
  key ? [positions.get(key.segment) ?? -1, key.part] : [-1, 0];

/** The next or previous cue that exceeds a limit, wrapping around. */
function overBeside(
  over: readonly { cue: PlacedCue }[],
  [line, part]: readonly [number, number],
  positions: ReadonlyMap<string, number>,
  step: 1 | -1,
): number {
  const compare = ({ cue }: { cue: PlacedCue }) => (positions.get(cue.segment.id) ?? 0) - line || cue.part - part;
  if (step === 1) {
    return Math.max(
      0,
      over.findIndex((finding) => compare(finding) > 0),
    );
  }
  const before = over.findLastIndex((finding) => compare(finding) < 0);
  return before < 0 ? over.length - 1 : before;
}
