import { expect, it } from "vitest";
import { percentsOf } from "./percents";

const sum = (percents: readonly number[]) => percents.reduce((all, percent) => all + percent, 0);

it.each([
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [23.4, 46.1, 17.2],
    [27, 53, 20],
  ],
  [
    [1, 2],
    [33, 67],
  ],
  [
    [0.4, 99.6],
    [0, 100],
  ],
  [[5], [100]],
  [
    [0, 7],
    [0, 100],
  ],
  [
    [0, 0],
    [0, 0],
  ],
  [[], []],
  [
    [-3, Number.NaN, 4],
    [0, 0, 100],
  ],
])("shares %j as %j", (amounts, percents) => expect(percentsOf(amounts)).toEqual(percents));

it("always adds up to 100, with an error of at most 1 per share", () => {
  for (let count = 1; count <= 40; count += 1) {
    const amounts = Array.from({ length: count }, (_, at) => ((at * 7919) % 101) + 0.37);
    const all = sum(amounts);
    const percents = percentsOf(amounts);
    expect(sum(percents)).toBe(100);
    for (const [at, percent] of percents.entries()) {
      expect(Math.abs(percent - ((amounts[at] ?? 0) / all) * 100)).toBeLessThan(1);
    }
  }
});
