/** The player of the page, docked at its foot, within reach of the thumb on a phone. */
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import type { CaptionSource } from "./captions";
import { lineAt } from "./line-at";
import type { SpokenSegment } from "./model";
import { PLAYER_ATTRIBUTE } from "./page-scroll";
import { PlayerControls } from "./player-controls";
import type { Span } from "./player-loop";
import { Media, type MediaLink } from "./player-media";
import { type PlayerFailure as Failure, type PlayerStore, selectFailure } from "./player-store";
import { ReturnToPlayback } from "./return-to-playback";
import { SeekBar } from "./seek-bar";
import { selectedSpan as spanOfSelection } from "./selected-span";
import { timelineOf } from "./timeline";
import { usePlayerKeys } from "./use-player-keys";

interface PlayerProps {
  link: MediaLink;
  hasVideo: boolean;
  segments: readonly SpokenSegment[];
  player: PlayerStore;
  /** Loudness through the recording, from 0 to 1; without it the bar shows where speech is. */
  peaks?: readonly number[] | undefined;
  /** The time range selected in the text; without it the words rendered by `SegmentRow` are used. */
  selectedSpan?: () => Span | null;
  /** The audio track that was transcribed; the default one if absent. */
  track?: number | null | undefined;
  /** The line to replay; without it the one being played. */
  currentLine?: () => Span | null;
  /** The subtitles shown on the video. */
  captions?: CaptionSource;
  /** Opens the list of shortcuts. */
  onHelp?: () => void;
}

export function Player(props: PlayerProps) {
  const { link, hasVideo, segments, player, peaks, selectedSpan, currentLine, track, captions, onHelp } = props;
  const { t } = useTranslation("player");
  const failure = useStore(player, selectFailure);
  const selected = selectedSpan ?? (() => spanOfSelection(getSelection(), timelineOf(segments)));
  const line = currentLine ?? (() => lineAt(segments, player.getState().time));
  usePlayerKeys(player, selected, line, hasVideo && captions !== undefined);
  const dock = useRef<HTMLElement>(null);
  return (
    <section
      ref={dock}
      {...{ [PLAYER_ATTRIBUTE]: "" }}
      aria-label={t("label")}
      className="sticky bottom-0 z-20 -mx-4 border-t border-rule-strong bg-paper-raised px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-sheet md:mx-0 md:rounded-t-lg md:border-x max-lg:[@media(max-height:499px)]:flex max-lg:[@media(max-height:499px)]:items-center max-lg:[@media(max-height:499px)]:gap-3"
    >
      <ReturnToPlayback
        player={player}
        focusNext={() => dock.current?.querySelector<HTMLElement>("[data-tour='play']")?.focus()}
      />
      <Media link={link} hasVideo={hasVideo} track={track} captions={captions} player={player} />
      {failure && <PlayerFailure failure={failure} onRetry={player.getState().retry} />}
      {failure !== "format" && (
        <div className="flex min-w-0 grow flex-col gap-1 sm:[@media(max-height:499px)]:flex-row sm:[@media(max-height:499px)]:items-center lg:flex-row lg:items-center lg:gap-4">
          <div className="flex min-w-0 sm:[@media(max-height:499px)]:order-2 sm:[@media(max-height:499px)]:grow lg:order-2 lg:grow">
            <SeekBar player={player} segments={segments} peaks={peaks} />
          </div>
          <div className="-mx-2 flex items-center justify-center sm:[@media(max-height:499px)]:order-1 sm:mx-0 sm:gap-1 lg:order-1">
            <PlayerControls player={player} disabled={failure !== null} selectedSpan={selected} onHelp={onHelp} />
          </div>
        </div>
      )}
    </section>
  );
}

function PlayerFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const { t } = useTranslation("player");
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 py-1">
      <p className="max-w-[60ch] text-sm text-ink-soft">{t(failure === "format" ? "failed" : "unreachable")}</p>
      <Button size="small" onClick={onRetry}>
        {t("failedRetry")}
      </Button>
    </div>
  );
}
