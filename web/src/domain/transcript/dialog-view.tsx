/** A text as a conversation: the speakers with even numbers on one side, those with odd ones on the other. */
import { Play } from "lucide-react";
import { Fragment, type MouseEvent, useCallback, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";
import { formatClock } from "@/lib/format";
import { renderWordsNow } from "./deferred-words";
import { LanguageMark } from "./language-mark";
import { langOf, languagesOf, newLanguage } from "./languages";
import { keyOf, rowName, type SpokenSegment } from "./model";
import type { PlayerStore } from "./player-store";
import { releaseFocus } from "./pointer-focus";
import { SegmentWords } from "./segment-words";
import { SpeakerLabel } from "./speaker-label";
import { type NamedSpeaker, namesOf, speakerColour, speakerNumber, speakerSign } from "./speakers";
import { ROW_ATTRIBUTE, wordUnder } from "./spoken-word";
import type { Timeline } from "./timeline";
import { type Turn, turnsOf } from "./turns";
import { useRowAt } from "./use-row-at";
import { useSpokenWord } from "./use-spoken-word";
import { WHOLE_ROWS, WindowRows, type WindowRowsHandle } from "./window-rows";
import "./transcript.css";

const LETTERS_A_LINE = 56;
const LINE_PX = 28;
const FRAME_PX = 62;

interface DialogViewProps {
  segments: readonly SpokenSegment[];
  speakers: readonly NamedSpeaker[];
  timeline: Timeline;
  player: PlayerStore;
  language: string;
  /** False if the transcription was made without timestamps. */
  timed?: boolean;
  /** Clicking a word plays from it. */
  live?: boolean;
}

export function DialogView({ segments, speakers, timeline, player, language, timed = true, live = true }: DialogViewProps) {
  const { t } = useTranslation("transcript");
  const names = useMemo(() => namesOf(speakers), [speakers]);
  const turns = useMemo(() => turnsOf(segments), [segments]);
  const several = useMemo(() => languagesOf(segments, language).length > 1, [segments, language]);
  const languageAt = (at: number) => (several ? newLanguage(segments[at - 1], segments[at], language) : undefined);
  const container = useRef<HTMLDivElement>(null);
  const rows = useRef<WindowRowsHandle>(null);
  const bringIn = useCallback((segment: number) => rows.current?.scrollToRow(turns.findIndex(({ to }) => segment < to)), [turns]);
  const rowAt = useRowAt(segments);
  const spoken = useSpokenWord({ container, timeline, player, bringIn, rowAt });
  const playFrom = (seconds: number) => {
    spoken.setFollowing(true);
    player.getState().playFrom(seconds);
  };
  const onClick = (event: MouseEvent) => {
    const start = timeline.starts[wordUnder(event)];
    if (start !== undefined && (getSelection()?.isCollapsed ?? true)) {
      playFrom(start);
    }
  };
  const row = (at: number) => {
    const turn = turns[at];
    const turnSegments = turn && segments.slice(turn.from, turn.to);
    const first = turnSegments?.[0];
    if (!turn || !turnSegments || !first) {
      return null;
    }
    const right = turn.speaker !== null && speakerNumber(turn.speaker) % 2 === 1;
    return (
      <article
        data-testid="turn"
        data-side={right ? "right" : "left"}
        className={cx(
          "flex max-w-[42rem] flex-col pb-4",
          right ? "ml-auto items-end pl-6 sm:pl-16" : "mr-auto items-start pr-6 sm:pr-16",
        )}
      >
        <header className="mb-1 flex max-w-full items-baseline gap-2">
          {turn.speaker !== null && (
            <SpeakerLabel id={turn.speaker} name={names.get(turn.speaker) ?? speakerSign(turn.speaker)} />
          )}
          {live ? (
            <button
              type="button"
              tabIndex={-1}
              aria-label={timed ? t("text.segment", { time: formatClock(first.start) }) : t("text.play")}
              className="figures rounded px-1 text-xs text-ink-faint hover:bg-accent-wash hover:text-accent-strong"
              onClick={(event) => {
                releaseFocus(event);
                playFrom(first.start);
              }}
            >
              {timed ? formatClock(first.start) : <Play aria-hidden="true" className="size-3.5" />}
            </button>
          ) : (
            timed && <span className="figures px-1 text-xs text-ink-faint">{formatClock(first.start)}</span>
          )}
        </header>
        <p
          className={cx(
            "rounded-lg border border-rule bg-paper-raised px-4 py-2.5 font-serif text-[1.0625rem] leading-relaxed",
            right ? "border-r-4" : "border-l-4",
          )}
          style={
            turn.speaker === null ? undefined : { [right ? "borderRightColor" : "borderLeftColor"]: speakerColour(turn.speaker) }
          }
        >
          {turnSegments.map((segment, inner) => {
            const begins = languageAt(turn.from + inner);
            return (
              <Fragment key={keyOf(segment, turn.from + inner)}>
                {inner > 0 && " "}
                {begins !== undefined && (
                  <>
                    <LanguageMark code={begins} />{" "}
                  </>
                )}
                <span lang={langOf(segment, language)} className="dialog-line" {...{ [ROW_ATTRIBUTE]: rowName(segment) }}>
                  <SegmentWords
                    segment={segment}
                    firstWord={timeline.firstWord[turn.from + inner] ?? 0}
                    live={live}
                    late={turns.length > WHOLE_ROWS}
                  />
                </span>
              </Fragment>
            );
          })}
        </p>
      </article>
    );
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the words are heard by keyboard in the text's own view */}
      <div ref={container} lang={language} onPointerDown={renderWordsNow} onClick={live ? onClick : undefined}>
        <WindowRows
          ref={rows}
          order={turns}
          count={turns.length}
          keyOf={(at) => keyOfTurn(segments, turns, at)}
          estimate={(at) => estimate(segments, turns[at])}
          row={row}
          onRendered={spoken.refresh}
        />
      </div>
    </>
  );
}

function estimate(segments: readonly { text: string }[], turn: { from: number; to: number } | undefined): number {
  let letters = 0;
  for (let at = turn?.from ?? 0; at < (turn?.to ?? 0); at += 1) {
    letters += (segments[at]?.text.length ?? 0) + 1;
  }
  return Math.ceil(letters / LETTERS_A_LINE) * LINE_PX + FRAME_PX;
}

function keyOfTurn(segments: readonly SpokenSegment[], turns: readonly Turn[], at: number): string | number {
  const from = turns[at]?.from ?? 0;
  const first = segments[from];
  return first ? keyOf(first, from) : at;
}
