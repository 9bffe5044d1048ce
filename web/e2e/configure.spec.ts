/** Step 2 of the wizard. Capabilities, minutes and presets are mocked; the upload is real. */
import type { Page } from "@playwright/test";
import configureEn from "../src/locales/en/configure.json" with { type: "json" };
import rulesEn from "../src/locales/en/rules.json" with { type: "json" };
import configure from "../src/locales/uk/configure.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { MINUTES_OF_MEETING, mockConfigure, RECOGNITION_ONLY, tenMinutes } from "./configure-world";
import { intercept } from "./intercept";
import { eachLook, shoot } from "./looks";
import { recording, SHORT } from "./recordings";
import type { Server } from "./server";
import { expect, expectAccessible, test } from "./test";

const RECORDING = () => recording("short.mp3", SHORT);

async function openSettings(page: Page, server: Server) {
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(RECORDING());
  await expect(page.getByRole("tab", { name: /^(Основне|Basic)/ })).toBeVisible();
  await expect(page.getByText(/^(Файл надіслано|File uploaded)$/)).toBeVisible();
}

/** Intercepts the request that creates a job. */
function nextJobRequest(page: Page): Promise<{ settings: Record<string, unknown>; preset_id?: string | null }> {
  return new Promise((resolve) => {
    void intercept(page, "**/api/v1/jobs", (route) => {
      if (route.request().method() !== "POST") return route.continue();
      resolve(route.request().postDataJSON());
      return route.abort();
    });
  });
}

const tab = (page: Page, name: keyof typeof configure.tabs) =>
  page.getByRole("tab", { name: new RegExp(`^${configure.tabs[name]}`) });
const start = (page: Page) => page.getByRole("button", { name: configure.actions.start, exact: true });

