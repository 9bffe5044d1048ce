/** The text with its speakers; a click on a word plays from it if there is a recording. */
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from "react";
import { useTranslation } from "react-i18next";
import { offsetAtPoint } from "@/domain/transcript/caret";
import { renderWordsNow } from "@/domain/transcript/deferred-words";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { SegmentList, type SegmentListHandle } from "@/domain/transcript/segment-list";
import { SEGMENT_ATTRIBUTE } from "@/domain/transcript/segment-row";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { type NamedSpeaker, namesOf, speakerSign } from "@/domain/transcript/speakers";
import { wordUnder } from "@/domain/transcript/spoken-word";
import { type Timeline, wordAt } from "@/domain/transcript/timeline";
import { useRowAt } from "@/domain/transcript/use-row-at";
import { useSpokenWord } from "@/domain/transcript/use-spoken-word";
import { moveCursor } from "@/domain/transcript/word-cursor";
import type { CommentsState } from "./comments";
import type { CaretPosition, EditingState } from "./editing";
import { LineEditor } from "./line-editor";
import { LineNote } from "./line-note";
import type { SharedLine } from "./spoken";
import { UnsavedNote } from "./unsaved-note";

/** A segment to scroll to. The same one may be requested again. */
export interface ScrollTarget {
  segment: number;
}

interface TextViewProps {
  segments: readonly SharedLine[];
  speakers: readonly NamedSpeaker[];
  timeline: Timeline;
  player: PlayerStore;
  language: string;
  timed: boolean;
  live: boolean;
  goal: ScrollTarget | null;
  /** Null if the link does not allow comments. */
  commenting: CommentsState | null;
  /** Null if the link does not permit edits. */
  editing: EditingState | null;
}

