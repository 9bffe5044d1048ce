import { expect, it } from "vitest";
import { filterOf } from "./use-filter";

it.each([
  ["", {}],
  [
    "q=%20olha%20&outcome=blocked&from=2026-11-01&to=2026-11-30",
    { search: "olha", outcome: "blocked", from: "2026-11-01", to: "2026-11-30" },
  ],
  ["outcome=x&from=yesterday&to=2026-99-99", {}],
])("reads %s from the URL", (query, filter) => {
  expect(filterOf(new URLSearchParams(query))).toEqual(filter);
});
