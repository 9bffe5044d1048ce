/** Whether a key still works, and whether its owner should know that it soon will not. */

/** Enough time to replace a key in the programs that use it. */
const SOON_MS = 7 * 24 * 60 * 60 * 1000;

export type ExpiryState = "never" | "until" | "soon" | "expired";

/** `now` in ms. */
export function expiryState(expiresAt: string | null, now = Date.now()): ExpiryState {
  if (expiresAt === null) return "never";
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return "expired";
  return left <= SOON_MS ? "soon" : "until";
}
