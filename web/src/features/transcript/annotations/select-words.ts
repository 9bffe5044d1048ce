/** Shift and arrow keys select words of the text, like characters in a field. */
import { WORD_ATTRIBUTE } from "@/domain/transcript/spoken-word";

export interface WordSelection {
  /**
   * Moves from one word to another. With Shift, extends the selection and returns the selected words; without, clears the
   * selection.
   */
  go: (shift: boolean, from: number, to: number) => string;
}

export function createWordSelection(container: () => HTMLElement | null): WordSelection {
  let anchor = -1;
  const elementOf = (word: number) => container()?.querySelector(`[${WORD_ATTRIBUTE}="${word}"]`) ?? null;
  return {
    go: (shift, from, to) => {
      const selection = getSelection();
      if (!shift) {
        if (anchor >= 0) {
          selection?.removeAllRanges();
        }
        anchor = -1;
        return "";
      }
      anchor = anchor < 0 || selection?.isCollapsed ? from : anchor;
      const [first, last] = [elementOf(anchor), elementOf(to)];
      if (!selection || !first || !last) {
        return "";
      }
      // The selection grows at the word that was reached.
      const forward = to >= anchor;
      selection.setBaseAndExtent(first, forward ? 0 : first.childNodes.length, last, forward ? last.childNodes.length : 0);
      return selection.toString();
    },
  };
}
