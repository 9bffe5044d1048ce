/** The text with its speakers; a word plays from itself where there is a recording. */
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { wordsNow } from "@/components/transcript/late-words";
import type { PlayerStore } from "@/components/transcript/player-store";
import { SegmentList, type SegmentListHandle } from "@/components/transcript/segment-list";
import { SpeakerLabel } from "@/components/transcript/speaker-label";
import { type NamedSpeaker, namesOf, speakerSign } from "@/components/transcript/speakers";
import { wordUnder } from "@/components/transcript/spoken-word";
import { type Timeline, wordAt } from "@/components/transcript/timeline";
import { useRowAt } from "@/components/transcript/use-row-at";
import { useSpokenWord } from "@/components/transcript/use-spoken-word";
import { moveCursor } from "@/components/transcript/word-cursor";
import type { Commenting } from "./comments";
import { LineNote } from "./line-note";
import type { SharedLine } from "./spoken";

/** A segment to be brought into view. The same one may be asked for again. */
export interface Goal {
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
  goal: Goal | null;
  /** Null where the link takes no comments. */
  commenting: Commenting | null;
}

export function TextView(props: TextViewProps) {
  const { segments, speakers, timeline, player, language, timed, live, goal, commenting } = props;
  const { t } = useTranslation("transcript");
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

  const onClick = (event: MouseEvent) => {
    const word = wordUnder(event);
    // Somebody who has just selected text wants to copy it.
    if (word >= 0 && (getSelection()?.isCollapsed ?? true)) {
      place(word);
      playWord(word);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== text.current) {
      return;
    }
    if (event.key === "Enter") {
      playWord(Math.max(placed(), 0));
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

  // The note itself follows what is said; the list asks only whether there is one.
  const renderNote = ({ id, start }: { id?: string; start: number }) =>
    id !== undefined && (commenting?.on || commenting?.draft?.line === id || commenting?.byLine.has(id)) ? (
      <LineNote line={id} start={start} />
    ) : null;

  const hearing = live && {
    // The one Tab stop of a text whose words are moved through by arrows.
    tabIndex: 0,
    onPointerDown: wordsNow,
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
        aria-label={live ? `${t("text.label")}. ${t("text.keys")}` : t("text.label")}
        data-testid="shared-text"
        lang={language}
        className="transcript-text"
        {...hearing}
      >
        <SegmentList
          ref={list}
          segments={segments}
          firstWord={timeline.firstWord}
          timed={timed}
          onPlay={live ? playFrom : undefined}
          renderSpeaker={renderSpeaker}
          renderNote={renderNote}
          onRendered={refresh}
        />
      </div>
    </>
  );
}
