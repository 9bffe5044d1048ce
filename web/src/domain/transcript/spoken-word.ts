/**
 * Marks one element of the rendered text by attributes, outside React: the mark moves several times a second and must cost
 * neither a render nor a layout. Rows are mounted and unmounted while scrolling, so the mark is set again after that.
 */

interface Mark<Key> {
  /** Marks the element with this key; returns it if it is on the page. */
  show: (key: Key) => HTMLElement | null;
  /** Marks again after rows have been rendered. */
  refresh: () => HTMLElement | null;
  /** Removes the mark. */
  clear: () => void;
}

/** The number of a word; -1 for none. */
export type WordMark = Mark<number>;
/** The key of a row; null for none. */
export type RowMark = Mark<string | null>;

export const WORD_ATTRIBUTE = "data-w";
/** Returns the key of a view's row. */
export const ROW_ATTRIBUTE = "data-row";

function createMark<Key>(
  container: HTMLElement,
  attributes: Record<string, string>,
  { none, selector }: { none: Key; selector: (key: Key) => string },
): Mark<Key> {
  let current = none;
  let marked: HTMLElement | null = null;
  const refresh = () => {
    const element = current === none ? null : container.querySelector<HTMLElement>(selector(current));
    if (element !== marked) {
      for (const [name, value] of Object.entries(attributes)) {
        marked?.removeAttribute(name);
        element?.setAttribute(name, value);
      }
      marked = element;
    }
    return element;
  };
  return {
    show: (key) => {
      if (key === current && marked?.isConnected) {
        return marked;
      }
      current = key;
      return refresh();
    },
    refresh,
    clear: () => {
      current = none;
      refresh();
    },
  };
}

export const createWordMark = (container: HTMLElement, attribute: string): WordMark =>
  createMark(container, { [attribute]: "" }, { none: -1, selector: (word) => `[${WORD_ATTRIBUTE}="${word}"]` });

export const createRowMark = (container: HTMLElement, attributes: Record<string, string>): RowMark =>
  createMark<string | null>(container, attributes, {
    none: null,
    selector: (row) => `[${ROW_ATTRIBUTE}="${CSS.escape(row ?? "")}"]`,
  });

/** The number of the word under a click, or -1; also if the word was rendered between mousedown and mouseup. */
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