test.describe("in Ukrainian", () => {
  test.beforeEach(async ({ context, server }) => {
    await signIn(context, await signUp(server));
  });

  test("every setting reaches the job", async ({ page, server }) => {
    await mockConfigure(page);
    const requested = nextJobRequest(page);
    await openSettings(page, server);
    await page.getByLabel(configure.language.label).selectOption("pl");
    await page.getByLabel(configure.speakers.diarization).check();
    await page.getByLabel(configure.speakers.sentence).check();
    await page.getByLabel(configure.speakers.count).fill("2-4");
    await page.getByRole("checkbox", { name: configure.timestamps.word }).check();
    await page.getByLabel(configure.timestamps.srt).check();
    await page.getByLabel(configure.vocabulary.label).fill("Слово, Забужко");
    await tab(page, "advanced").click();
    await page.getByLabel(configure.result.multichannel).check();
    await page.getByLabel(configure.result.file).check();
    await page.getByLabel(configure.result.translate).check();
    await expect(page.getByText(rules.notes.translate_replaces)).toBeVisible();
    await page.getByLabel(rules.setting.profanity).selectOption("mask");
    await page.getByLabel(configure.summary.label).fill("150");
    await page.getByLabel(configure.analysis.sentiment).check();
    await page.getByLabel(configure.classification.label).check();
    await page.getByLabel(configure.classification.labels).fill("скарга; подяка");
    await page.getByLabel(configure.prompt.label).fill("Що вирішили?");
    const text = page.getByRole("toolbar", { name: configure.translation.llm_translation, exact: true });
    await text.getByRole("button", { name: rules.translation_target.thai }).click();
    await text.getByRole("button", { name: rules.translation_target.english }).click();
    const subtitles = page.getByRole("toolbar", { name: configure.translation.srt_translation, exact: true });
    await subtitles.getByRole("button", { name: rules.translation_target.hindi }).click();
    await start(page).click();
    expect((await requested).settings).toEqual({
      url: "",
      transcription_type: "full",
      language_code: "pl",
      languages: [],
      diarization: true,
      speakers: "2-4",
      sentence_diarization: true,
      sentence_level_timestamps: true,
      word_level_timestamps: true,
      srt: true,
      return_as_file: true,
      multichannel: true,
      profanity: "mask",
      translate: "to_eng",
      summarize: 150,
      overall_sentiment_analysis: true,
      overall_classification: true,
      classification_labels: ["скарга", "подяка"],
      custom_prompt: "Що вирішили?",
      custom_vocabulary: "Слово, Забужко",
      llm_translation: "english, thai",
      srt_translation: "hindi",
    });
  });

  test("Lite resets settings that need Full, and disabled controls are explained", async ({ page, server }) => {
    await mockConfigure(page);
    await openSettings(page, server);
    await tab(page, "advanced").click();
    await page.getByLabel(configure.summary.label).fill("150");
    await tab(page, "basic").click();
    await page.getByRole("radio", { name: configure.mode.lite.name }).check();
    await expect(page.getByText(configure.mode.forcedEnglish)).toBeVisible();
    await expect(page.getByLabel(configure.language.label)).toHaveValue("en");
    await tab(page, "advanced").click();
    await expect(page.getByLabel(configure.summary.label)).toHaveValue("0");
    const sentiment = page.getByLabel(configure.analysis.sentiment);
    await expect(sentiment).toHaveAttribute("aria-disabled", "true");
    await sentiment.focus();
    await expect(sentiment).toBeFocused();
    await expect(sentiment).toHaveAccessibleDescription(/Ця опція недоступна в режимі Lite, виберіть Full/);
    await expect(page.getByRole("tooltip", { name: "Ця опція недоступна в режимі Lite, виберіть Full" })).toBeVisible();
    await page.keyboard.press("Space");
    await expect(sentiment).not.toBeChecked();
    await expectAccessible(page);
    await page.getByRole("button", { name: configure.lite.choose }).click();
    await sentiment.check();
    await expect(sentiment).toBeChecked();
  });

  test("a preset is applied, changed, restored and removed", async ({ page, server }) => {
    await mockConfigure(page);
    const requested = nextJobRequest(page);
    await openSettings(page, server);
    await page.getByLabel(configure.language.label).selectOption("de");
    const select = page.getByLabel(configure.presets.label, { exact: true });
    await select.selectOption({ label: MINUTES_OF_MEETING.name });
    const badge = page.getByRole("status").filter({ hasText: MINUTES_OF_MEETING.name });
    await expect(badge).toBeVisible();
    await expect(page.getByLabel(configure.language.label)).toHaveValue("uk");
    await expect(page.getByLabel(configure.speakers.diarization)).toBeChecked();
    await page.getByLabel(configure.speakers.diarization).uncheck();
    await expect(badge).toContainText(configure.presets.changed);
    await page.getByRole("button", { name: configure.presets.restore.split("«")[0] ?? "" }).click();
    await expect(page.getByLabel(configure.speakers.diarization)).toBeChecked();
    await expect(badge).not.toContainText(configure.presets.changed);
    // It survives a reload, even if presets cannot be loaded.
    await page.reload();
    await expect(badge).toBeVisible();
    await select.selectOption({ label: configure.presets.none });
    await expect(badge).toBeHidden();
    await expect(page.getByLabel(configure.language.label)).toHaveValue("de");
    await expect(page.getByLabel(configure.speakers.diarization)).not.toBeChecked();
    await select.selectOption({ label: MINUTES_OF_MEETING.name });
    await start(page).click();
    expect((await requested).settings).toMatchObject({ summarize: 200, diarization: true, language_code: "uk" });
  });

  test("violations are listed temporarily, shown at their fields, and their tab is opened", async ({ page, server }) => {
    await mockConfigure(page);
    await openSettings(page, server);
    await tab(page, "advanced").click();
    await page.getByLabel(configure.summary.label).fill("5000");
    await tab(page, "basic").click();
    await start(page).click();
    const list = page.getByRole("alert").filter({ hasText: configure.errors.list });
    await expect(list).toBeVisible();
    const summary = page.getByLabel(configure.summary.label);
    await expect(summary).toBeFocused();
    await expect(summary).toHaveAttribute("aria-invalid", "true");
    await expectAccessible(page);
    await expect(list).toBeHidden();
    await expect(summary).toHaveAttribute("aria-invalid", "true");
    await summary.fill("2000");
    await expect(summary).toHaveAttribute("aria-invalid", "true");
    await summary.fill("200");
    await expect(summary).not.toHaveAttribute("aria-invalid");
  });
});

