/** The finished text with its player: a word plays from itself, the spoken word is marked, the view follows. */
import { LocateFixed } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Job, Transcript } from "@/api";
import { Button } from "@/components/button";
import { Columns } from "./columns";
import { scrollPageBy } from "./page-scroll";
import { Player } from "./player";
import { type PlayerStore, selectPlaying } from "./player-store";
import { SegmentList, type SegmentListHandle } from "./segment-list";
import { createWordMark, type WordMark, wordOf } from "./spoken-word";
import { buildTimeline, segmentAt, wordAt } from "./timeline";
import { useReaderScrolls } from "./use-reader-scrolls";
import { moveCursor } from "./word-cursor";

/** The marked word stays between these shares of the window's height. */
const BAND_TOP = 0.16;
const BAND_BOTTOM = 0.68;
/** After moving, it stands here. */
const REST = 0.34;

/** Says to the player's keys that the arrows belong to the text now. */
const ARROW_KEYS = "data-arrow-keys";

interface ReadingViewProps {
  job: Job;
  transcript: Transcript;
  player: PlayerStore;
}

export function ReadingView({ job, transcript, player }: ReadingViewProps) {
  const { t } = useTranslation("transcript");
  const { segments } = transcript;
  const timeline = useMemo(() => buildTimeline(segments), [segments]);
  const text = useRef<HTMLDivElement>(null);
  const list = useRef<SegmentListHandle>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const marks = useRef<{ spoken: WordMark; cursor: WordMark } | null>(null);
  const cursor = useRef(-1);
  const [following, setFollowing] = useState(true);
  const playing = useStore(player, selectPlaying);
  useReaderScrolls(() => setFollowing(false));

  useEffect(() => {
    if (!text.current) {
      return;
    }
    const spoken = createWordMark(text.current, "data-spoken");
    const placed = createWordMark(text.current, "data-cursor");
    placed.show(cursor.current);
    marks.current = { spoken, cursor: placed };
    return () => {
      spoken.clear();
      placed.clear();
      marks.current = null;
    };
  }, []);

  useEffect(() => {
    let shown = -1;
    const follow = () => {
      const { time, playing: sounding } = player.getState();
      const word = time > 0 || sounding ? wordAt(timeline, time) : -1;
      const element = marks.current?.spoken.show(word) ?? null;
      if (word === shown || word < 0) {
        return;
      }
      shown = word;
      if (following && sounding) {
        keepInView(element, () => list.current?.scrollToSegment(segmentAt(timeline, time)));
      }
    };
    follow();
    return player.subscribe(follow);
  }, [player, timeline, following]);

  const refreshMarks = useCallback(() => {
    marks.current?.spoken.refresh();
    marks.current?.cursor.refresh();
  }, []);

  const playFrom = useCallback(
    (seconds: number) => {
      setFollowing(true);
      player.getState().playFrom(seconds);
    },
    [player],
  );

  const playWord = (word: number) => {
    const start = timeline.starts[word];
    if (start !== undefined) {
      playFrom(start);
    }
  };

  const onClick = (event: MouseEvent) => {
    const word = wordOf(event.target);
    // Somebody who has just selected text wants to copy it.
    if (word >= 0 && (getSelection()?.isCollapsed ?? true)) {
      placeCursor(word);
      playWord(word);
    }
  };

  const placeCursor = (word: number) => {
    cursor.current = word;
    return marks.current?.cursor.show(word) ?? null;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== text.current) {
      return;
    }
    if (event.key === "Enter") {
      playWord(Math.max(cursor.current, 0));
      return;
    }
    if (!text.current?.hasAttribute(ARROW_KEYS)) {
      return;
    }
    const next = moveCursor(timeline, cursor.current, event.key);
    if (next === null) {
      return;
    }
    event.preventDefault();
    setFollowing(false);
    const element = placeCursor(next);
    keepInView(element, () => list.current?.scrollToSegment(timeline.segmentOf[next] ?? 0));
    if (said.current) {
      said.current.textContent = element?.textContent ?? "";
    }
  };

  // Who works with the mouse expects the arrows to skip in the recording; who came by Tab moves through the words.
  const arrowsMoveCursor = (yes: boolean) => text.current?.toggleAttribute(ARROW_KEYS, yes);

  const onFocus = () => {
    if (cursor.current < 0) {
      placeCursor(Math.max(0, wordAt(timeline, player.getState().time)));
    }
  };

  return (
    <>
      <Columns job={job} transcript={transcript}>
        <h3 className="sr-only">{t("text.label")}</h3>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of running text, not of form fields */}
        <div
          ref={text}
          role="group"
          aria-label={`${t("text.label")}. ${t("text.keys")}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the one Tab stop of a text whose words are moved through by arrows
          tabIndex={0}
          {...{ [ARROW_KEYS]: "" }}
          data-testid="transcript-text"
          lang={transcript.language}
          className="transcript-text"
          onClick={onClick}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
          onPointerDown={() => arrowsMoveCursor(false)}
          onBlur={() => arrowsMoveCursor(true)}
        >
          <SegmentList
            ref={list}
            segments={segments}
            firstWord={timeline.firstWord}
            onPlay={playFrom}
            onRendered={refreshMarks}
          />
        </div>
      </Columns>
      <p ref={said} className="sr-only" aria-live="polite" />
      <Player job={job} segments={segments} player={player}>
        {playing && !following && (
          <Button
            size="small"
            className="absolute -top-12 left-1/2 -translate-x-1/2 shadow-sheet"
            onClick={() => setFollowing(true)}
          >
            <LocateFixed aria-hidden="true" />
            {t("text.toSpoken")}
          </Button>
        )}
      </Player>
    </>
  );
}

function keepInView(element: HTMLElement | null, bringIn: () => void): void {
  if (!element) {
    bringIn();
    return;
  }
  const { top } = element.getBoundingClientRect();
  const share = top / window.innerHeight;
  if (share < BAND_TOP || share > BAND_BOTTOM) {
    scrollPageBy(top - window.innerHeight * REST);
  }
}
