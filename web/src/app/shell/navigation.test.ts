import { expect, it } from "vitest";
import shell from "@/locales/uk/shell.json";
import { sectionGroups, titleKey } from "./navigation";

it.each([
  ["/dashboard", "dashboard"],
  ["/transcriptions", "transcriptions"],
  ["/presets", "presets"],
  ["/subscription", "subscription"],
  ["/settings", "settings"],
  ["/settings/", "settings"],
  ["/upload", "upload"],
  ["/admin/overview", "admin_overview"],
  ["/admin/users", "admin_users"],
  ["/admin/subscriptions", "admin_subscriptions"],
  ["/admin/transcriptions", "admin_transcriptions"],
  ["/admin/presets", "admin_presets"],
  ["/admin/sign-ins", "admin_sign_ins"],
  ["/admin/config", "admin_config"],
  ["/transcription/01981d3e", "transcription"],
] as const)("titles %s by its path", (path, key) => {
  expect(titleKey(path)).toBe(key);
  expect(shell.titles[key]).toBeTruthy();
  if (path.startsWith("/admin/")) expect(shell.titles[key]).toMatch(/^Адмін: /);
});

it.each(["/", "/constructor", "/admin", "/transcription"])("has no title of its own for %s", (path) => {
  expect(titleKey(path)).toBeNull();
});

it("shows the Admin Panel to administrators only", () => {
  const labels = (role: string | undefined) => sectionGroups(role).map((group) => group.label);
  expect(labels("admin")).toEqual(["menu", "admin_panel"]);
  expect(labels("user")).toEqual(["menu"]);
  expect(labels(undefined)).toEqual(["menu"]);
});
