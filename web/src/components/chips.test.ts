import { expect, it } from "vitest";
import { endsEntry, splitEntries, withEntries } from "./chips";

it.each([
  ["commas", "Слово, Забужко,Харків"],
  ["semicolons", "Слово; Забужко;Харків;"],
  ["lines", "Слово\r\nЗабужко\n\nХарків\n"],
  ["columns", "Слово\tЗабужко\t Харків"],
  ["a mixture", " ,;Слово;\nЗабужко , Харків,, "],
])("takes a list apart at %s", (_, text) => {
  expect(splitEntries(text)).toEqual(["Слово", "Забужко", "Харків"]);
});

it("keeps the spaces inside of an entry, and finds none in nothing", () => {
  expect(splitEntries("Оксана Забужко")).toEqual(["Оксана Забужко"]);
  expect(splitEntries(" ;\n, ")).toEqual([]);
  expect(endsEntry("Оксана Забужко")).toBe(false);
  expect(endsEntry("Оксана,")).toBe(true);
});

it("takes each entry once, whatever its case", () => {
  expect(withEntries(["Слово"], ["слово", "Ріка", "ріка"])).toEqual(["Слово", "Ріка"]);
});
