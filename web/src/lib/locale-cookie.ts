/**
 * Stores the reader's language twice: in a cookie for the server, which renders the public pages, and in local storage for
 * the application. public/first-paint.js does the same before the first paint and uses the same names.
 */

import { LOCALES } from "@/rules/appearance";
import { readCookie, writeCookie } from "./cookie";

export { LOCALES };
export type Locale = (typeof LOCALES)[number];

/** The name of the cookie and of the storage key. */
export const LOCALE_KEY = "slovo.locale";
const YEAR_S = 365 * 24 * 60 * 60;

export const isLocale = (value: unknown): value is Locale => LOCALES.includes(value as Locale);

/** The chosen language. Local storage takes precedence: the cookie may come from a URL with `?lang=`. */
export function storedLocale(): Locale | null {
  const cookie = readCookie(LOCALE_KEY);
  const stored = inStorage() ?? cookie;
  return isLocale(stored) ? stored : null;
}

/** Stores the choice in both places. Returns false if the browser has not accepted the cookie. */
export function storeLocale(locale: Locale): boolean {
  try {
    localStorage.setItem(LOCALE_KEY, locale);
  } catch {
    // Storage may be forbidden or full; the cookie is enough for the public pages.
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
