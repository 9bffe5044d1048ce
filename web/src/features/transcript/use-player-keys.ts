/** Binds the player's keys for as long as the page is there. */
import { useEffect } from "react";
import { belongsElsewhere, commandFor } from "./player-keys";
import { type PlayerStore, RATES } from "./player-store";

export function usePlayerKeys(player: PlayerStore): void {
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      const command = event.defaultPrevented ? null : commandFor(event);
      if (!command || belongsElsewhere(event.target, command)) {
        return;
      }
      event.preventDefault();
      const state = player.getState();
      switch (command.kind) {
        case "toggle":
          state.toggle();
          break;
        case "skip":
          state.skip(command.seconds);
          break;
        case "rate":
          state.setRate(rateBeside(state.rate, command.step));
          break;
      }
    };
    window.addEventListener("keydown", heard);
    return () => window.removeEventListener("keydown", heard);
  }, [player]);
}

/** The next speed in that direction, or the same at the end. */
export function rateBeside(rate: number, step: 1 | -1): number {
  const at = RATES.findIndex((candidate) => candidate >= rate);
  return RATES[(at < 0 ? RATES.length - 1 : at) + step] ?? rate;
}
