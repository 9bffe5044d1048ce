import { expect, it } from "vitest";
import { langOf, languageOf, languagesByTime, languagesOf, newLanguage } from "./languages";

const uk = { language: "uk" };
const ru = { language: "ru" };
const none = { language: null };

it("gives a segment without a language that of the text", () => {
  expect(languageOf(none, "uk")).toBe("uk");
  expect(languageOf({}, "uk")).toBe("uk");
  expect(languageOf({ language: "" }, "uk")).toBe("uk");
  expect(languageOf(ru, "uk")).toBe("ru");
});

it("lists the languages of a text once each, by first appearance", () => {
  expect(languagesOf([none, ru, uk, ru, { language: "en" }], "uk")).toEqual(["uk", "ru", "en"]);
  expect(languagesOf([ru, ru], "uk")).toEqual(["ru"]);
  expect(languagesOf([none, uk], "")).toEqual(["uk"]);
  expect(languagesOf([], "uk")).toEqual([]);
});

it("lists the languages of a text, the one with the longest speech first", () => {
  const line = (language: string | null, start: number, end: number) => ({ language, start, end });
  expect(languagesByTime([line("en", 0, 4), line(null, 4, 7), line("en", 7, 8), line("uk", 8, 12)], "uk")).toEqual(["uk", "en"]);
  expect(languagesByTime([line(null, 0, 4)], "")).toEqual([]);
});

it("sets `lang` only where it differs from the text's", () => {
  expect(langOf(uk, "uk")).toBeUndefined();
  expect(langOf(none, "uk")).toBeUndefined();
  expect(langOf(ru, "uk")).toBe("ru");
});

it("marks where the language changes", () => {
  expect(newLanguage(undefined, uk, "uk")).toBeUndefined();
  expect(newLanguage(undefined, ru, "uk")).toBe("ru");
  expect(newLanguage(uk, ru, "uk")).toBe("ru");
  expect(newLanguage(ru, ru, "uk")).toBeUndefined();
  expect(newLanguage(ru, none, "uk")).toBe("uk");
  expect(newLanguage(none, uk, "uk")).toBeUndefined();
  expect(newLanguage(ru, none, "")).toBeUndefined();
  expect(newLanguage(undefined, ru, "")).toBeUndefined();
  expect(newLanguage(none, ru, "")).toBeUndefined();
  expect(newLanguage(ru, uk, "")).toBe("uk");
  expect(newLanguage(ru, undefined, "uk")).toBeUndefined();
});