test.describe("in Ukrainian, before the job", () => {
  test.beforeEach(async ({ context, server }) => {
    await signIn(context, await signUp(server));
  });

  test("required minutes are shown before the job, and too few prevent it", async ({ page, server }) => {
    await mockConfigure(page, { minutes: tenMinutes(9.99) });
    let jobs = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/api/v1/jobs")) jobs += 1;
    });
    await openSettings(page, server);
    await expect(page.getByText(/Недостатньо хвилин: потрібно 0,\d+, лишилося 0,01/)).toBeVisible();
    // Disabled, but focusable: pressing it shows the reason.
    await start(page).press("Enter");
    await expect(page.getByRole("alert").filter({ hasText: "Недостатньо хвилин" })).toBeVisible();
    expect(jobs).toBe(0);
  });

  test("analyses without a language model can be chosen with a note; unsupported recognition is disabled", async ({
    page,
    server,
  }) => {
    await mockConfigure(page, { capabilities: RECOGNITION_ONLY });
    await openSettings(page, server);
    await page.getByRole("tab", { name: new RegExp(`^${configure.tabs.advanced}`) }).click();
    const sentiment = page.getByRole("checkbox", { name: new RegExp(configure.analysis.sentiment) });
    await expect(sentiment).toHaveAccessibleName(new RegExp(configure.lack.later_mark));
    await sentiment.check();
    await expect(sentiment).toHaveAccessibleDescription(new RegExp(configure.lack.later));
    const channels = page.getByRole("checkbox", { name: new RegExp(configure.result.multichannel) });
    await expect(channels).toBeDisabled();
    await expect(channels).toHaveAccessibleName(new RegExp(configure.lack.mark));
    await expect(page.getByRole("checkbox", { name: new RegExp(configure.result.translate) })).toBeEnabled();
    await expectAccessible(page);
  });

  test("pasted words become vocabulary terms, and can be removed by keyboard", async ({ page, server }) => {
    await mockConfigure(page);
    await openSettings(page, server);
    const field = page.getByLabel(configure.vocabulary.label);
    await field.focus();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text", "Слово; Забужко\nУкрзалізниця, слово");
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await expect(page.getByText("3 / 200")).toBeVisible();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await expect(page.getByText("2 / 200")).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Укрзалізниця" })).toHaveCount(0);
  });
});

const LOOKS = eachLook(
  [
    { locale: "uk", theme: "light", width: 390, height: 844 },
    { locale: "en", theme: "dark", width: 1280, height: 800 },
    { locale: "en", theme: "dark", width: 390, height: 844 },
    { locale: "en", theme: "light", width: 768, height: 1024 },
    { locale: "uk", theme: "light", width: 1280, height: 800 },
    { locale: "uk", theme: "dark", width: 1920, height: 1080 },
  ],
  1,
);

for (const { locale, theme, width, height } of LOOKS) {
  test.describe(`${locale}, ${theme}, ${width} px`, () => {
    test.use({ viewport: { width, height } });

    test("screenshots", async ({ page, context, server }) => {
      const words = locale === "uk" ? configure : configureEn;
      await signIn(context, await signUp(server), { locale, theme });
      await mockConfigure(page, { minutes: tenMinutes(2.25) });
      await openSettings(page, server);
      const look = async (name: string) => {
        await page.evaluate(() => document.fonts.ready);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, "nothing sticks out to the right").toBeLessThanOrEqual(0);
        if (width < 800) {
          // Sticky elements would cover parts of a screenshot of the whole page.
          const tall = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width, height: Math.max(height, tall) });
        }
        await shoot(page, `e2e/shots/configure-${name}-${locale}-${theme}-${width}.png`);
        await page.setViewportSize({ width, height });
        await expectAccessible(page);
      };
      await expect(page.getByText(/1\s?\/\s?200|0\s?\/\s?200/)).toBeVisible();
      await look("basic");
      if (width >= 1280) {
        const tall = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
        expect(tall, "Basic needs no scrolling").toBeLessThanOrEqual(0);
      }
      const { name, name_en } = MINUTES_OF_MEETING;
      await page
        .getByLabel(words.presets.label, { exact: true })
        .selectOption({ label: locale === "uk" ? name : (name_en ?? name) });
      await page.getByRole("checkbox", { name: words.timestamps.word }).check();
      await page.getByLabel(words.vocabulary.label).fill("Слово, Оксана Забужко, Укрзалізниця, Харків, Нова пошта,");
      await look("basic-preset");
      await page.getByRole("tab", { name: new RegExp(`^${words.tabs.advanced}`) }).click();
      await page.getByLabel(words.result.translate).check();
      await page.getByLabel(words.classification.label).check();
      await page.getByLabel(words.classification.labels).fill("скарга, подяка,");
      await page
        .getByRole("button", { name: /Англійська|English/ })
        .first()
        .click();
      await look("advanced");
      await page.getByLabel(words.summary.label).fill("5000");
      await page.getByLabel(words.prompt.label).fill(" ");
      await page.getByRole("button", { name: words.actions.start, exact: true }).click();
      await expect(page.getByRole("alert").filter({ hasText: words.errors.list })).toBeVisible();
      await look("errors");
      await page.getByRole("tab", { name: new RegExp(`^${words.tabs.basic}`) }).click();
      await page.getByRole("radio", { name: words.mode.lite.name }).check();
      await look("basic-lite");
      await page.getByRole("tab", { name: new RegExp(`^${words.tabs.advanced}`) }).click();
      await page.getByLabel(words.analysis.sentiment).scrollIntoViewIfNeeded();
      await page.getByLabel(words.analysis.sentiment).focus();
      const reason = (locale === "uk" ? rules : rulesEn).violations.unavailable_in_lite;
      await expect(page.getByRole("tooltip", { name: reason })).toBeVisible();
      await look("advanced-lite");
    });
  });
}
