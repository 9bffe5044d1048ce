import { expect, it } from "vitest";
import { pendingSignup, signupOfProblem, signupOfState } from "./pending-signup";

const NOW = 1_000_000;
const SIGNUP = { registration: "r", email: "o@example.org", resendAt: NOW + 60_000, sent: true, remember: false };

it("computes times from the arrival of the response", () => {
  const answer = {
    registration: "r",
    email: "o@example.org",
    resend_after: 60,
    sent: true,
    code_expires_at: "2026-11-21T12:15:00Z",
  };
  expect(pendingSignup(answer, false, NOW)).toEqual(SIGNUP);
});

it("is read from a refused sign-in", () => {
  const params = { registration: "r", email: "o@example.org", resend_after: 60, sent: true };
  expect(signupOfProblem(params, false, NOW)).toEqual(SIGNUP);
  expect(signupOfProblem({ ...params, resend_after: "60", sent: "false" }, false, NOW)).toEqual({ ...SIGNUP, sent: false });
  expect(signupOfProblem({ registration: "r", email: "o@example.org" }, false, NOW)).toMatchObject({ resendAt: NOW, sent: true });
  expect(signupOfProblem({ email: "o@example.org" }, false, NOW)).toBeNull();
});

it("is restored from the history entry, and other states are ignored", () => {
  expect(signupOfState({ from: "/upload", signup: SIGNUP })).toEqual(SIGNUP);
  for (const other of [null, undefined, "", 7, {}, { signup: null }, { signup: { email: "o@example.org" } }]) {
    expect(signupOfState(other)).toBeNull();
  }
});
