/** Sort orders of the list, in the syntax of the URL and the server: `-` reverses the order. */

export const SORTED_BY = ["date", "name", "length", "state"] as const;
export type SortedBy = (typeof SORTED_BY)[number];
export type Sort = SortedBy | `-${SortedBy}`;

/** The newest first; the default, which is not in the URL. */
export const DEFAULT_SORT: Sort = "-date";

/** All orders; for each key, the more common one first. */
export const SORTS: readonly Sort[] = ["-date", "date", "name", "-name", "-length", "length", "state", "-state"];

/** An unknown order is ignored: the URL can contain anything. */
export const parseSort = (text: string | null): Sort => SORTS.find((option) => option === text) ?? DEFAULT_SORT;

/** The order after a click on a column's heading: its common order, then the reverse. */
export function toggledSort(sort: Sort, by: SortedBy): Sort {
  const [first = DEFAULT_SORT, other = DEFAULT_SORT] = SORTS.filter((option) => option === by || option === `-${by}`);
  return sort === first ? other : first;
}

/** `aria-sort` of a column's heading. */
export function ariaSort(sort: Sort, by: SortedBy): "ascending" | "descending" | "none" {
  if (sort === by) return "ascending";
  return sort === `-${by}` ? "descending" : "none";
}
