/** The order of the list, as the address and the server write it: `-` before a word is the other way. */

export const SORTED_BY = ["date", "name", "length", "state"] as const;
export type SortedBy = (typeof SORTED_BY)[number];
export type Sort = SortedBy | `-${SortedBy}`;

/** The newest first, which the address does not say. */
export const USUAL: Sort = "-date";

/** All orders, each beginning with the one that is usually wanted. */
export const SORTS: readonly Sort[] = ["-date", "date", "name", "-name", "-length", "length", "state", "-state"];

/** What is no order counts as none: the address can hold anything. */
export const parseSort = (text: string | null): Sort => SORTS.find((one) => one === text) ?? USUAL;

/** What a press on a column's head asks for: its usual order, and then the other way. */
export function pressed(sort: Sort, by: SortedBy): Sort {
  const [first = USUAL, other = USUAL] = SORTS.filter((one) => one === by || one === `-${by}`);
  return sort === first ? other : first;
}

/** What a column's head says of the order. */
export function ariaSort(sort: Sort, by: SortedBy): "ascending" | "descending" | "none" {
  if (sort === by) return "ascending";
  return sort === `-${by}` ? "descending" : "none";
}
