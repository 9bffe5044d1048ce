import { expect, it } from "vitest";
import { chosenPlan, planOfReturnTarget, returnTargetFrom, withoutPlan } from "./chosen-plan";

const ID = "0197f3a0-0000-7000-8000-000000000000";

it.each([`?plan=${ID}`, `?lang=en&plan=${ID}`, `/subscription?plan=${ID}`])("finds the plan in %s", (address) => {
  expect(chosenPlan(address)).toBe(ID);
});

it.each(["", "?", "?plan=", "?plan=1", `?plan=${ID}x`, "?plan=//evil.example", "/subscription"])(
  "finds none in %j",
  (address) => {
    expect(chosenPlan(address)).toBeNull();
  },
);

it("is where one wants to go, before what the history entry knows", () => {
  const state = { from: "/upload", user: "a" };
  expect(returnTargetFrom({ search: `?plan=${ID}`, state })).toEqual({ from: `/subscription?plan=${ID}` });
  expect(returnTargetFrom({ search: "?plan=1", state })).toEqual(state);
});

it("goes along to the other sign-in pages", () => {
  expect(planOfReturnTarget({ from: `/subscription?plan=${ID}` })).toBe(ID);
  expect(planOfReturnTarget({ from: `/upload?plan=${ID}` })).toBeNull();
  expect(planOfReturnTarget({})).toBeNull();
});

it("can be let go of, and nothing else of the address with it", () => {
  expect(withoutPlan(`?plan=${ID}`)).toBe("");
  expect(withoutPlan(`?lang=en&plan=${ID}`)).toBe("?lang=en");
});
