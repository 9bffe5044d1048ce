/** The day's beginning where the reader is, so many days later; the day as `2026-11-21`. */
export function midnight(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

/** Whether the text is a day, as `2026-11-21`. */
export function isDay(text: string): boolean {
  // 31 February would become a day of March; years of five digits are no input of a date field.
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
