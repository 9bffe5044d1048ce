import { expect, it } from "vitest";
import type { ManagedPlan } from "@/api/managed-plans";
import { validatePlan } from "@/rules";
import { demoOf, demoViolations, formOf, typedDemo, typedOf } from "./typed-plan";

const PLAN: ManagedPlan = {
  id: "01981d3e-7c2a-7aa0-9d61-000000000001",
  subscription_id: 1,
  nocodb_id: null,
  name: "Студія",
  description: "",
  price: 199.5,
  currency: "UAH",
  monthly_minutes_limit: null,
  max_file_duration_minutes: 90,
  is_active: true,
  features: ["api"],
  queue_speed: "fast",
  created_at: "2026-11-01T08:00:00Z",
  users: 3,
};
const codes = (change: Partial<ReturnType<typeof typedOf>>) =>
  validatePlan(formOf({ ...typedOf(PLAN), ...change })).map(({ field, code }) => `${field} ${code}`);

it("is unchanged after conversion to typed values and back", () => {
  const { id, subscription_id, nocodb_id, created_at, users, ...form } = PLAN;
  expect(formOf(typedOf(PLAN))).toEqual(form);
  expect(codes({})).toEqual([]);
});

it("starts a new plan with the defaults of the rules", () => {
  expect(typedOf(null)).toEqual({
    name: "",
    description: "",
    price: "0",
    currency: "UAH",
    monthly_minutes_limit: "0",
    max_file_duration_minutes: "",
    is_active: true,
    features: [],
    queue_speed: "standard",
  });
});

it("reads an empty limit as no limit, and a comma as a decimal point", () => {
  expect(formOf({ ...typedOf(PLAN), monthly_minutes_limit: " ", max_file_duration_minutes: "1,5", price: "9,99" })).toMatchObject(
    {
      monthly_minutes_limit: null,
      max_file_duration_minutes: 1.5,
      price: 9.99,
    },
  );
});

it.each([
  [{ name: "  " }, "name plan_name_required"],
  [{ price: "" }, "price number_too_small"],
  [{ price: "дорого" }, "price number_too_small"],
  [{ price: "-1" }, "price number_too_small"],
  [{ price: "1e12" }, "price number_too_large"],
  [{ currency: "гривня" }, "currency currency_invalid"],
  [{ monthly_minutes_limit: "-5" }, "monthly_minutes_limit number_too_small"],
  [{ max_file_duration_minutes: "година" }, "max_file_duration_minutes number_too_small"],
])("leaves the validation of %o to the rules", (change, expected) => {
  expect(codes(change)).toEqual([expected]);
});

it("converts limits without a plan and back unchanged", () => {
  const demo = { monthly_minutes_limit: null, max_file_duration_minutes: 0.5, features: PLAN.features };
  expect(demoOf(typedDemo(demo))).toEqual(demo);
  expect(typedDemo(demo)).toMatchObject({ monthly_minutes_limit: "", max_file_duration_minutes: "0.5" });
});

it.each([
  ["година", ["max_file_duration_minutes number_too_small"]],
  ["1e999", ["max_file_duration_minutes number_too_large"]],
  // Refused by the server.
  ["-5", []],
  ["1e12", []],
  ["", []],
])("never sends %s as unlimited", (max_file_duration_minutes, expected) => {
  const demo = demoOf({ monthly_minutes_limit: "", max_file_duration_minutes, features: [] });
  expect(demoViolations(demo).map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
});
