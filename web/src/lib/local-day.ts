/** The day's beginning where the reader is, so many days later; the day as `2026-11-21`. */
export function midnight(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
