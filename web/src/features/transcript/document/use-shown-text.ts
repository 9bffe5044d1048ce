/** The text as its rows show it: the one that is being written in has its frame to itself. */
import { useStore } from "zustand";
import { useStoreSoon } from "@/hooks/use-store-soon";
import type { Text } from "./apply";
import type { DocumentStore } from "./document-store";

type ShownText = Pick<Text, "segments" | "positions">;

const whole = (state: ShownText): ShownText => state;

const same = (one: ShownText, other: ShownText) => one.segments === other.segments && one.positions === other.positions;

/** Segments that come or go are shown at once; what changes within one a frame later, which the field shows already. */
export function useShownText(document: DocumentStore): ShownText {
  const positions = useStore(document, (state) => state.positions);
  const painted = useStoreSoon(document, whole, same);
  return painted.positions === positions ? painted : document.getState();
}
