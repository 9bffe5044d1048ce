/** The text as its rows show it: the one that is being written in has its frame to itself. */
import { useStore } from "zustand";
import { changedStretch } from "@/domain/transcript/changed-stretch";
import { useStoreSoon } from "@/hooks/use-store-soon";
import type { Text } from "./apply";
import type { DocumentStore } from "./document-store";

type ShownText = Pick<Text, "segments" | "positions">;

const whole = (state: ShownText): ShownText => state;

const isSame = (one: ShownText, other: ShownText) => one.segments === other.segments && one.positions === other.positions;

/** Whether nothing but the segment with the field says something else. */
function isInField(before: ShownText, now: ShownText, field: string | null): boolean {
  const at = field === null ? undefined : now.positions.get(field);
  if (at === undefined || before.positions !== now.positions) {
    return false;
  }
  const stretch = changedStretch(before.segments, now.segments);
  return stretch?.from === at && stretch.to === at + 1;
}

/** What is written in the segment of the `field` comes a frame later, the field shows it already; everything else at once. */
export function useShownText(document: DocumentStore, field: string | null): ShownText {
  const painted = useStoreSoon(document, whole, isSame);
  return useStore(document, (state) => (isSame(painted, state) || isInField(painted, state, field) ? painted : state));
}
