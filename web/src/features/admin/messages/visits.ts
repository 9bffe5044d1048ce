/** Statistics of visits. */
import type { SiteVisits } from "@/api/admin-messages";

/** The last days in UTC, in which the server counts visits, the oldest first. `now` in ms. */
export function lastDays(count: number, now = Date.now()): readonly string[] {
  const day = 24 * 60 * 60 * 1000;
  return Array.from({ length: count }, (_, at) => new Date(now - (count - 1 - at) * day).toISOString().slice(0, 10));
}

/** Pages with their visits, the most visited first. */
export function byPage(visits: readonly Pick<SiteVisits, "page" | "visits">[]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { page, visits: count } of visits) sums.set(page, (sums.get(page) ?? 0) + count);
  return [...sums].sort(([, one], [, other]) => other - one);
}
