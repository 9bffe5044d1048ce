import { describe, expect, it } from "vitest";
import { type Command, matching, nextIndex } from "./commands";

const command = (label: string, note?: string): Command => ({
  id: label,
  group: "pages",
  label,
  ...(note && { note }),
  run: () => undefined,
});
const ALL = [command("Перегляд"), command("Огляд"), command("Налаштування", "⌘"), command("Нова транскрипція")];
const foundLabels = (query: string) => matching(ALL, query).map(({ label }) => label);

describe("commands of the palette", () => {
  it("are all listed in order without a query", () => {
    expect(foundLabels("  ")).toEqual(ALL.map(({ label }) => label));
  });

  it("are found by all words, ignoring case, with matches at the start of a word first", () => {
    expect(foundLabels("гляд")).toEqual(["Перегляд", "Огляд"]);
    expect(foundLabels("ОГЛЯД")).toEqual(["Огляд"]);
    expect(foundLabels("транс нов")).toEqual(["Нова транскрипція"]);
    expect(foundLabels("нова огляд")).toEqual([]);
  });

  it("are selected cyclically with the arrow keys", () => {
    expect(nextIndex("ArrowDown", 2, 3)).toBe(0);
    expect(nextIndex("ArrowUp", 0, 3)).toBe(2);
    expect(nextIndex("ArrowUp", 0, 0)).toBeNull();
    expect(nextIndex("a", 0, 3)).toBeNull();
  });
});
