import { afterEach, expect, it } from "vitest";
import { fileKey, findUploads, forgetUploads, isTransientStatus, fingerprint as ofKey } from "./tus-uploads";

const FILE = { name: "інтерв’ю.mp3", size: 6, lastModified: 7 };

const fingerprint = (owner: string, file: typeof FILE) => ofKey(owner, fileKey(file));

afterEach(() => localStorage.clear());

it("identifies an upload by owner and file, so that equal names do not collide", () => {
  const mine = fingerprint("ann", FILE);
  expect(fingerprint("ann", { ...FILE })).toBe(mine);
  expect(fingerprint("bob", FILE)).not.toBe(mine);
  expect(fingerprint("ann", { ...FILE, size: 7 })).not.toBe(mine);
  expect(fingerprint("ann", { ...FILE, lastModified: 8 })).not.toBe(mine);
});

it("deletes one stored upload, or all, and nothing else", () => {
  const keys = () => Object.keys(localStorage).sort();
  localStorage.setItem(`tus::${fingerprint("ann", FILE)}::1`, "{}");
  localStorage.setItem(`tus::${fingerprint("bob", FILE)}::2`, "{}");
  localStorage.setItem("slovo.theme", "dark");
  forgetUploads(fingerprint("ann", FILE));
  expect(keys()).toEqual(["slovo.theme", `tus::${fingerprint("bob", FILE)}::2`]);
  forgetUploads();
  expect(keys()).toEqual(["slovo.theme"]);
});

it("finds the uploads of one file, ignoring other stored data", () => {
  const mine = fingerprint("ann", FILE);
  const keep = (key: string, uploadUrl: unknown) => localStorage.setItem(key, JSON.stringify({ uploadUrl }));
  keep(`tus::${mine}::1`, "http://slovo.test/api/v1/uploads/up1");
  keep(`tus::${mine}::2`, "/api/v1/uploads/up2");
  keep(`tus::${mine}::part::3`, "http://slovo.test/api/v1/uploads/other");
  keep(`tus::${mine}2::4`, "http://slovo.test/api/v1/uploads/other");
  keep(`tus::${mine}::5`, 7);
  localStorage.setItem(`tus::${mine}::6`, "{");
  expect(findUploads(mine).sort()).toEqual(["up1", "up2"]);
});

it.each([
  [401, true],
  [429, true],
  [502, true],
  [404, false],
  [413, false],
  [415, false],
])("status %i is transient: %s", (status, passing) => {
  expect(isTransientStatus(status)).toBe(passing);
});
