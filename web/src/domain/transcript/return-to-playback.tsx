/** Returns to the line being played, for a reader who has scrolled away. Placed over the player. */
import { LocateFixed } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { selectScrolledAway } from "./player-following";
import type { PlayerStore } from "./player-store";

interface ToSpokenProps {
  player: PlayerStore;
  /** The button disappears when clicked; keyboard users get the focus here. */
  focusNext: () => void;
}

export function ReturnToPlayback({ player, focusNext }: ToSpokenProps) {
  const { t } = useTranslation("transcript");
  const away = useStore(player, selectScrolledAway);
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
