/** The texts of both languages, by file name: tests in each language find elements by the keys of their texts. */
import { readFileSync } from "node:fs";
import type { BrowserContext } from "@playwright/test";
import type { CustomTypeOptions } from "i18next";
import { LOCALE_KEY, LOCALES, type Locale } from "../src/lib/locale-cookie";
import type home from "../src/locales/uk/home.json";
import type pricing from "../src/locales/uk/pricing.json";
import type site from "../src/locales/uk/site.json";

export { LOCALES, type Locale };

/** Texts of the application, and of the public pages only. */
type Texts = CustomTypeOptions["resources"] & { home: typeof home; pricing: typeof pricing; site: typeof site };

/** One file of texts. Keys are typed from the Ukrainian files; both languages have the same keys. */
export const textsOf = <File extends keyof Texts>(locale: Locale, file: File): Texts[File] =>
  JSON.parse(readFileSync(new URL(`../src/locales/${locale}/${file}.json`, import.meta.url), "utf8"));

/** The Accept-Language header of a browser in this language. */
export const BROWSER_LOCALE: Record<Locale, string> = { uk: "uk-UA", en: "en-GB" };

/** Sets the language, like an earlier choice: pages start in Ukrainian, regardless of the browser's language. */
export const setLanguage = (context: BrowserContext, origin: string, locale: Locale) =>
  context.addCookies([{ name: LOCALE_KEY, value: locale, url: origin }]);

/** A text up to its first parameter. */
export const untilParameter = (text: string) => text.split("{{")[0] ?? "";

/** The name of each language in that language, as in the language picker. */
export const LOCALE_NAMES: Record<Locale, string> = { uk: "Українська", en: "English" };

/** Matches all plural forms of a text with any number. */
export function anyCount<Key extends string>(texts: { [Form in `${Key}_other`]: string }, key: Key): RegExp {
  const forms = Object.entries<unknown>(texts).filter(([name]) => name.startsWith(`${key}_`));
  // Spaces may be no-break spaces.
  return new RegExp(forms.map(([, text]) => String(text).replace("{{count}}", "\\d+").replaceAll(/\s/g, "\\s")).join("|"));
}

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Matches a name that starts with the text. */
export const startingWith = (text: string) => new RegExp(`^${literal(text)}`);

/** Matches a text that contains this one. */
export const containing = (text: string) => new RegExp(literal(text));
