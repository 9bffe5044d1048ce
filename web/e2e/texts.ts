/** The texts of both languages, by the names of their files: a test in each language names what it looks for by its key. */
import { readFileSync } from "node:fs";
import type { BrowserContext } from "@playwright/test";
import type { CustomTypeOptions } from "i18next";
import { LOCALE_KEY, LOCALES, type Locale } from "../src/lib/locale-cookie";
import type home from "../src/locales/uk/home.json";
import type pricing from "../src/locales/uk/pricing.json";
import type site from "../src/locales/uk/site.json";

export { LOCALES, type Locale };

/** Those of the application, and those that only the public pages have. */
type Texts = CustomTypeOptions["resources"] & { home: typeof home; pricing: typeof pricing; site: typeof site };

/** One file of texts. The keys are typed from the Ukrainian ones; both languages have the same. */
export const textsOf = <File extends keyof Texts>(locale: Locale, file: File): Texts[File] =>
  JSON.parse(readFileSync(new URL(`../src/locales/${locale}/${file}.json`, import.meta.url), "utf8"));

/** The Accept-Language header of a browser in this language. */
export const BROWSER_LOCALE: Record<Locale, string> = { uk: "uk-UA", en: "en-GB" };

/** As if a visitor had chosen this language before: the pages begin in Ukrainian, whatever the browser speaks. */
export const speak = (context: BrowserContext, origin: string, locale: Locale) =>
  context.addCookies([{ name: LOCALE_KEY, value: locale, url: origin }]);

/** A text up to its first gap, for what is filled in by the page. */
export const beginning = (text: string) => text.split("{{")[0] ?? "";

/** Each language in its own words, as the pickers have them. */
export const LOCALE_NAMES: Record<Locale, string> = { uk: "Українська", en: "English" };

/** A counted text in all its forms, whatever the number. */
export function counted<Key extends string>(texts: { [Form in `${Key}_other`]: string }, key: Key): RegExp {
  const forms = Object.entries<unknown>(texts).filter(([name]) => name.startsWith(`${key}_`));
  // Short words keep to the next one, so spaces may be of another kind than in the file.
  return new RegExp(forms.map(([, text]) => String(text).replace("{{count}}", "\\d+").replaceAll(/\s/g, "\\s")).join("|"));
}

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** For a name that more is said after. */
export const startingWith = (text: string) => new RegExp(`^${literal(text)}`);

/** For what stands among other texts. */
export const containing = (text: string) => new RegExp(literal(text));
