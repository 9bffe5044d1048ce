import { expect, it } from "vitest";
import { endsEntry, splitEntries, withEntries } from "./chips";

it.each([
  ["commas", "Слово, Забужко,Харків"],
  ["semicolons", "Слово; Забужко;Харків;"],
  ["lines", "Слово\r\nЗабужко\n\nХарків\n"],
  ["columns", "Слово\tЗабужко\t Харків"],
  ["a mixture", " ,;Слово;\nЗабужко , Харків,, "],
])("splits a list at %s", (_, text) => {
  expect(splitEntries(text)).toEqual(["Слово", "Забужко", "Харків"]);
});

it("keeps spaces inside an entry, and returns no entries for an empty text", () => {
  expect(splitEntries("Оксана Забужко")).toEqual(["Оксана Забужко"]);
  expect(splitEntries(" ;\n, ")).toEqual([]);
  expect(endsEntry("Оксана Забужко")).toBe(false);
  expect(endsEntry("Оксана,")).toBe(true);
});

it("adds each entry once, ignoring case", () => {
  expect(withEntries(["Слово"], ["слово", "Ріка", "ріка"])).toEqual(["Слово", "Ріка"]);
});
