import { expect, it } from "vitest";
import { chosenPlan, planOfReturnTarget, returnTargetFrom, withoutPlan } from "./chosen-plan";

const ID = "0197f3a0-0000-7000-8000-000000000000";

it.each([`?plan=${ID}`, `?lang=en&plan=${ID}`, `/subscription?plan=${ID}`])("finds the plan in %s", (address) => {
  expect(chosenPlan(address)).toBe(ID);
});

it.each(["", "?", "?plan=", "?plan=1", `?plan=${ID}x`, "?plan=//evil.example", "/subscription"])(
  "finds no plan in %j",
  (address) => {
    expect(chosenPlan(address)).toBeNull();
  },
);

it("takes precedence over the target in the history entry", () => {
  const state = { from: "/upload", user: "a" };
  expect(returnTargetFrom({ search: `?plan=${ID}`, state })).toEqual({ from: `/subscription?plan=${ID}` });
  expect(returnTargetFrom({ search: "?plan=1", state })).toEqual(state);
});

it("is passed on to the other sign-in pages", () => {
  expect(planOfReturnTarget({ from: `/subscription?plan=${ID}` })).toBe(ID);
  expect(planOfReturnTarget({ from: `/upload?plan=${ID}` })).toBeNull();
  expect(planOfReturnTarget({})).toBeNull();
});

it("can be removed from the URL without changing the rest", () => {
  expect(withoutPlan(`?plan=${ID}`)).toBe("");
  expect(withoutPlan(`?lang=en&plan=${ID}`)).toBe("?lang=en");
});
