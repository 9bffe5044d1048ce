import { expect, it } from "vitest";
import { byPage, lastDays } from "./visits";

it("lists the last days in UTC", () => {
  expect(lastDays(3, Date.parse("2026-03-01T23:59:00Z"))).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});

it("sums the visits of a page over days and languages", () => {
  const visits = [
    { page: "/", visits: 1 },
    { page: "/about", visits: 5 },
    { page: "/", visits: 7 },
  ];
  expect(byPage(visits)).toEqual([
    ["/", 8],
    ["/about", 5],
  ]);
});
