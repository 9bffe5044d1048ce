/**
 * The text, read or edited. While reading, a click on a word plays from it; while editing, it moves the caret, and only
 * the segment with the caret is a field, so that typing in a long text is as fast as in a short one.
 */
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { offsetAtPoint } from "@/domain/transcript/caret";
import { renderWordsNow } from "@/domain/transcript/deferred-words";
import { languageOf } from "@/domain/transcript/languages";
import type { SpokenSegment } from "@/domain/transcript/model";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { SegmentList, type SegmentListHandle } from "@/domain/transcript/segment-list";
import { SEGMENT_ATTRIBUTE } from "@/domain/transcript/segment-row";
import { wordUnder } from "@/domain/transcript/spoken-word";
import { type Timeline, timelineOf, wordAt } from "@/domain/transcript/timeline";
import { useRowAt } from "@/domain/transcript/use-row-at";
import { useSpokenWord } from "@/domain/transcript/use-spoken-word";
import { moveCursor } from "@/domain/transcript/word-cursor";
import { MarkPainter, useRepaint } from "../annotations/mark-painter";
import { createWordSelection } from "../annotations/select-words";
import { SelectionBar } from "../annotations/selection-bar";
import { secondsOfStamp } from "../annotations/time-stamp";
import { useShownText } from "../document/use-shown-text";
import { useSegmentNote } from "../removed/segment-note";
import { SpeakerHead } from "../speakers/speaker-head";
import type { Workspace } from "../workspace";
import { SegmentEditor } from "./segment-editor";
import { useFocusAfterWriting } from "./use-focus-after-writing";
import { useKeepRow } from "./use-keep-row";
import { useUnsureWalk } from "./use-unsure-walk";
import { wordRange } from "./word-range";

/** Tells the player's shortcuts that the arrow keys are used by the text. */
const ARROW_KEYS = "data-arrow-keys";

