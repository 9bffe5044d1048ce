/**
 * The subtitles on the picture, as a text track of the video: the browser shows it in full screen and in a window of its own,
 * too. Only what is near the place that is played is in it, so that a long text costs no more than a short one.
 */
import { type RefObject, useEffect } from "react";
import { useStore } from "zustand";
import { playerPreferences } from "./player-preferences";
import type { PlayerStore } from "./player-store";

/** What stands on the picture for a while. */
export interface Caption {
  /** Seconds. */
  start: number;
  end: number;
  /** Plain text in its lines. */
  text: string;
}

export interface CaptionSource {
  /** Of which something is seen between two places, in seconds. */
  between: (from: number, to: number) => readonly Caption[];
  /** Calls back when the text has changed; returns how to stop. */
  subscribe: (listener: () => void) => () => void;
  language: string;
}

/** So much of the text is in the track, in seconds before and behind the place that is played. */
const BEHIND = 20;
const AHEAD = 90;
/** It is made anew so long before its end is reached. */
const SPARE = 20;

/** A track that was added to a video stays with it for good. */
const tracks = new WeakMap<HTMLMediaElement, TextTrack>();

export function useCaptions(
  element: RefObject<HTMLVideoElement | null>,
  player: PlayerStore,
  source: CaptionSource | undefined,
  label: string,
): void {
  const shown = useStore(playerPreferences, (state) => state.captions);
  useEffect(() => {
    const video = element.current;
    if (!video || !source || typeof VTTCue === "undefined") {
      return;
    }
    const track = tracks.get(video) ?? video.addTextTrack("subtitles", label, source.language);
    tracks.set(video, track);
    const show = () => {
      track.mode = shown ? "showing" : "hidden";
    };
    show();
    // A browser may choose tracks of its own when it has read the file.
    video.addEventListener("loadedmetadata", show);
    if (!shown) {
      return () => video.removeEventListener("loadedmetadata", show);
    }
    let filled = { from: 0, to: -1 };
    const fill = () => {
      const { time } = player.getState();
      filled = { from: Math.max(0, time - BEHIND), to: time + AHEAD };
      refill(track, source.between(filled.from, filled.to));
    };
    const follow = () => {
      const { time } = player.getState();
      if (time < filled.from || time > filled.to - SPARE) {
        fill();
      }
    };
    fill();
    const ends = [player.subscribe(follow), source.subscribe(fill)];
    return () => {
      video.removeEventListener("loadedmetadata", show);
      for (const end of ends) end();
    };
  }, [element, player, source, label, shown]);
}

/** Puts these captions into the track; what is in it already stays, so that nothing on the picture blinks. */
export function refill(track: TextTrack, captions: readonly Caption[]): void {
  const wanted = new Map(captions.map((one) => [nameOf(one.start, one.end, escaped(one.text)), one]));
  for (const cue of [...(track.cues ?? [])] as VTTCue[]) {
    const name = nameOf(cue.startTime, cue.endTime, cue.text);
    if (wanted.has(name)) {
      wanted.delete(name);
    } else {
      track.removeCue(cue);
    }
  }
  for (const { start, end, text } of wanted.values()) {
    track.addCue(new VTTCue(start, end, escaped(text)));
  }
}

const nameOf = (start: number, end: number, text: string) => `${start} ${end} ${text}`;

/** Text of WebVTT, in which `<` begins a tag and `&` a character's name. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
