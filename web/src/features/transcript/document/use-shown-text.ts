/** The text as shown by its rows: an edited row is rendered in a frame of its own. */
import { useStore } from "zustand";
import { changedRange } from "@/domain/transcript/changed-range";
import { useDeferredStore } from "@/hooks/use-deferred-store";
import type { Text } from "./apply";
import type { DocumentStore } from "./document-store";

type ShownText = Pick<Text, "segments" | "positions">;

const identity = (state: ShownText): ShownText => state;

const isSame = (one: ShownText, other: ShownText) => one.segments === other.segments && one.positions === other.positions;

/** Whether only the segment with the field has changed. */
function isInField(before: ShownText, after: ShownText, field: string | null): boolean {
  const at = field === null ? undefined : after.positions.get(field);
  if (at === undefined || before.positions !== after.positions) {
    return false;
  }
  const stretch = changedRange(before.segments, after.segments);
  return stretch?.from === at && stretch.to === at + 1;
}

/**
 * Text typed into the `field` is shown by other rows a frame later, because the field already shows it; all other
 * changes at once.
 */
export function useShownText(document: DocumentStore, field: string | null): ShownText {
  const painted = useDeferredStore(document, identity, isSame);
  return useStore(document, (state) => (isSame(painted, state) || isInField(painted, state, field) ? painted : state));
}
