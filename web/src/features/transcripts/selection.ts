/** The selected rows of the list. Only visible rows are selected: a row that leaves the list is deselected. */

export interface Selection {
  ids: ReadonlySet<string>;
  /** The row from which Shift extends the selection. */
  anchor: string | null;
}

export const EMPTY_SELECTION: Selection = { ids: new Set(), anchor: null };

/** Selects or deselects a row; with `reach`, also all rows between the last one and it. */
export function toggled(selection: Selection, order: readonly string[], id: string, reach: boolean): Selection {
  const ids = new Set(selection.ids);
  const choose = !ids.has(id);
  for (const reached of reach ? between(order, selection.anchor, id) : [id]) {
    if (choose) ids.add(reached);
    else ids.delete(reached);
  }
  return { ids, anchor: id };
}

/** All rows, or none if all are chosen. */
export const toggledAll = (selection: Selection, order: readonly string[]): Selection =>
  order.every((id) => selection.ids.has(id)) ? EMPTY_SELECTION : { ids: new Set(order), anchor: selection.anchor };

/** The selection after the list has changed; the same object if nothing was deselected. */
export function keepVisible(selection: Selection, order: readonly string[]): Selection {
  const present = new Set(order);
  const ids = [...selection.ids].filter((id) => present.has(id));
  return ids.length === selection.ids.size ? selection : { ids: new Set(ids), anchor: selection.anchor };
}

function between(order: readonly string[], one: string | null, other: string): readonly string[] {
  const [a, b] = [one === null ? -1 : order.indexOf(one), order.indexOf(other)];
  return a < 0 || b < 0 ? [other] : order.slice(Math.min(a, b), Math.max(a, b) + 1);
}
