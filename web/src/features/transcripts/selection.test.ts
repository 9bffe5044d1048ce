import { describe, expect, it } from "vitest";
import { EMPTY_SELECTION, keepVisible, type Selection, toggled, toggledAll } from "./selection";

const ORDER = ["a", "b", "c", "d", "e"];
const chosen = ({ ids }: Selection) => [...ids].sort().join("");

describe("rows that are chosen", () => {
  it("are chosen and let go one by one", () => {
    const one = toggled(EMPTY_SELECTION, ORDER, "b", false);
    expect(chosen(one)).toBe("b");
    expect(chosen(toggled(one, ORDER, "b", false))).toBe("");
    expect(chosen(EMPTY_SELECTION)).toBe("");
  });

  it("reach with Shift from the last one, in both directions", () => {
    const from = toggled(EMPTY_SELECTION, ORDER, "d", false);
    expect(chosen(toggled(from, ORDER, "b", true))).toBe("bcd");
    const all = toggled(toggled(EMPTY_SELECTION, ORDER, "a", false), ORDER, "e", true);
    expect(chosen(all)).toBe("abcde");
    expect(chosen(toggled(all, ORDER, "c", true))).toBe("ab");
  });

  it("are one where the last one is gone", () => {
    expect(chosen(toggled({ ids: new Set(), anchor: "x" }, ORDER, "c", true))).toBe("c");
    expect(chosen(toggled(EMPTY_SELECTION, ORDER, "c", true))).toBe("c");
  });

  it("are all or none", () => {
    const all = toggledAll(toggled(EMPTY_SELECTION, ORDER, "c", false), ORDER);
    expect(chosen(all)).toBe("abcde");
    expect(chosen(toggledAll(all, ORDER))).toBe("");
  });

  it("go with the list", () => {
    const some = toggled(toggled(EMPTY_SELECTION, ORDER, "b", false), ORDER, "d", false);
    expect(keepVisible(some, ORDER)).toBe(some);
    expect(chosen(keepVisible(some, ["a", "d"]))).toBe("d");
  });
});
