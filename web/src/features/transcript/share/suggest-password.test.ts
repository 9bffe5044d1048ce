import { expect, it } from "vitest";
import { suggestPassword } from "./suggest-password";

it("is four groups of letters that look like no other", () => {
  expect(suggestPassword()).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/);
  expect(suggestPassword()).not.toBe(suggestPassword());
});

it("makes no letter likelier: the bytes that would are passed over", () => {
  let turn = 0;
  const random = (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(turn++ % 2 === 0 ? 255 : 31);
  expect(suggestPassword(random)).toBe("aaaa-aaaa-aaaa-aaaa");
});
