/** Warnings about the quality of a text: on its page, and in the settings before the start. The API is mocked. */
import type { Page } from "@playwright/test";
import type { Capabilities, RemovedPassage, Warning } from "../../src/api/schema.d.ts";
import { EVERYTHING } from "../../src/api/test-capabilities";
import { POOR_MODELS } from "../../src/api/test-speech-models";
import { signIn } from "../accounts";
import { test as built } from "../built-page";
import { mockConfigure } from "../configure-world";
import { intercept } from "../intercept";
import { eachLocale, eachWidth, shoot } from "../looks";
import { mockApi, SESSION } from "../mock-api";
import { expectAccessible } from "../test";
import { textsOf } from "../texts";
import { expect, picture, test } from "../workplace";

const CAPABILITIES: Capabilities = { ...EVERYTHING, speech_models: POOR_MODELS };
const LITE: Warning[] = [
  { code: "much_unrecognised", params: { percent: 32 } },
  { code: "lite_not_english", params: {} },
];
const POOR: Warning = {
  code: "language_served_poorly",
  params: {
    language: "uk",
    model: "base-q8_0",
    figures_of: "base-q8_0",
    percent: 45,
    source: "measured",
    better: "large-v3-q5_0",
  },
};

const mockModels = (page: Page) => intercept(page, "**/api/v1/capabilities", (route) => route.fulfill({ json: CAPABILITIES }));
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

for (const locale of eachLocale("uk")) {
  const t = textsOf(locale, "quality");
  const { warnings } = textsOf(locale, "problems");
  const words = textsOf(locale, "transcript").warnings;
  const { rerun } = textsOf(locale, "history");
  const note = (page: Page) => page.getByRole("region", { name: words.label, exact: true });

  for (const wide of eachWidth(locale)) {
    test(`a text that Lite did not understand can be recognised in Full (${wide} ${locale})`, async ({ page, open, world }) => {
      await mockModels(page);
      world.job.warnings = LITE;
      world.job.settings = { ...world.job.settings, transcription_type: "lite", language_code: "en" };
      await open({ locale, width: wide, theme: wide === 390 ? "dark" : "light" });
      await expect(note(page)).toContainText("32");
      await expect(note(page)).toContainText(warnings.lite_not_english);
      await expect(note(page).getByRole("button", { name: t.chooseLanguage })).toHaveCount(0);
      expect(await width(page)).toBe(wide);
      await picture(page, "quality-lite", { locale, width: wide, theme: wide === 390 ? "dark" : "light" });
      await expectAccessible(page);

      await note(page).getByRole("button", { name: t.againInFull }).focus();
      await page.keyboard.press("Enter");
      const sheet = page.getByRole("dialog", { name: rerun.title });
      await expect(sheet.getByRole("radio", { name: "Full" })).toBeChecked();
      await expect(sheet.getByRole("combobox").first()).toHaveValue("auto");
      await page.keyboard.press("Escape");
      await expect(sheet).toBeHidden();

      await note(page).getByRole("button", { name: words.hide }).click();
      await expect(note(page)).toBeHidden();
      await page.reload();
      await expect(page.getByRole("toolbar").first()).toBeVisible();
      await expect(note(page)).toBeHidden();
    });
  }

  test(`the better model is named to all, and linked for administrators (${locale})`, async ({ page, open, world }) => {
    await mockModels(page);
    world.job.warnings = [POOR];
    await open({ locale });
    await expect(note(page)).toContainText("45");
    await expect(note(page)).toContainText(t.better.replace("{{model}}", "large-v3-q5_0"));
    await expect(note(page).getByRole("link")).toHaveCount(0);
  });

  test(`what was restored is recognised (${locale})`, async ({ page, open, world }) => {
    await mockModels(page);
    const removed = textsOf(locale, "removed");
    const passage: RemovedPassage = {
      number: 0,
      segment: "72656d6f-7665-8000-8000-000000000000",
      start: 60,
      end: 90,
      text: "щось нерозбірливе",
      reason: "unrecognised",
      voiced: 0.9,
      confidence: 0.2,
      compression: 1,
    };
    world.removed = [passage];
    world.job.warnings = [{ code: "much_unrecognised", params: { percent: 32 } }];
    await open({ locale });
    await expect(note(page)).toContainText("32");
    await expect(note(page).getByRole("button", { name: t.chooseLanguage })).toBeVisible();
    await page.getByTestId("removed").locator("summary").click();
    await page.getByRole("button", { name: removed.bringBackOf.replace("{{time}}", "1:00") }).click();
    await expect(note(page)).toBeHidden();
  });

  built(`the preset editor warns before the start (${locale})`, async ({ page, context, origin }) => {
    const presets = textsOf(locale, "presets");
    const configure = textsOf(locale, "configure");
    await mockApi(page, { signedIn: true, jobs: [] });
    await mockConfigure(page, { capabilities: CAPABILITIES });
    await signIn(context, SESSION, { locale });
    await page.goto(`${origin}/presets`);
    await page.getByRole("button", { name: presets.create, exact: true }).click();
    const editor = page.getByRole("dialog");
    const language = editor.getByLabel(configure.language.label);
    const short = editor.getByRole("button", { name: configure.language.poor.replace("{{percent}}", "45") });
    const warning = editor.getByRole("status").filter({ hasText: "base-q8_0" });
    await language.selectOption("uk");
    await expectAccessible(page);
    await short.click();
    await expect(warning).toContainText("45");
    await expectAccessible(page);
    await language.selectOption("en");
    await expect(short).toHaveCount(0);
    await expect(warning).toHaveCount(0);
    await language.selectOption("uk");
    await editor.getByRole("radio", { name: "Lite" }).click();
    await expect(editor.getByText(warnings.lite_not_english)).toBeVisible();
    await shoot(page, `e2e/shots/quality-preset-${locale}.png`);
    await expectAccessible(page);
    await editor.getByRole("button", { name: t.useFull }).click();
    await expect(editor.getByRole("radio", { name: "Full" })).toBeChecked();
    await expect(language).toHaveValue("uk");
  });
}
