// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { newUuid, tabClient } from "./tab-client";

beforeEach(() => sessionStorage.clear());

it("is stable within a tab and different in another one", () => {
  const first = tabClient();
  expect(tabClient()).toBe(first);
  sessionStorage.clear();
  expect(tabClient()).not.toBe(first);
});

it("replaces a stored value that is not a UUID", () => {
  sessionStorage.setItem("slovo.client", "me");
  expect(tabClient()).toMatch(/^[0-9a-f-]{36}$/);
});

it("creates version 4 UUIDs", () => {
  expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
