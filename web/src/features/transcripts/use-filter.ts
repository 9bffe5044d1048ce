/** The list's search and status, kept in the address: a reload, a link and the back button keep them. */
import { useSearchParams } from "react-router";
import { statusFilters } from "@/rules";
import { parseFilter } from "./filter";

export function useFilter() {
  const [params, setParams] = useSearchParams();
  return {
    filter: parseFilter(params, statusFilters()),
    /** Typing replaces the history entry; the back button leaves the page, not the last letter. */
    setFilter: (change: Partial<Record<"q" | "status", string>>) => {
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [key, value] of Object.entries(change)) {
            if (value) after.set(key, value);
            else after.delete(key);
          }
          return after;
        },
        { replace: true },
      );
    },
  };
}
