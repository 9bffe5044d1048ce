import { describe, expect, it } from "vitest";
import { firstOfEach, passwordErrors, ruleOfNone } from "./field-errors";

const rule = (field: string, code: string) => ({ field, code, params: {} });

describe("errors of a password that is chosen", () => {
  it("shows the password's first broken rule under the confirmation, before the mismatch", () => {
    const errors = passwordErrors([
      rule("email", "email_invalid"),
      rule("password", "password_too_short"),
      rule("password", "password_no_number"),
      rule("confirm_password", "passwords_do_not_match"),
    ]);
    expect(errors.email?.code).toBe("email_invalid");
    expect(errors.confirm_password?.code).toBe("password_too_short");
    expect(errors.password).toBeUndefined();
  });

  it("shows there, too, what only the server finds", () => {
    const weak = rule("password", "password_weak");
    expect(passwordErrors([weak])).toEqual({ confirm_password: weak });
  });

  it("shows over the form what is of none of its fields", () => {
    const missing = rule("credentials", "credentials_required");
    expect(ruleOfNone([rule("email", "email_invalid"), missing], ["email", "password"])).toBe(missing);
    expect(ruleOfNone([rule("email", "credentials_required")], ["email", "password"])).toBeNull();
  });

  it("shows the mismatch when the password itself is good", () => {
    const errors = passwordErrors([rule("confirm_password", "passwords_do_not_match")]);
    expect(errors).toEqual({ confirm_password: rule("confirm_password", "passwords_do_not_match") });
  });
});

describe("sign-in errors", () => {
  it("keeps one broken rule a field, at its own field", () => {
    const errors = firstOfEach([rule("password", "password_required"), rule("password", "too_long")]);
    expect(errors).toEqual({ password: rule("password", "password_required") });
  });
});
