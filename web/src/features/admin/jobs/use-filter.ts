/** The filter, stored in the URL: it survives a reload, a shared link and the Back button. */
import { useSearchParams } from "react-router";
import type { AdminJobFilter } from "@/api/admin-jobs";
import { isDay } from "@/lib/local-day";
import { statusFilters } from "@/rules";

const KEYS = ["q", "user", "status", "from", "to"] as const;

/** Unknown values and invalid days are ignored: the URL can hold anything. */
export function parseFilter(params: URLSearchParams): AdminJobFilter {
  const given = (key: (typeof KEYS)[number]) => params.get(key)?.trim() ?? "";
  const [q, user] = [given("q"), given("user")];
  const status = statusFilters().find((known) => known === given("status"));
  const [from, to] = [given("from"), given("to")].map((day) => (isDay(day) ? day : ""));
  return {
    ...(q && { q }),
    ...(user && { user }),
    ...(status && { status }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

export type FilterChange = Partial<Record<(typeof KEYS)[number], string>>;

export function useFilter() {
  const [params, setParams] = useSearchParams();
  const filter = parseFilter(params);
  return {
    filter,
    filtered: Object.keys(filter).length > 0,
    clear: () => setParams({}, { replace: true }),
    /** Typing replaces the history entry, so that the Back button leaves the page instead of removing a letter. */
    setFilter: (change: FilterChange) => {
      const after = new URLSearchParams(params);
      for (const [key, value] of Object.entries(change)) {
        if (value) after.set(key, value);
        else after.delete(key);
      }
      setParams(after, { replace: true, preventScrollReset: true });
    },
  };
}
