import i18next from "i18next";
import { expect, test } from "vitest";
import { startI18n } from "./i18n";
import { TEXT_LIMITS } from "./text-limits";

/** Their words are the same whatever the figure (МБ), or stand in the form of a few (3 дні). */
const OTHER_FORMS: Readonly<Record<string, string>> = { avatar_mb: "few", template_mb: "few", invitation_days: "few" };

test("each figure has the plural form that its texts are written in", () => {
  const rules = new Intl.PluralRules("uk");
  const forms = Object.entries(TEXT_LIMITS).map(([name, figure]) => [name, rules.select(figure)]);
  expect(forms).toEqual(Object.keys(TEXT_LIMITS).map((name) => [name, OTHER_FORMS[name] ?? "many"]));
});

test("a text has its figure without being given it", async () => {
  await startI18n();
  expect(i18next.t("problems:codes.too_many_presets")).toMatch(new RegExp(`\\s${TEXT_LIMITS.presets}\\s`));
});
