/** Binds the player's keys while the page is mounted. */
import { useEffect, useEffectEvent } from "react";
import { commandFor, isHandledElsewhere, type PlayerCommand } from "./player-keys";
import type { Span } from "./player-loop";
import { playerPreferences, toggleCaptions } from "./player-preferences";
import { type PlayerStore, RATES } from "./player-store";

/**
 * `selectedSpan` returns the time range selected in the text, `currentLine` the line to replay,
 * `captioned` whether there is a video with subtitles.
 */
export function usePlayerKeys(
  player: PlayerStore,
  selectedSpan: () => Span | null,
  currentLine: () => Span | null,
  captioned = false,
): void {
  const selected = useEffectEvent(selectedSpan);
  const line = useEffectEvent(currentLine);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const press = event.defaultPrevented ? null : commandFor(event);
      if (!press || isHandledElsewhere(event.target, press, event.key)) {
        return;
      }
      if (press.character && !playerPreferences.getState().letterKeys) {
        return;
      }
      if (obey(press.command)) {
        event.preventDefault();
      }
    };
    /** False if there is nothing to do: the key is left to other handlers. */
    const obey = (command: PlayerCommand): boolean => {
      const state = player.getState();
      switch (command.kind) {
        case "toggle":
          state.toggle();
          return true;
        case "skip":
          state.skip(command.seconds);
          return true;
        case "rate":
          state.setRate(nextRate(state.rate, command.step));
          return true;
        case "mark":
          state.markLoop(command.end);
          return true;
        case "loop":
          state.cycleLoop(selected());
          return true;
        case "line": {
          const span = line();
          if (span) {
            state.playOnce(span);
          }
          return span !== null;
        }
        case "captions":
          if (captioned) {
            toggleCaptions();
          }
          return captioned;
        case "end_loop":
          return state.endLoop();
      }
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [player, captioned]);
}

/** The next speed in that direction, or the same at either end. */
export function nextRate(rate: number, step: 1 | -1): number {
  const at = RATES.findIndex((candidate) => candidate >= rate);
  return RATES[(at < 0 ? RATES.length - 1 : at) + step] ?? rate;
}
