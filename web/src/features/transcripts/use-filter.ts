/** The list's search and filters, kept in the address: a reload, a link and the back button keep them. */
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { offeredLanguages, statusFilters } from "@/rules";
import { FILTER_KEYS, parseFilter } from "./filter";

export type FilterChange = Partial<Record<(typeof FILTER_KEYS)[number], string>>;

export function useFilter() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => parseFilter(params, { statuses: statusFilters(), languages: offeredLanguages("full") }), [params]);
  /** Typing replaces the history entry; the back button leaves the page, not the last letter. */
  const setFilter = (change: FilterChange) => {
    // The address, which is ahead of what is rendered: two changes in a row must both hold.
    const after = new URLSearchParams(window.location.search);
    for (const [key, value] of Object.entries(change)) {
      if (value) after.set(key, value);
      else after.delete(key);
    }
    setParams(after, { replace: true });
  };
  const reset = () => setFilter(Object.fromEntries(FILTER_KEYS.map((key) => [key, ""])));
  return { filter, setFilter, reset };
}
