import i18next from "i18next";
import { afterAll, expect, test } from "vitest";
import { TEXT_LIMITS } from "@/rules/constants";
import { startI18n } from "./i18n";

/** Exceptions: words without plural forms (МБ, с), or in the form for 2 to 4 (3 дні, 24 години) or for 1 (одну годину). */
const OTHER_FORMS: Readonly<Record<string, string>> = {
  avatar_mb: "few",
  template_mb: "few",
  invitation_days: "few",
  registration_hours: "few",
  reset_link_hours: "one",
  temporary_session_hours: "few",
  upload_hours: "few",
  webhook_retry_days: "few",
  min_cue_seconds: "other",
};

afterAll(() => i18next.changeLanguage("uk"));

test("each limit needs the plural form that is used in its texts", () => {
  const rules = new Intl.PluralRules("uk");
  const figures = Object.entries(TEXT_LIMITS).filter(([, value]) => typeof value === "number") as [string, number][];
  const forms = figures.map(([name, figure]) => [name, rules.select(figure)]);
  expect(forms).toEqual(figures.map(([name]) => [name, OTHER_FORMS[name] ?? "many"]));
});

test("texts contain limits without passing them as parameters", async () => {
  await startI18n();
  expect(i18next.t("problems:codes.too_many_presets")).toMatch(new RegExp(`\\s${TEXT_LIMITS.presets}\\s`));
});

test("formats lists, decimals and spelled-out numbers in both languages", async () => {
  await startI18n();
  expect(i18next.t("problems:codes.unsupported_media")).toMatch(/mp3, wav, m4a, flac, ogg, webm, mp4, avi, mov або mkv\.$/);
  expect(i18next.t("rules:violations.span_too_short")).toMatch(/на\s0,04\sс\s/);
  expect(i18next.t("auth:verify.hint")).toMatch(/^П’ять літер або цифр\. Код діє 15\sхв\./);
  expect(i18next.t("admin-site:fields.social.hint")).toContain("не більше десяти.");
  expect(i18next.t("admin-site:fields.own_testimonials.hint")).toContain("Не більше дванадцяти.");
  expect(i18next.t("sharing:export.layout.hints.numbered")).toMatch(/^25 рядків по 60 знаків .*\sTXT, DOCX і\sPDF /);
  expect(i18next.t("configure:timestamps.wordHint")).toMatch(/^у\sJSON, CSV і\sVTT$/);
  await i18next.changeLanguage("en");
  expect(i18next.t("problems:codes.unsupported_media")).toMatch(/avi, mov or mkv\.$/);
  expect(i18next.t("rules:violations.span_too_short")).toMatch(/0\.04\ss/);
  expect(i18next.t("auth:verify.hint")).toMatch(/^Five letters or digits\. The code is valid for 15\sminutes\./);
  expect(i18next.t("admin-site:fields.social.hint")).toContain("up to ten.");
  expect(i18next.t("admin-site:fields.own_testimonials.hint")).toContain("Up to twelve.");
  expect(i18next.t("sharing:export.not_in_plan")).toMatch(/^Your plan includes TXT and VTT\./);
});
