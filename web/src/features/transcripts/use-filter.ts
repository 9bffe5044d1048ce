/** The list's search, filters and order, kept in the address: a reload, a link and the back button keep them. */
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { offeredLanguages, statusFilters } from "@/rules";
import { FILTER_KEYS, parseFilter } from "./filter";
import { parseSort, type Sort, USUAL } from "./sorting";

export type FilterChange = Partial<Record<(typeof FILTER_KEYS)[number], string>>;

export function useFilter() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => parseFilter(params, { statuses: statusFilters(), languages: offeredLanguages("full") }), [params]);
  /** Typing replaces the history entry; the back button leaves the page, not the last letter. */
  const change = (changed: FilterChange & { sort?: string }) => {
    // The address, which is ahead of what is rendered: two changes in a row must both hold.
    const after = new URLSearchParams(window.location.search);
    for (const [key, value] of Object.entries(changed)) {
      if (value) after.set(key, value);
      else after.delete(key);
    }
    setParams(after, { replace: true });
  };
  const setFilter = (filter: FilterChange) => change(filter);
  const setSort = (sort: Sort) => change({ sort: sort === USUAL ? "" : sort });
  /** The order holds nothing back, so it stays. */
  const reset = () => setFilter(Object.fromEntries(FILTER_KEYS.map((key) => [key, ""])));
  return { filter, sort: parseSort(params.get("sort")), setFilter, setSort, reset };
}
