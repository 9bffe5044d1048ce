import { expect, it } from "vitest";
import { suggestPassword } from "./suggest-password";

it("consists of four groups of unambiguous characters", () => {
  expect(suggestPassword()).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/);
  expect(suggestPassword()).not.toBe(suggestPassword());
});

it("is uniformly distributed: bytes that would cause a bias are rejected", () => {
  let turn = 0;
  const random = (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(turn++ % 2 === 0 ? 255 : 31);
  expect(suggestPassword(random)).toBe("aaaa-aaaa-aaaa-aaaa");
});
