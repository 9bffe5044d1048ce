/** The filter, stored in the URL. */
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { AuditFilter } from "@/api/admin-audit";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** By the names of the query parameters. */
export type FilterChange = Partial<Record<"q" | "action" | "from" | "to", string>>;

/** An invalid day (the URL can hold anything) is ignored. */
const dayOf = (text: string | null) => (text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "");

export function useFilter(): { filter: AuditFilter; change: (change: FilterChange) => void; clear: () => void } {
  const [params, setParams] = useSearchParams();
  const search = params.get("q")?.trim() ?? "";
  const action = params.get("action") ?? "";
  const from = dayOf(params.get("from"));
  const to = dayOf(params.get("to"));
  const filter = useMemo(
    () => ({ ...(search && { search }), ...(action && { action }), ...(from && { from }), ...(to && { to }) }),
    [search, action, from, to],
  );
  return {
    filter,
    change: (change) =>
      setParams(
        (before) => {
          for (const [name, value] of Object.entries(change)) {
            if (value) before.set(name, value);
            else before.delete(name);
          }
          return before;
        },
        { replace: true },
      ),
    clear: () => setParams({}, { replace: true }),
  };
}
