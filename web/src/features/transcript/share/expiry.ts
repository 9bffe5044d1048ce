/** Until when a link is to serve. */

export const EXPIRIES = ["week", "day", "month", "date", "never"] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAYS: Partial<Record<Expiry, number>> = { day: 1, week: 7, month: 30 };

/** `date` as a date field has it. Null: for ever. A day of the calendar counts to its end, where the reader is. */
export function expiresAt(expiry: Expiry, date: string, now: Date): string | null {
  if (expiry === "never") return null;
  const days = DAYS[expiry];
  if (days !== undefined) return new Date(now.getTime() + days * 86_400_000).toISOString();
  return new Date(`${date}T23:59:59`).toISOString();
}

/** Whether the field holds a day that is not over. */
export function isComing(date: string, now: Date): boolean {
  const end = Date.parse(`${date}T23:59:59`);
  return Number.isFinite(end) && end > now.getTime();
}

/** `2026-11-22`: the day after, where the reader is, as a date field takes it. */
export function dayAfter(now: Date): string {
  const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return [next.getFullYear(), next.getMonth() + 1, next.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
