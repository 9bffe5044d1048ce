/**
 * The list's search, filters and order, stored in the URL: they survive a reload, a shared link and the Back button.
 */
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { offeredLanguages, statusFilters } from "@/rules";
import { FILTER_KEYS, parseFilter } from "./filter";
import { DEFAULT_SORT, parseSort, type Sort } from "./sorting";

export type FilterChange = Partial<Record<(typeof FILTER_KEYS)[number], string>>;

export function useFilter() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => parseFilter(params, { statuses: statusFilters(), languages: offeredLanguages("full") }), [params]);
  /** Typing replaces the history entry, so that the Back button leaves the page instead of removing a letter. */
  const change = (changed: FilterChange & { sort?: string }) => {
    // The URL is newer than the rendered state: two changes in a row must both apply.
    const after = new URLSearchParams(window.location.search);
    for (const [key, value] of Object.entries(changed)) {
      if (value) after.set(key, value);
      else after.delete(key);
    }
    setParams(after, { replace: true });
  };
  const setFilter = (filter: FilterChange) => change(filter);
  const setSort = (sort: Sort) => change({ sort: sort === DEFAULT_SORT ? "" : sort });
  /** The order hides nothing, so it is kept. */
  const reset = () => setFilter(Object.fromEntries(FILTER_KEYS.map((key) => [key, ""])));
  return { filter, sort: parseSort(params.get("sort")), setFilter, setSort, reset };
}
