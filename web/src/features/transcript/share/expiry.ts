/** The expiry of a link. */

export const EXPIRIES = ["week", "day", "month", "date", "never"] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAYS: Partial<Record<Expiry, number>> = { day: 1, week: 7, month: 30 };

/** `date` in the format of a date input. Null: never expires. A date expires at its end, in the reader's time zone. */
export function expiresAt(expiry: Expiry, date: string, now: Date): string | null {
  if (expiry === "never") return null;
  const days = DAYS[expiry];
  if (days !== undefined) return new Date(now.getTime() + days * 86_400_000).toISOString();
  return new Date(`${date}T23:59:59`).toISOString();
}

/** Whether the input contains a date that is not over. */
export function isFutureDay(date: string, now: Date): boolean {
  const end = Date.parse(`${date}T23:59:59`);
  return Number.isFinite(end) && end > now.getTime();
}

/** Tomorrow in the reader's time zone, in the format of a date input: `2026-11-22`. */
export function nextDay(now: Date): string {
  const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return [next.getFullYear(), next.getMonth() + 1, next.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
