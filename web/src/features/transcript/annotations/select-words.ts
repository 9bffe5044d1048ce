/** Shift and arrows select words of the text as they do letters in a field. */
import { WORD_ATTRIBUTE } from "@/components/transcript/spoken-word";

export interface WordSelection {
  /** Selects from where the selection began to this word; gives the words. */
  extend: (from: number, to: number) => string;
  /** The reader moves on without Shift. */
  end: () => void;
}

export function createWordSelection(container: () => HTMLElement | null): WordSelection {
  let anchor = -1;
  const elementOf = (word: number) => container()?.querySelector(`[${WORD_ATTRIBUTE}="${word}"]`) ?? null;
  return {
    extend: (from, to) => {
      const selection = getSelection();
      anchor = anchor < 0 || selection?.isCollapsed ? from : anchor;
      const [first, last] = [elementOf(anchor), elementOf(to)];
      if (!selection || !first || !last) {
        return "";
      }
      // The end at which it grows is that of the word one has come to.
      const forward = to >= anchor;
      selection.setBaseAndExtent(
        first,
        forward ? 0 : first.childNodes.length,
        last,
        forward ? last.childNodes.length : 0,
      );
      return selection.toString();
    },
    end: () => {
      if (anchor >= 0) {
        anchor = -1;
        getSelection()?.removeAllRanges();
      }
    },
  };
}
