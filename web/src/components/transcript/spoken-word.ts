/**
 * Marks one word of the rendered text by an attribute, outside React: the mark moves several times a second and must
 * cost neither a render nor a layout. Rows come and go while the reader scrolls, so the mark is set again after that.
 */

export interface WordMark {
  /** Marks the word of this number, or none for -1. Gives its element when it is on the page. */
  show: (word: number) => HTMLElement | null;
  /** Marks again after rows have been rendered. */
  refresh: () => HTMLElement | null;
  /** Takes the mark off. */
  clear: () => void;
}

export const WORD_ATTRIBUTE = "data-w";

export function createWordMark(container: HTMLElement, attribute: string): WordMark {
  let current = -1;
  let marked: HTMLElement | null = null;
  const refresh = () => {
    const element = current < 0 ? null : container.querySelector<HTMLElement>(`[${WORD_ATTRIBUTE}="${current}"]`);
    if (element !== marked) {
      marked?.removeAttribute(attribute);
      element?.setAttribute(attribute, "");
      marked = element;
    }
    return element;
  };
  return {
    show: (word) => {
      if (word === current && marked?.isConnected) {
        return marked;
      }
      current = word;
      return refresh();
    },
    refresh,
    clear: () => {
      current = -1;
      refresh();
    },
  };
}

/** The number of the word under a click, or -1: also of a word that has come between the button's going down and up. */
export function wordUnder({
  target,
  clientX,
  clientY,
}: Pick<MouseEvent, "clientX" | "clientY"> & { target: EventTarget | null }): number {
  const word = wordOf(target);
  const inside = word < 0 && target instanceof Element ? document.elementFromPoint(clientX, clientY) : null;
  return inside && target instanceof Node && target.contains(inside) ? wordOf(inside) : word;
}

/** The number of the word that this click or key is about, or -1. */
export function wordOf(target: EventTarget | null): number {
  const element = target instanceof Element ? target.closest(`[${WORD_ATTRIBUTE}]`) : null;
  return element ? Number(element.getAttribute(WORD_ATTRIBUTE)) : -1;
}
