/**
 * The subtitles on the video as a text track: the browser also shows it in full screen and picture-in-picture.
 * It holds only cues near the playback position, so that a long text costs no more than a short one.
 */
import { type RefObject, useEffect } from "react";
import { useStore } from "zustand";
import { playerPreferences } from "./player-preferences";
import type { PlayerStore } from "./player-store";

/** A caption on the video. */
export interface Caption {
  /** Seconds. */
  start: number;
  end: number;
  /** Plain text in its lines. */
  text: string;
}

export interface CaptionSource {
  /** Captions visible between two times, in seconds. */
  between: (from: number, to: number) => readonly Caption[];
  /** Calls back when the text has changed; returns the unsubscribe function. */
  subscribe: (listener: () => void) => () => void;
  language: string;
}

/** Seconds of text that the track holds before and after the playback position. */
const BEHIND = 20;
const AHEAD = 90;
/** Seconds before the end of the track's content at which it is refilled. */
const SPARE = 20;

/** A track added to a video cannot be removed. */
const tracks = new WeakMap<HTMLMediaElement, TextTrack>();

export function useCaptions(
  element: RefObject<HTMLVideoElement | null>,
  player: PlayerStore,
  source: CaptionSource | undefined,
  label: string,
): void {
  const visible = useStore(playerPreferences, (state) => state.captions);
  useEffect(() => {
    const video = element.current;
    if (!video || !source || typeof VTTCue === "undefined") {
      return;
    }
    const track = tracks.get(video) ?? video.addTextTrack("subtitles", label, source.language);
    tracks.set(video, track);
    const show = () => {
      track.mode = visible ? "showing" : "hidden";
    };
    show();
    // A browser may choose tracks of its own when it has read the file.
    video.addEventListener("loadedmetadata", show);
    if (!visible) {
      return () => video.removeEventListener("loadedmetadata", show);
    }
    let filled = { from: 0, to: -1 };
    const fill = () => {
      const { time } = player.getState();
      filled = { from: Math.max(0, time - BEHIND), to: time + AHEAD };
      updateTrack(track, source.between(filled.from, filled.to));
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
  }, [element, player, source, label, visible]);
}

/** Puts these captions into the track; existing cues stay, to avoid flicker. */
export function updateTrack(track: TextTrack, captions: readonly Caption[]): void {
  const missing = new Map(captions.map((caption) => [nameOf(caption.start, caption.end, escaped(caption.text)), caption]));
  for (const cue of [...(track.cues ?? [])] as VTTCue[]) {
    const name = nameOf(cue.startTime, cue.endTime, cue.text);
    if (missing.has(name)) {
      missing.delete(name);
    } else {
      track.removeCue(cue);
    }
  }
  for (const { start, end, text } of missing.values()) {
    track.addCue(new VTTCue(start, end, escaped(text)));
  }
}

const nameOf = (start: number, end: number, text: string) => `${start} ${end} ${text}`;

/** Text of WebVTT, in which `<` begins a tag and `&` a character's name. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
