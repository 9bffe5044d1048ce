import { describe, expect, it } from "vitest";
import { NOTHING, type Selection, toggled, toggledAll, within } from "./selection";

const ORDER = ["a", "b", "c", "d", "e"];
const chosen = ({ ids }: Selection) => [...ids].sort().join("");

describe("rows that are chosen", () => {
  it("are chosen and let go one by one", () => {
    const one = toggled(NOTHING, ORDER, "b", false);
    expect(chosen(one)).toBe("b");
    expect(chosen(toggled(one, ORDER, "b", false))).toBe("");
    expect(chosen(NOTHING)).toBe("");
  });

  it("reach with Shift from the last one, in both directions", () => {
    const from = toggled(NOTHING, ORDER, "d", false);
    expect(chosen(toggled(from, ORDER, "b", true))).toBe("bcd");
    const all = toggled(toggled(NOTHING, ORDER, "a", false), ORDER, "e", true);
    expect(chosen(all)).toBe("abcde");
    expect(chosen(toggled(all, ORDER, "c", true))).toBe("ab");
  });

  it("are one where the last one is gone", () => {
    expect(chosen(toggled({ ids: new Set(), anchor: "x" }, ORDER, "c", true))).toBe("c");
    expect(chosen(toggled(NOTHING, ORDER, "c", true))).toBe("c");
  });

  it("are all or none", () => {
    const all = toggledAll(toggled(NOTHING, ORDER, "c", false), ORDER);
    expect(chosen(all)).toBe("abcde");
    expect(chosen(toggledAll(all, ORDER))).toBe("");
  });

  it("go with the list", () => {
    const some = toggled(toggled(NOTHING, ORDER, "b", false), ORDER, "d", false);
    expect(within(some, ORDER)).toBe(some);
    expect(chosen(within(some, ["a", "d"]))).toBe("d");
  });
});
