import { describe, expect, it } from "vitest";
import { ariaSort, DEFAULT_SORT, parseSort, SORTED_BY, SORTS, toggledSort } from "./sorting";

describe("the list's order", () => {
  it("is read from the URL, with the newest first by default", () => {
    for (const sort of SORTS) expect(parseSort(sort)).toBe(sort);
    for (const text of [null, "", "title", "--name", "NAME", "name,date", "'><script>"])
      expect(parseSort(text)).toBe(DEFAULT_SORT);
  });

  it("starts with a column's common order, and is reversed by a second click", () => {
    expect(toggledSort("-date", "name")).toBe("name");
    expect(toggledSort("name", "name")).toBe("-name");
    expect(toggledSort("-name", "name")).toBe("name");
    expect(toggledSort("name", "date")).toBe("-date");
    expect(toggledSort("-date", "date")).toBe("date");
    expect(toggledSort("date", "length")).toBe("-length");
    expect(toggledSort("-state", "length")).toBe("-length");
    expect(toggledSort("-length", "state")).toBe("state");
  });

  it("is announced on one column only", () => {
    for (const sort of SORTS) {
      const sorted = SORTED_BY.filter((by) => ariaSort(sort, by) !== "none");
      expect(sorted).toEqual([sort.replace("-", "")]);
    }
    expect(ariaSort("-length", "length")).toBe("descending");
    expect(ariaSort("length", "length")).toBe("ascending");
  });
});
