import { expect, it } from "vitest";
import { ApiError } from "@/api";
import { codeFailure, formFailure, loginFailure, resendFailure } from "./failures";

const answer = (status: number, code: ApiError["code"]) => new ApiError({ status, code });
const CUT = new ApiError({ status: 0, code: "network" });
const FAULT = new TypeError("a fault of the page");

it.each([
  [formFailure, answer(500, "internal"), "failed"],
  [formFailure, answer(429, "rate_limited"), "named"],
  [formFailure, CUT, "exception"],
  [formFailure, FAULT, "exception"],
  [loginFailure, answer(401, "invalid_credentials"), "named"],
  [loginFailure, answer(403, "account_blocked"), "named"],
  [loginFailure, CUT, "exception"],
  [codeFailure, answer(422, "invalid_code"), "field"],
  [codeFailure, answer(410, "code_expired"), "field"],
  [codeFailure, answer(422, "validation_failed"), "field"],
  [codeFailure, answer(410, "registration_expired"), "gone"],
  [codeFailure, answer(410, "registration_superseded"), "superseded"],
  [codeFailure, answer(409, "email_taken"), "named"],
  [codeFailure, answer(429, "rate_limited"), "named"],
  [codeFailure, FAULT, "exception"],
  [resendFailure, answer(502, "mail_failed"), "failed"],
  [resendFailure, answer(429, "rate_limited"), "wait"],
  [resendFailure, answer(410, "registration_expired"), "gone"],
  [resendFailure, answer(410, "registration_superseded"), "superseded"],
  [resendFailure, CUT, "exception"],
] as const)("%o tells of %o by its kind", (kindOf, error, kind) => expect(kindOf(error)).toBe(kind));
