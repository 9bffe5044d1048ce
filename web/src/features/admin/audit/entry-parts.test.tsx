import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { AuditEntry } from "@/api/admin-audit";
import audit from "@/locales/en/admin-audit.json";
import rules from "@/locales/en/rules.json";
import { Changes } from "./entry-parts";

/** Looks a key up in the real texts: `rules:profanity.mask`, or `yes` in those of the audit log. */
function text(key: string): unknown {
  const [namespace, path] = key.includes(":") ? (key.split(":") as [string, string]) : ["admin-audit", key];
  const texts: unknown = namespace === "rules" ? rules : audit;
  return path.split(".").reduce((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], texts);
}

vi.mock("react-i18next", () => ({
  useTranslation: () => ({
    t: (key: string) => text(key),
    i18n: { language: "en", exists: (key: string) => typeof text(key) === "string" },
  }),
}));

const shown = (before: object, after: object) =>
  renderToStaticMarkup(<Changes entry={{ before, after } as AuditEntry} />).replace(/<[^>]+>/g, " ");

it("names a preset's setting and its value, wherever their texts are", () => {
  expect(shown({ settings: { profanity: "keep" } }, { settings: { profanity: "mask" } })).toMatch(
    /Swear words:\s+Keep as spoken\s+Mask with asterisks/,
  );
  expect(shown({ settings: { srt: false } }, { settings: { srt: true } })).toMatch(/SRT subtitles:\s+No\s+Yes/i);
  expect(shown({ settings: { transcription_type: "full" } }, { settings: { transcription_type: "lite" } })).toMatch(
    /Mode:\s+Full \(Pro\)\s+Lite \(Basic\)/,
  );
  expect(shown({ settings: { unheard_of: 1 } }, { settings: { unheard_of: 2 } })).toContain(audit.other_field);
});
