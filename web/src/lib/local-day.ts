/** Midnight of the day (`2026-11-21`) in the reader's time zone, `later` days after it. */
export function midnight(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

/** Whether the text is a valid day in the format `2026-11-21`. */
export function isDay(text: string): boolean {
  // `Date` would accept 31 February as a day in March.
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
