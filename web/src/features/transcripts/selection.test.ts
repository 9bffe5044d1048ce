import { describe, expect, it } from "vitest";
import { EMPTY_SELECTION, keepVisible, type Selection, toggled, toggledAll } from "./selection";

const ORDER = ["a", "b", "c", "d", "e"];
const chosen = ({ ids }: Selection) => [...ids].sort().join("");

describe("selected rows", () => {
  it("are selected and deselected individually", () => {
    const selection = toggled(EMPTY_SELECTION, ORDER, "b", false);
    expect(chosen(selection)).toBe("b");
    expect(chosen(toggled(selection, ORDER, "b", false))).toBe("");
    expect(chosen(EMPTY_SELECTION)).toBe("");
  });

  it("extend from the last one with Shift, in both directions", () => {
    const from = toggled(EMPTY_SELECTION, ORDER, "d", false);
    expect(chosen(toggled(from, ORDER, "b", true))).toBe("bcd");
    const all = toggled(toggled(EMPTY_SELECTION, ORDER, "a", false), ORDER, "e", true);
    expect(chosen(all)).toBe("abcde");
    expect(chosen(toggled(all, ORDER, "c", true))).toBe("ab");
  });

  it("do not extend if the last one has left the list", () => {
    expect(chosen(toggled({ ids: new Set(), anchor: "x" }, ORDER, "c", true))).toBe("c");
    expect(chosen(toggled(EMPTY_SELECTION, ORDER, "c", true))).toBe("c");
  });

  it("can be all or none", () => {
    const all = toggledAll(toggled(EMPTY_SELECTION, ORDER, "c", false), ORDER);
    expect(chosen(all)).toBe("abcde");
    expect(chosen(toggledAll(all, ORDER))).toBe("");
  });

  it("are deselected when they leave the list", () => {
    const some = toggled(toggled(EMPTY_SELECTION, ORDER, "b", false), ORDER, "d", false);
    expect(keepVisible(some, ORDER)).toBe(some);
    expect(chosen(keepVisible(some, ["a", "d"]))).toBe("d");
  });
});
