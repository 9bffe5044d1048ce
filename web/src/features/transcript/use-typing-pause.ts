/** Notifies the player of every key typed in the text, so that playback can pause. */
import { useEffect } from "react";
import type { PlayerStore } from "@/domain/transcript/player-store";
import type { DocumentStore } from "./document/document-store";

export function useTypingPause(document: DocumentStore, player: PlayerStore): void {
  useEffect(
    () =>
      document.subscribe(({ draft }, before) => {
        if (draft !== null && draft !== before.draft) {
          player.getState().typing();
        }
      }),
    [document, player],
  );
}
