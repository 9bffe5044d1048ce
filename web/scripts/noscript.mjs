// The text shown by the application's page without scripts, in both languages because the reader's is unknown.
import { readFileSync } from "node:fs";

const LOCALES = ["uk", "en"];
const PLACE = "<!-- noscript -->";

/** The text in one language, from the locale files. */
const textOf = (locale) => {
  const file = new URL(`../src/locales/${locale}/common.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).noscript;
};

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** @returns {import("vite").Plugin} */
export const withoutScripts = () => ({
  name: "slovo-noscript",
  transformIndexHtml: (html) =>
    html.replace(PLACE, () => LOCALES.map((locale) => `<p lang="${locale}">${escaped(textOf(locale))}</p>`).join("")),
});
