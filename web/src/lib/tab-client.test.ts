// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { newUuid, tabClient } from "./tab-client";

beforeEach(() => sessionStorage.clear());

it("is the same as long as the tab is there, and another in the next", () => {
  const first = tabClient();
  expect(tabClient()).toBe(first);
  sessionStorage.clear();
  expect(tabClient()).not.toBe(first);
});

it("does not take over what is no UUID", () => {
  sessionStorage.setItem("slovo.client", "me");
  expect(tabClient()).toMatch(/^[0-9a-f-]{36}$/);
});

it("makes UUIDs of version 4", () => {
  expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
