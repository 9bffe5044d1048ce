/** Back to the line that sounds, for a reader who has gone elsewhere. Over the player, wherever the text is. */
import { LocateFixed } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { selectAway } from "./player-following";
import type { PlayerStore } from "./player-store";

interface ToSpokenProps {
  player: PlayerStore;
  /** The button goes with its click, and the focus of who pressed it by a key goes here. */
  focusNext: () => void;
}

export function ToSpoken({ player, focusNext }: ToSpokenProps) {
  const { t } = useTranslation("transcript");
  const away = useStore(player, selectAway);
  if (!away) {
    return null;
  }
  const onClick = ({ detail }: MouseEvent) => {
    if (detail === 0) {
      focusNext();
    }
    player.getState().follow(true);
  };
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-full mb-3 flex justify-center">
      <Button size="small" className="pointer-events-auto shadow-sheet" onClick={onClick}>
        <LocateFixed aria-hidden="true" />
        {t("text.toSpoken")}
      </Button>
    </div>
  );
}
