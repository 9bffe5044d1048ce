import { describe, expect, it } from "vitest";
import { firstOfEach, formViolation } from "./field-errors";

const rule = (field: string, code: string) => ({ field, code, params: {} });

describe("errors of a form", () => {
  it("assigns the first violation of each field to it", () => {
    const errors = firstOfEach([
      rule("email", "email_invalid"),
      rule("password", "password_too_short"),
      rule("password", "password_no_number"),
      rule("confirm_password", "passwords_do_not_match"),
    ]);
    expect(errors).toEqual({
      email: rule("email", "email_invalid"),
      password: rule("password", "password_too_short"),
      confirm_password: rule("confirm_password", "passwords_do_not_match"),
    });
  });

  it("assigns violations of other fields to the form", () => {
    const missing = rule("credentials", "credentials_required");
    expect(formViolation([rule("email", "email_invalid"), missing], ["email", "password"])).toBe(missing);
    expect(formViolation([rule("email", "credentials_required")], ["email", "password"])).toBeNull();
  });
});
