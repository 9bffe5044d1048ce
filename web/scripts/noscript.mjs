// What the application's page says where scripts are off, in both languages: nothing can know which one is wanted.
import { readFileSync } from "node:fs";

const LOCALES = ["uk", "en"];
const PLACE = "<!-- noscript -->";

/** The text of one language, from the file that the application reads, too. */
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
