/** Shift and arrows select words of the text as they do letters in a field. */
import { WORD_ATTRIBUTE } from "@/domain/transcript/spoken-word";

export interface WordSelection {
  /**
   * The reader goes from one word to another: with Shift that selects from where the selection began, and gives the words;
   * without it, nothing is selected any more.
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
      // The end at which it grows is that of the word one has come to.
      const forward = to >= anchor;
      selection.setBaseAndExtent(first, forward ? 0 : first.childNodes.length, last, forward ? last.childNodes.length : 0);
      return selection.toString();
    },
  };
}
