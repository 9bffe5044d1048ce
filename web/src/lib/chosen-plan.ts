/**
 * The plan that somebody chose on the price list, by its id. It stands in the address of the sign-up; once there is an account
 * it is the place that they wanted: the page of their plan, which asks for it.
 */
import { type WayBack, wayBack } from "./way-back";

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PLACE = "/subscription";

/** The plan that an address names: its query, or a whole path. */
export function chosenPlan(address: string): string | null {
  const plan = new URLSearchParams(address.slice(address.indexOf("?") + 1)).get("plan");
  return plan !== null && ID.test(plan) ? plan : null;
}

/** Where a chosen plan is asked for. */
export const placeOfPlan = (plan: string): string => `${PLACE}?plan=${plan}`;

/** Where one wanted to go: to ask for the plan of the address, else what the history entry knows. */
export function wayBackFrom({ search, state }: { search: string; state: unknown }): WayBack {
  const plan = chosenPlan(search);
  return plan === null ? wayBack(state) : { from: placeOfPlan(plan) };
}

/** The query of an address without the plan that it names. */
export function withoutPlan(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("plan");
  return query.size === 0 ? "" : `?${query}`;
}

/** The plan on the way back; null if one wanted to go elsewhere. */
export function planOnTheWay({ from }: WayBack): string | null {
  return from?.startsWith(`${PLACE}?`) ? chosenPlan(from) : null;
}
