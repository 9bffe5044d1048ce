import { expect, it } from "vitest";
import { languageOptions } from "./language-options";

const NAMES: Record<string, string> = { uk: "Українська", en: "Англійська", ru: "Російська" };
const nameOf = (code: string) => NAMES[code] ?? code;

it("lists all languages once: those of the interface first, the rest sorted in the reader's language", () => {
  const { often, rest } = languageOptions("full", nameOf, "uk");
  expect(often.map(({ code }) => code)).toEqual(["uk", "en"]);
  expect(new Set([...often, ...rest].map(({ code }) => code)).size).toBe(28);
  const names = rest.map(({ name }) => name);
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, "uk")));
});

it("lists only languages supported by Lite", () => {
  expect(languageOptions("lite", nameOf, "uk")).toEqual({ often: [], rest: [{ code: "en", name: "Англійська" }] });
});
