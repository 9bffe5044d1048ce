import { expect, it } from "vitest";
import type { Setup } from "@/api/admin-setup";
import { sectionLink, sectionOf, stepLink } from "./sections";

it.each([
  ["", "", "setup"],
  ["?section=mail", "", "mail"],
  ["?section=mail", "#test", "mail"],
  ["?section=nothing", "", "setup"],
  ["?section=constructor", "", "setup"],
  ["", "#analysis", "analysis"],
  ["?section=speech", "#url", "speech"],
  ["", "#site", "site"],
  ["", "#legal_name", "setup"],
  ["?section=site", "#mail", "site"],
])("%s%s opens %s", (search, hash, section) => {
  expect(sectionOf({ search, hash })).toBe(section);
});

it("links to a field of a section", () => {
  expect(sectionLink("settings")).toBe("/admin/config?section=settings");
  const legal = (missing: string[]) => ({ legal: { state: "to_do", missing } }) as unknown as Setup;
  expect(stepLink("legal", legal(["email", "imprint"]))).toBe("/admin/config?section=site#email");
  expect(stepLink("legal", legal([]))).toBe("/admin/config?section=site#legal_name");
  expect(stepLink("analysis", legal([]))).toBe("/admin/config?section=analysis#url");
});
