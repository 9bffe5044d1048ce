/**
 * The reader's language where both sides find it: the server, which writes the public pages, in a cookie, and the application
 * in the local storage. public/first-paint.js does the same before a page is drawn, and so repeats these names.
 */

import { LOCALES } from "@/rules/looks";
import { readCookie, writeCookie } from "./cookie";

export { LOCALES };
export type Locale = (typeof LOCALES)[number];

/** Of cookie and storage entry. */
export const LOCALE_KEY = "slovo.locale";
const YEAR_S = 365 * 24 * 60 * 60;

export const isLocale = (value: unknown): value is Locale => LOCALES.includes(value as Locale);

/** What was chosen; the storage knows better than the cookie, which an address with `?lang=` may have left. */
export function storedLocale(): Locale | null {
  const cookie = readCookie(LOCALE_KEY);
  const stored = inStorage() ?? cookie;
  return isLocale(stored) ? stored : null;
}

/** Keeps the choice for both sides. False when the server will not hear of it: the browser takes no cookies. */
export function keepLocale(locale: Locale): boolean {
  try {
    localStorage.setItem(LOCALE_KEY, locale);
  } catch {
    // Storage may be forbidden or full; the cookie alone serves the public pages.
  }
  writeCookie(LOCALE_KEY, locale, YEAR_S);
  return readCookie(LOCALE_KEY) === locale;
}

function inStorage(): string | null {
  try {
    return localStorage.getItem(LOCALE_KEY);
  } catch {
    return null;
  }
}
