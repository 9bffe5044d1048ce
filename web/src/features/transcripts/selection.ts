/** Which rows of the list are chosen. Chosen is what the reader sees: a row that left the list is not chosen any more. */

export interface Selection {
  ids: ReadonlySet<string>;
  /** The row from which Shift reaches. */
  anchor: string | null;
}

export const NOTHING: Selection = { ids: new Set(), anchor: null };

/** Chooses a row or lets it go; with `reach` it does the same with all from the last one to it. */
export function toggled(selection: Selection, order: readonly string[], id: string, reach: boolean): Selection {
  const ids = new Set(selection.ids);
  const choose = !ids.has(id);
  for (const one of reach ? between(order, selection.anchor, id) : [id]) {
    if (choose) ids.add(one);
    else ids.delete(one);
  }
  return { ids, anchor: id };
}

/** All rows, or none if all are chosen. */
export const toggledAll = (selection: Selection, order: readonly string[]): Selection =>
  order.every((id) => selection.ids.has(id)) ? NOTHING : { ids: new Set(order), anchor: selection.anchor };

/** What is left when the list has changed; the same object if nothing is. */
export function within(selection: Selection, order: readonly string[]): Selection {
  const there = new Set(order);
  const ids = [...selection.ids].filter((id) => there.has(id));
  return ids.length === selection.ids.size ? selection : { ids: new Set(ids), anchor: selection.anchor };
}

function between(order: readonly string[], one: string | null, other: string): readonly string[] {
  const [a, b] = [one === null ? -1 : order.indexOf(one), order.indexOf(other)];
  return a < 0 || b < 0 ? [other] : order.slice(Math.min(a, b), Math.max(a, b) + 1);
}
