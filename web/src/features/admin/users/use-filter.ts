/** The filter, stored in the URL: it survives a reload, a shared link and the Back button. */
import { useSearchParams } from "react-router";
import type { UserFilter } from "@/api/admin";
import { ACCOUNT_STATUSES, ROLES } from "@/rules/constants";

/** Unknown values are ignored: the URL can contain anything. */
export function parseFilter(params: URLSearchParams): UserFilter {
  const q = params.get("q")?.trim();
  const status = ACCOUNT_STATUSES.find((known) => known === params.get("status"));
  const role = ROLES.find((known) => known === params.get("role"));
  const plan = params.get("plan")?.match(/^\d{1,9}$/)?.[0];
  return { ...(q && { q }), ...(status && { status }), ...(role && { role }), ...(plan && { plan: Number(plan) }) };
}

export function useFilter() {
  const [params, setParams] = useSearchParams();
  const filter = parseFilter(params);
  return {
    filter,
    /** Typing replaces the history entry, so that the Back button leaves the page instead of removing a letter. */
    setFilter: (change: Partial<Record<keyof UserFilter, string>>) => {
      const after = new URLSearchParams(params);
      for (const [key, value] of Object.entries(change)) {
        if (value) after.set(key, value);
        else after.delete(key);
      }
      setParams(after, { replace: true, preventScrollReset: true });
    },
  };
}
