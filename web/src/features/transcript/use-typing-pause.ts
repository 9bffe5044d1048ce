/** Tells the player of every key that writes in the text; it pauses for those who wish it. */
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
