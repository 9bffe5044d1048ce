/** The waveform with its subtitles as blocks: shows, plays, moves and inserts subtitles. */
import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { timelineOf } from "@/domain/transcript/timeline";
import { useLocale } from "@/hooks/use-locale";
import { type CueText, cueNumber, cuesAt, type OverLimitCue, type PlacedCue } from "../tabs/cues";
import type { Workspace } from "../workspace";
import { CueBlock } from "./cue-block";
import type { CueEditor } from "./cue-editor";
import { type CueKey, type CueStore, sameCue } from "./cue-store";
import { formatTime } from "./cue-time";
import { endOf, type Span, secondsOf, type View, visibleSegments, xOf } from "./geometry";
import { useStripDrag } from "./use-strip-drag";
import { type StripView, useStripView } from "./use-strip-view";
import { WaveCanvas } from "./wave-canvas";

const STRIP_PX = 84;
/** Length of a line inserted by a double click, in seconds. */
const NEW_SECONDS = 2;

interface StripProps {
  workspace: Workspace;
  text: CueText;
  store: CueStore;
  editor: CueEditor;
  peaks: readonly number[] | undefined;
  over: ReadonlyMap<string, OverLimitCue>;
  /** Moves to the row of a cue, or into its text if `write`. */
  onGo: (key: CueKey, write: boolean) => void;
  onInsert: (span: Span) => void;
  /** Also used by the toolbar's zoom buttons. */
  handle: { current: StripView | null };
}

export function Strip({ workspace, text, store, editor, peaks, over, onGo, onInsert, handle }: StripProps) {
  const { t } = useTranslation("editor");
  const locale = useLocale();
  const { document, player, editable, language } = workspace;
  const { duration } = text;
  const chosen = useStore(store, (state) => state.chosen);
  const box = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const grip = useRef<() => boolean>(() => false);
  const isGripped = useRef(() => grip.current()).current;
  const strip = useStripView({ box, playhead, player, duration, held: isGripped });
  const { view } = strip;
  handle.current = strip;
  const cues = useMemo(() => visibleCues(text, view), [text, view]);

  const take = (key: CueKey, span: Span) => {
    const problem = editor.move(key, span);
    const announcement = problem
      ? t(`cues.problems.${problem}`)
      : t("cues.movedTo", { start: formatTime(span.start, locale), end: formatTime(span.end, locale) });
    store.setState({ moving: null, announcement });
  };
  const { mark, pressed, handlers } = useStripDrag({
    box,
    view,
    store,
    editor,
    editable,
    onSeek: (seconds) => player.getState().seek(seconds),
    onPan: strip.panTo,
    onMoved: take,
    onMark: onInsert,
  });
  grip.current = pressed;

  const reveal = useEffectEvent((key: CueKey) => {
    const cue = editor.cue(key);
    // The pressed block must not move away from the pointer.
    if (cue && !pressed()) {
      strip.reveal(cue.start, cue.end);
    }
  });
  useEffect(() => {
    if (chosen) {
      reveal(chosen);
    }
  }, [chosen]);

  /** The block to focus as soon as it is rendered. */
  const pendingFocus = useRef<CueKey | null>(null);
  useEffect(() => {
    const block = pendingFocus.current && blockOf(box.current, pendingFocus.current);
    if (block) {
      pendingFocus.current = null;
      block.focus({ preventScroll: true });
    }
  });
  const choose = (key: CueKey) => {
    pendingFocus.current = key;
    store.choose(key);
  };

  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    if (!editable || (event.target as Element).closest("[data-cue]")) {
      return;
    }
    const start = secondsOf(view, event.clientX - (box.current?.getBoundingClientRect().left ?? 0));
    onInsert({ start, end: Math.min(start + NEW_SECONDS, duration || Number.POSITIVE_INFINITY) });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
      return;
    }
    const act = viewKeys(strip, duration)[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  };

  const first = cues.some((cue) => sameCue(keyOf(cue), chosen)) ? null : (cues[0] ?? null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of blocks on a drawing, not of form fields
    <div
      ref={box}
      role="group"
      aria-label={t("cues.strip")}
      data-arrow-keys=""
      data-testid="cue-strip"
      style={{ height: STRIP_PX }}
      className="relative touch-pan-y overflow-hidden border-y border-rule-strong bg-paper-raised select-none"
      {...handlers}
      onPointerDown={(event) => {
        document.actions.commit();
        handlers.onPointerDown(event);
      }}
      onDoubleClick={onDoubleClick}
      onKeyDown={onKeyDown}
    >
      <WaveCanvas view={view} height={STRIP_PX} duration={duration} peaks={peaks} />
      {cues.map((cue) => {
        const key = keyOf(cue);
        const isChosen = sameCue(key, chosen);
        return (
          <CueBlock
            key={`${key.segment}/${key.part}`}
            cue={cue}
            number={cueNumber(cue, document.getState().positions)}
            view={view}
            chosen={isChosen}
            reachable={isChosen || cue === first}
            over={over.has(`${key.segment}/${key.part}`)}
            editable={editable}
            language={language}
            store={store}
            editor={editor}
            onMoved={(span) => take(key, span)}
            onBeside={(step) => {
              const next = besideOf(cue, step, text, editor, document.getState().positions);
              if (next) choose(next);
            }}
            onChoose={() => store.choose(key)}
            onOpen={() => onGo(key, editable)}
          />
        );
      })}
      {mark && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-3 rounded border border-dashed border-accent bg-accent-wash/60"
          style={{ left: xOf(view, mark.start), width: (mark.end - mark.start) * view.scale }}
        />
      )}
      <div
        ref={playhead}
        aria-hidden="true"
        data-testid="cue-playhead"
        className="pointer-events-none absolute inset-y-0 left-0 w-0.5 bg-voice-ink"
      />
    </div>
  );
}

