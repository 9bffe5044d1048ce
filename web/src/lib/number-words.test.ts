import { expect, it } from "vitest";
import { inWords } from "./number-words";

it("writes a number as a word, or as digits if there is no word", () => {
  expect(inWords(5, "uk", { capital: true })).toBe("П’ять");
  expect(inWords(5, "en", { capital: true })).toBe("Five");
  expect(inWords(10, "uk", { case: "genitive" })).toBe("десяти");
  expect(inWords(10, "en", { case: "genitive" })).toBe("ten");
  expect(inWords(1, "uk", { case: "accusative" })).toBe("одну");
  expect(inWords(1, "en", { case: "accusative" })).toBe("one");
  expect(inWords(7, "uk", { capital: true })).toBe("7");
});
