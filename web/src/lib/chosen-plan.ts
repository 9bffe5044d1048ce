/**
 * The plan chosen on the price list, by its id. The sign-up URL carries it; once there is an account, the user is
 * redirected to their plan page, which requests it.
 */
import { type ReturnTarget, returnTarget } from "./return-target";

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PLACE = "/subscription";

/** The plan named by a URL: its query, or a whole path. */
export function chosenPlan(address: string): string | null {
  const plan = new URLSearchParams(address.slice(address.indexOf("?") + 1)).get("plan");
  return plan !== null && ID.test(plan) ? plan : null;
}

/** The page that requests a chosen plan. */
export const planRequestPath = (plan: string): string => `${PLACE}?plan=${plan}`;

/** The redirect target: the request of the URL's plan, else the one in the history entry. */
export function returnTargetFrom({ search, state }: { search: string; state: unknown }): ReturnTarget {
  const plan = chosenPlan(search);
  return plan === null ? returnTarget(state) : { from: planRequestPath(plan) };
}

/** The query of a URL without its plan. */
export function withoutPlan(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("plan");
  return query.size === 0 ? "" : `?${query}`;
}

/** The plan in the redirect target; null if that is another page. */
export function planOfReturnTarget({ from }: ReturnTarget): string | null {
  return from?.startsWith(`${PLACE}?`) ? chosenPlan(from) : null;
}