export const keyOf = (cue: PlacedCue): CueKey => ({ segment: cue.segment.id, part: cue.part });

const blockOf = (box: HTMLElement | null, { segment, part }: CueKey): HTMLElement | null =>
  box?.querySelector<HTMLElement>(`[data-segment="${CSS.escape(segment)}"][data-part="${part}"]`) ?? null;

const viewKeys = (strip: StripView, duration: number): Record<string, () => void> => ({
  "+": () => strip.zoom(1),
  "=": () => strip.zoom(1),
  "-": () => strip.zoom(-1),
  PageUp: () => strip.pan(-0.8),
  PageDown: () => strip.pan(0.8),
  Home: () => strip.panTo(0),
  End: () => strip.panTo(duration),
});

/** The cues that are at least partly visible in the strip. */
function visibleCues(text: CueText, view: View): PlacedCue[] {
  if (view.width <= 0) {
    return [];
  }
  const [from, to] = visibleSegments(timelineOf(text.segments).segmentStarts, view);
  const last = endOf(view);
  const cues: PlacedCue[] = [];
  for (let at = from; at < to; at += 1) {
    cues.push(...cuesAt(text, at).filter(({ start, end }) => end > view.from && start < last));
  }
  return cues;
}

/** The previous or next cue; null at the ends. */
function besideOf(
  { segment, part }: PlacedCue,
  step: 1 | -1,
  text: CueText,
  editor: CueEditor,
  positions: ReadonlyMap<string, number>,
): CueKey | null {
  const neighbour = editor.cuesOf(segment.id)[part + step];
  if (neighbour) {
    return keyOf(neighbour);
  }
  for (let at = (positions.get(segment.id) ?? -1) + step; at >= 0 && at < text.segments.length; at += step) {
    const cue = cuesAt(text, at).at(step === 1 ? 0 : -1);
    if (cue) {
      return keyOf(cue);
    }
  }
  return null;
}