export function TextTab({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation(["transcript", "editor"]);
  const { job, document, player, language, writing, write, startWriting } = workspace;
  const { segments, positions } = useShownText(document, writing?.id ?? null);
  const timeline = timelineOf(segments);
  const text = useRef<HTMLDivElement>(null);
  const list = useRef<SegmentListHandle>(null);
  const announcement = useRef<HTMLParagraphElement>(null);
  const [selecting] = useState(() => createWordSelection(() => text.current));
  const bringIn = useCallback((segment: number) => list.current?.scrollToSegment(segment), []);
  const rowAt = useRowAt(segments);
  const spoken = useSpokenWord({ container: text, timeline, player, bringIn, rowAt });
  const { setFollowing } = spoken;
  const isWriting = writing !== null;
  useUnsureWalk(workspace, spoken);
  useKeepRow(workspace, bringIn);
  usePausedFollowing(player, writing?.id != null);
  const arrows = arrowKeys(text, useFocusAfterWriting({ workspace, text, spoken }));

  const playFrom = useCallback(
    (seconds: number) => {
      setFollowing(true);
      player.getState().playFrom(seconds);
    },
    [player, setFollowing],
  );

  const playWord = (word: number) => {
    // A typed time stamp plays from the time it names, not from where it is.
    const start = secondsOfStamp(wordText(segments, timeline, word)) ?? timeline.starts[word];
    if (start !== undefined) {
      playFrom(start);
    }
  };

  const writeAt = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>(`[${SEGMENT_ATTRIBUTE}]`) : null;
    const id = row?.getAttribute(SEGMENT_ATTRIBUTE);
    const line = row?.querySelector<HTMLElement>("p.reading");
    if (id && line) {
      write(id, offsetAtPoint(line, event.clientX, event.clientY) ?? "end");
    }
  };

  const onClick = (event: MouseEvent) => {
    // A user who has just selected text wants to copy it.
    if (!(getSelection()?.isCollapsed ?? true) || (event.target instanceof Element && event.target.closest("button, textarea"))) {
      return;
    }
    const word = wordUnder(event);
    if (word >= 0) {
      spoken.place(word);
    }
    if (writing) {
      setFollowing(false);
      writeAt(event);
    } else if (word >= 0) {
      playWord(word);
    }
  };

  const writeWord = (word: number) => {
    const segment = segments[timeline.segmentOf[word] ?? 0];
    if (segment) {
      startWriting(segment.id, wordRange(segment, word - (timeline.firstWord[positions.get(segment.id) ?? 0] ?? 0)).from);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== text.current) {
      return;
    }
    const currentWord = Math.max(spoken.placed(), 0);
    if (event.key === "F2" || (event.key === "Enter" && writing)) {
      event.preventDefault();
      writeWord(currentWord);
      return;
    }
    if (event.key === "Enter") {
      playWord(currentWord);
      return;
    }
    const next = text.current?.hasAttribute(ARROW_KEYS) ? moveCursor(timeline, spoken.placed(), event.key) : null;
    if (next === null) {
      return;
    }
    event.preventDefault();
    setFollowing(false);
    spoken.show(next);
    const selected = selecting.go(event.shiftKey, currentWord, next);
    if (announcement.current) {
      announcement.current.lang = languageOf(segments[timeline.segmentOf[next] ?? 0] ?? {}, language);
      announcement.current.textContent = selected || wordText(segments, timeline, next);
    }
  };

  const onFocus = () => {
    if (spoken.placed() < 0) {
      spoken.place(Math.max(0, wordAt(timeline, player.getState().time)));
    }
  };

  const renderSpeaker = useCallback(
    ({ id = "", speaker }: SpokenSegment) =>
      speaker == null ? null : <SpeakerHead document={document} segmentId={id} speakerId={speaker} writing={isWriting} />,
    [document, isWriting],
  );

  const renderNote = useSegmentNote(workspace);

  const { repaint, rendered } = useRepaint(spoken.refresh);

  const edited = useEditedRow(workspace, positions);

  return (
    <>
      <h3 className="sr-only">{t("text.label")}</h3>
      <p id="editor-field-keys" className="sr-only">
        {t("editor:field.keys")}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of running text, not of form fields */}
      <div
        ref={text}
        role="group"
        aria-label={`${t("text.label")}. ${t(writing ? "editor:text.writingKeys" : "text.keys")}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the one Tab stop of a text whose words are moved through by arrows
        tabIndex={0}
        {...{ [ARROW_KEYS]: "" }}
        data-testid="transcript-text"
        data-tour="text"
        data-writing={writing ? "" : undefined}
        data-walk={workspace.unsureShown || undefined}
        lang={language}
        className="transcript-text relative"
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        {...arrows}
      >
        <SegmentList
          ref={list}
          segments={segments}
          language={language}
          order={positions}
          firstWord={timeline.firstWord}
          timed={job.settings.sentence_level_timestamps}
          onPlay={playFrom}
          renderSpeaker={renderSpeaker}
          renderNote={renderNote}
          edited={edited}
          onRendered={rendered}
        />
        <SelectionBar workspace={workspace} text={text} />
      </div>
      <MarkPainter workspace={workspace} text={text} repaint={repaint} />
      <p ref={announcement} className="sr-only" aria-live="polite" />
    </>
  );
}

/** The edited row, with its field. */
function useEditedRow({ document, player, writing, moves }: Workspace, positions: ReadonlyMap<string, number>) {
  return useMemo(() => {
    const position = writing?.id == null ? undefined : positions.get(writing.id);
    return writing?.id == null || position === undefined
      ? undefined
      : {
          position,
          editor: (
            <SegmentEditor
              key={writing.id}
              document={document}
              id={writing.id}
              caret={writing.caret}
              turn={writing.turn}
              moves={moves}
              player={player}
            />
          ),
        };
  }, [writing, positions, document, moves, player]);
}

/** While a line is edited, the text does not follow playback. */
function usePausedFollowing(player: PlayerStore, writes: boolean): void {
  useEffect(() => {
    const { hold } = player.getState();
    hold(writes);
    return () => hold(false);
  }, [player, writes]);
}

/** After a click, the arrow keys seek in the recording; after Tab, they move through the words. */
function arrowKeys(text: RefObject<HTMLElement | null>, onLeave: (event: FocusEvent) => void) {
  const moveCursor = (yes: boolean) => text.current?.toggleAttribute(ARROW_KEYS, yes);
  return {
    onPointerDown: () => {
      renderWordsNow();
      moveCursor(false);
    },
    onBlur: (event: FocusEvent) => {
      moveCursor(true);
      onLeave(event);
    },
  };
}

function wordText(segments: readonly SpokenSegment[], { segmentOf, firstWord }: Timeline, word: number): string {
  const segment = segmentOf[word] ?? 0;
  return segments[segment]?.words[word - (firstWord[segment] ?? 0)]?.text.trim() ?? "";
}
