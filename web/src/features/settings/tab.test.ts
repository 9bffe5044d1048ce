import { expect, it } from "vitest";
import { parseTab } from "./tab";

it.each([
  ["", "profile"],
  ["tab=profile", "profile"],
  ["tab=security", "security"],
  ["tab=preferences", "preferences"],
  ["tab=api-keys", "api-keys"],
  ["tab=webhooks", "webhooks"],
  ["tab=sources", "sources"],
  ["tab=billing", "profile"],
  ["tab=%00", "profile"],
  ["tab=constructor", "profile"],
])("?%s opens the tab %s", (query, tab) => {
  expect(parseTab(new URLSearchParams(query))).toBe(tab);
});
