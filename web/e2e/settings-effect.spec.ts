/** Effects of settings: preferences are the defaults, violations are shown at their fields, times only if requested. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Job, Preferences, Session } from "../src/api/schema";
import { finishedJob, signIn, signUp } from "./accounts";
import { eachLocale } from "./looks";
import { recording, SHORT } from "./recordings";
import { expect, test as shared } from "./test";
import { containing, type Locale, startingWith, textsOf } from "./texts";

const TIME = /\d:\d\d/;

const test = shared.extend<{ timeless: { session: Session; job: Job } }>({
  /** A job without times, of a user who is not an administrator. */
  timeless: [
    async ({ server }, use) => {
      const session = await signUp(server);
      const settings = { transcription_type: "full", language_code: "en", sentence_level_timestamps: false } as const;
      await use({ session, job: await finishedJob(server, session, recording("timeless.mp3", SHORT), settings) });
    },
    { timeout: 240_000 },
  ],
});

const sentences = (page: Page, locale: Locale) =>
  page.getByRole("checkbox", { name: startingWith(textsOf(locale, "configure").timestamps.sentence) });

for (const locale of eachLocale("en")) {
  const words = textsOf(locale, "configure");

  test(`a new transcription starts with the preferences, and missing labels are reported at their field (${locale})`, async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, await signUp(server), { locale });
    await page.goto(`${server.origin}/settings?tab=preferences`);
    const settings = textsOf(locale, "settings");
    // Both changes are saved in one request or two; waits for the last one.
    const saved = page.waitForResponse(async (answer) => {
      if (answer.request().method() !== "PUT" || !answer.url().endsWith("/api/v1/me/preferences")) return false;
      // The request cannot be observed here, so the server's state is checked.
      return ((await answer.json()) as Preferences).settings.sentence_level_timestamps === false;
    });
    await page.getByLabel(words.language.label).selectOption("en");
    await sentences(page, locale).uncheck();
    await saved;
    await expect(page.getByText(settings.save.saved, { exact: true })).toBeVisible();

    await page.goto(`${server.origin}/upload`);
    await page.locator("input[type=file]").setInputFiles(recording("short.mp3", SHORT));
    await expect(page.getByText(words.begin.preferred)).toBeVisible();
    await expect(page.getByLabel(words.language.label)).toHaveValue("en");
    await expect(sentences(page, locale)).not.toBeChecked();
    await expect(page.getByText(textsOf(locale, "upload").transfer.ready)).toBeVisible();

    const requestedSettings: Record<string, unknown>[] = [];
    await page.route("**/api/v1/jobs", (route) => {
      if (route.request().method() !== "POST") return route.continue();
      requestedSettings.push(route.request().postDataJSON().settings);
      return route.abort();
    });
    const start = page.getByRole("button", { name: words.actions.start, exact: true });
    await page.getByRole("tab", { name: startingWith(words.tabs.advanced) }).click();
    const classification = page.getByRole("checkbox", { name: startingWith(words.classification.label) });
    await classification.check();
    await start.click();
    const labels = page.getByLabel(words.classification.labels);
    await expect(labels).toBeFocused();
    await expect(labels).toHaveAttribute("aria-invalid", "true");
    await expect(labels).toHaveAccessibleDescription(containing(textsOf(locale, "rules").violations.labels_required));
    expect(requestedSettings).toEqual([]);
    await classification.uncheck();
    await start.click();
    await expect
      .poll(() => requestedSettings.at(-1))
      .toMatchObject({
        language_code: "en",
        sentence_level_timestamps: false,
        overall_classification: false,
      });
  });

  test(`a text without times shows and exports none (${locale})`, async ({ page, context, server, timeless }) => {
    await signIn(context, timeless.session, { locale });
    await page.goto(`${server.origin}/transcription/${timeless.job.my_job_id}`);
    const text = page.getByTestId("transcript-text");
    await expect(text).toContainText(/telemarketers/i);
    await expect(text).not.toContainText(TIME);
    const plain = await exported(page, locale, "txt");
    expect(plain).toMatch(/telemarketers/i);
    expect(plain).not.toMatch(TIME);
    // Subtitles always have times.
    expect(await exported(page, locale, "srt")).toMatch(/^1\r?\n\d\d:\d\d:\d\d,\d{3} --> /);
  });
}

/** Downloads the text with the default options. */
async function exported(page: Page, locale: Locale, format: "txt" | "srt"): Promise<string> {
  const words = textsOf(locale, "sharing").export;
  await page.getByRole("button", { name: textsOf(locale, "transcript").downloads.menu }).click();
  const dialog = page.getByRole("dialog", { name: words.title });
  await dialog.getByRole("radio", { name: words.formats[format].name }).click();
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: words.download, exact: true }).click();
  const text = readFileSync(await (await downloading).path(), "utf8");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  return text;
}
