/** A refusal of an address belongs to its field in the form of a source or a target. */
import { ApiError } from "@/api";
import type { BrokenRule } from "@/hooks/use-violation-text";

/** The server must not connect to the address. */
export const REFUSED = "url_refused";

/** The violations in a refusal of the server. */
export function violationsOf(error: unknown): readonly BrokenRule[] {
  if (!(error instanceof ApiError)) return [];
  return error.code === REFUSED ? [{ field: "location", code: REFUSED }] : error.violations;
}
