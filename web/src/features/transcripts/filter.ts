/** The list's search and status, kept in the address: a reload, a link and the back button keep them. */
import { useSearchParams } from "react-router";
import type { JobStatus } from "@/api";
import type { JobFilter } from "@/api/jobs";
import { statusFilters } from "@/rules";

export function useFilter() {
  const [params, setParams] = useSearchParams();
  const filter = parseFilter(params, statusFilters());
  return {
    filter,
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

/** A status that is not offered counts as none: the address can hold anything. */
export function parseFilter(params: URLSearchParams, offered: readonly JobStatus[]): JobFilter {
  const q = params.get("q")?.trim();
  const status = offered.find((one) => one === params.get("status"));
  return { ...(q && { q }), ...(status && { status }) };
}
