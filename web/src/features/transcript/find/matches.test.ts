import { describe, expect, it } from "vitest";
import { withReplaced } from "@/rules/text";
import { contextOf, findMatches } from "./matches";

describe("finding", () => {
  it("ignores case and the kind of apostrophe, unless case is to match", () => {
    const texts = ["П’ять п'ять", "пять"];
    expect(findMatches(texts, "п’ять")).toEqual([
      { text: 0, from: 0, to: 5 },
      { text: 0, from: 6, to: 11 },
    ]);
    expect(findMatches(texts, "П’ять", { exactCase: true })).toHaveLength(1);
  });

  it("does not match parts of words if whole words are requested", () => {
    expect(findMatches(["дім у домі, дім."], "дім", { wholeWords: true })).toHaveLength(2);
    expect(findMatches(["дімок"], "дім", { wholeWords: true })).toEqual([]);
  });

  it("finds nothing for an empty query", () => {
    expect(findMatches(["а"], "  ")).toEqual([]);
  });
});

describe("replacing", () => {
  it("replaces only the selected matches", () => {
    expect(
      withReplaced(
        "а б а б а",
        [
          { from: 0, to: 1 },
          { from: 8, to: 9 },
        ],
        "в",
      ),
    ).toBe("в б а б в");
    expect(withReplaced("$1 $&", [{ from: 0, to: 2 }], "$&")).toBe("$& $&");
  });
});

describe("the context of a match", () => {
  it("is cut at words", () => {
    const text = `${"довге слово ".repeat(20)}ось воно ${"далі ще ".repeat(20)}`;
    const { before, match, after } = contextOf(text, { from: 240, to: 248 }, 20);
    expect(match).toBe("ось воно");
    expect(before).toMatch(/^…(слово|довге) /);
    expect(after).toMatch(/ (далі|ще)…$/);
  });

  it("is the whole of a short text", () => {
    expect(contextOf("коротко", { from: 0, to: 4 })).toEqual({ before: "", match: "коро", after: "тко" });
  });
});