export function TextView(props: TextViewProps) {
  const { segments, speakers, timeline, player, language, timed, live, goal, commenting, editing } = props;
  const { t } = useTranslation(["transcript", "sharing"]);
  const text = useRef<HTMLDivElement>(null);
  const list = useRef<SegmentListHandle>(null);
  const names = useMemo(() => namesOf(speakers), [speakers]);
  const bringIn = useCallback((segment: number) => list.current?.scrollToSegment(segment), []);
  const rowAt = useRowAt(segments);
  const { setFollowing, placed, place, show, refresh } = useSpokenWord({ container: text, timeline, player, bringIn, rowAt });

  useEffect(() => {
    if (goal !== null) {
      bringIn(goal.segment);
    }
  }, [goal, bringIn]);

  const playFrom = useCallback(
    (seconds: number) => {
      setFollowing(true);
      player.getState().playFrom(seconds);
    },
    [player, setFollowing],
  );

  const playWord = (word: number) => {
    const start = timeline.starts[word];
    if (start !== undefined) {
      playFrom(start);
    }
  };

  // Closing the edited line moves the lines below it, so the target of a click is taken from pointerdown.
  const aimed = useRef<CaretPosition | null>(null);
  const onClick = (event: MouseEvent) => {
    // A user who has just selected text wants to copy it.
    if (!(getSelection()?.isCollapsed ?? true) || !(event.target instanceof Element)) {
      return;
    }
    const word = wordUnder(event);
    if (word >= 0) {
      place(word);
    }
    const meant = aimed.current ?? aimAt(event);
    aimed.current = null;
    if (editing?.on && meant) {
      setFollowing(false);
      editing.write(meant.line, meant.caret);
    } else if (word >= 0 && live) {
      playWord(word);
    }
  };

  const writeWord = (word: number) => {
    const line = segments[timeline.segmentOf[word] ?? 0];
    if (line) {
      editing?.write(line.id, 0);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== text.current) {
      return;
    }
    const currentWord = Math.max(placed(), 0);
    if (editing?.may && (event.key === "F2" || (event.key === "Enter" && editing.on))) {
      event.preventDefault();
      writeWord(currentWord);
      return;
    }
    if (event.key === "Enter") {
      if (live) playWord(currentWord);
      return;
    }
    const next = moveCursor(timeline, placed(), event.key);
    if (next !== null) {
      event.preventDefault();
      setFollowing(false);
      show(next);
    }
  };

  const renderSpeaker = useCallback(
    ({ speaker }: Pick<SharedLine, "speaker">) =>
      speaker == null ? null : <SpeakerLabel id={speaker} name={names.get(speaker) ?? speakerSign(speaker)} />,
    [names],
  );

  // The note updates itself; the list only needs to know whether there is one.
  const renderNote = ({ id, start }: { id?: string; start: number }) =>
    id !== undefined &&
    (commenting?.on || commenting?.draft?.line === id || commenting?.byLine.has(id) || editing?.drafts.has(id)) ? (
      <>
        <UnsavedNote line={id} />
        <LineNote line={id} start={start} />
      </>
    ) : null;

  const edited = useEditedLine({ segments, speakers, editing, text });

  const isWriting = editing?.writing != null;
  useEffect(() => {
    // While a line is edited, the text does not follow playback.
    const { hold } = player.getState();
    hold(isWriting);
    return () => hold(false);
  }, [player, isWriting]);

  const hearing = (live || editing?.may) && {
    // The only tab stop of the text; its words are navigated with arrow keys.
    tabIndex: 0,
    onPointerDown: (event: PointerEvent) => {
      renderWordsNow();
      aimed.current = editing?.on ? aimAt(event) : null;
    },
    onClick,
    onKeyDown,
    onFocus: () => placed() < 0 && place(Math.max(0, wordAt(timeline, player.getState().time))),
    "data-arrow-keys": "",
  };

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of running text, not of form fields */}
      <div
        ref={text}
        role="group"
        aria-label={[t("transcript:text.label"), editing?.on ? t("sharing:page.editing.hint") : live && t("transcript:text.keys")]
          .filter(Boolean)
          .join(". ")}
        data-writing={editing?.on ? "" : undefined}
        data-testid="shared-text"
        lang={language}
        className="transcript-text"
        {...hearing}
      >
        <SegmentList
          ref={list}
          segments={segments}
          language={language}
          firstWord={timeline.firstWord}
          timed={timed}
          onPlay={live ? playFrom : undefined}
          renderSpeaker={renderSpeaker}
          renderNote={renderNote}
          edited={edited}
          onRendered={refresh}
        />
      </div>
    </>
  );
}

/** The line and the UTF-16 offset under the pointer. */
function aimAt({ target, clientX, clientY }: MouseEvent | PointerEvent): CaretPosition | null {
  const line = target instanceof Element ? target.closest<HTMLElement>("p.reading") : null;
  const id = line?.closest(`[${SEGMENT_ATTRIBUTE}]`)?.getAttribute(SEGMENT_ATTRIBUTE);
  return line && id != null ? { line: id, caret: offsetAtPoint(line, clientX, clientY) ?? "end" } : null;
}

interface EditedLineParts extends Pick<TextViewProps, "segments" | "speakers" | "editing"> {
  text: RefObject<HTMLElement | null>;
}

/** The edited row, with its field. */
function useEditedLine({ segments, speakers, editing, text }: EditedLineParts) {
  const writing = editing?.writing;
  const position = writing ? segments.findIndex(({ id }) => id === writing.line) : -1;
  const line = segments[position];
  if (!editing || !writing || !line) return undefined;
  const go = (step: -1 | 1) => {
    const next = segments[position + step];
    // An unsaved draft has a field of its own.
    const state = next && editing.drafts.get(next.id)?.state;
    if (!next || (state !== undefined && state !== "sending")) return false;
    editing.write(next.id, step === 1 ? 0 : "end");
    return true;
  };
  return {
    position,
    editor: (
      <LineEditor
        key={line.id}
        line={line}
        caret={writing.caret}
        speakers={speakers}
        editing={editing}
        onGo={go}
        onEnd={() => text.current?.focus({ preventScroll: true })}
      />
    ),
  };
}
