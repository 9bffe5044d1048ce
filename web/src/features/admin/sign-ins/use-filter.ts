/** The filter, stored in the URL. */
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { SignInFilter } from "@/api/admin-sign-ins";
import { SIGN_IN_OUTCOMES } from "@/rules/constants";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** By the names of the query parameters. */
type FilterChange = Partial<Record<"q" | "outcome" | "from" | "to", string>>;

/** Invalid days and outcomes are ignored: the URL can contain anything. */
export function filterOf(params: URLSearchParams): SignInFilter {
  const day = (name: string) => {
    const text = params.get(name) ?? "";
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
  };
  const search = params.get("q")?.trim() ?? "";
  const outcome = SIGN_IN_OUTCOMES.find((known) => known === params.get("outcome"));
  const [from, to] = [day("from"), day("to")];
  return { ...(search && { search }), ...(outcome && { outcome }), ...(from && { from }), ...(to && { to }) };
}

export function useFilter() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => filterOf(params), [params]);
  return {
    filter,
    change: (change: FilterChange) =>
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
