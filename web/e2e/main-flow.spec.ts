/** The main use case of a new user: sign up, upload, watch, read, play, download. */
import { readFileSync } from "node:fs";
import configure from "../src/locales/uk/configure.json" with { type: "json" };
import sharing from "../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../src/locales/uk/transcript.json" with { type: "json" };
import upload from "../src/locales/uk/upload.json" with { type: "json" };
import { freshEmail } from "./accounts";
import { shoot } from "./looks";
import { LONGER, recording } from "./recordings";
import { register } from "./register";
import { expect, expectAccessible, playerState, test } from "./test";

test("a recording is transcribed to text with times", async ({ page, server }) => {
  /** The visible text after each change. */
  const liveTexts: string[] = [];
  const liveText = page.getByTestId("live-text").locator(".transcript-row p");
  const look = async () => {
    const text = (await liveText.allTextContents()).join(" ");
    if (text !== "" && text !== liveTexts.at(-1)) {
      liveTexts.push(text);
    }
  };

  await test.step("sign up", async () => {
    await register(page, server, freshEmail());
  });

  await test.step("choose the recording and the settings", async () => {
    await page.goto(`${server.origin}/upload`);
    await page.locator("input[type=file]").setInputFiles(recording("longer.mp3", LONGER));
    await page.getByRole("radio", { name: configure.mode.full.name }).check();
    await page.getByLabel(configure.language.label).selectOption("en");
    await expect(page.getByText(upload.transfer.ready)).toBeVisible();
    await page.getByRole("button", { name: configure.actions.start, exact: true }).click();
    await expect(page).toHaveURL(/\/transcription\/[0-9a-f-]{36}$/);
  });

  await test.step("the text grows during recognition, also after a reload", async () => {
    const completed = page.getByTestId("transcript-text");
    await expect(liveText.first().or(completed)).toBeVisible({ timeout: 120_000 });
    await look();
    await page.reload();
    await expect
      .poll(
        async () => {
          if (await completed.isVisible()) {
            return "completed";
          }
          await look();
          return "running";
        },
        { timeout: 200_000, intervals: [150] },
      )
      .toBe("completed");
    expect(liveTexts.length, "states of the text seen while it grew").toBeGreaterThanOrEqual(2);
    for (const [at, text] of liveTexts.slice(1).entries()) {
      expect(text.startsWith(liveTexts[at] ?? ""), `text that was shown stays:\n${liveTexts[at]}\n${text}`).toBe(true);
    }
  });

  await test.step("the text is complete", async () => {
    const fullText = ((await page.getByTestId("transcript-text").textContent()) ?? "").toLowerCase();
    for (const word of LONGER.words) {
      expect(fullText).toContain(word);
    }
    await expectAccessible(page);
  });

  await test.step("a click on a word plays it, and the current word is marked", async () => {
    const words = page.locator("[data-w]");
    const word = words.filter({ hasText: /telemarketers/i }).first();
    await word.click();
    await expect.poll(async () => (await playerState(page)).paused).toBe(false);
    // The prompt with this word starts after 25 s and ends before 36 s.
    const { time } = await playerState(page);
    expect(time).toBeGreaterThan(25);
    expect(time).toBeLessThan(40);
    const spoken = page.locator("[data-spoken]");
    await expect(spoken).toHaveCount(1);
    await expect
      .poll(async () => Number(await spoken.getAttribute("data-w")))
      .toBeGreaterThanOrEqual(Number(await word.getAttribute("data-w")));
    await shoot(page, "e2e/shots/transcript-playing.png");
    await page.keyboard.press("Space");
    await expect.poll(async () => (await playerState(page)).paused).toBe(true);
    const stopped = (await playerState(page)).time;
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await playerState(page)).time).toBeCloseTo(stopped + 5, 0);
  });

  await test.step("the subtitles are downloaded", async () => {
    await page.getByRole("button", { name: transcript.downloads.menu }).click();
    const dialog = page.getByRole("dialog", { name: sharing.export.title });
    await dialog.getByRole("radio", { name: sharing.export.formats.srt.name }).click();
    const downloading = page.waitForEvent("download");
    await dialog.getByRole("button", { name: sharing.export.download, exact: true }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.srt$/);
    const srt = readFileSync(await download.path(), "utf8");
    expect(srt).toMatch(/^1\r?\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}\r?\n/);
    expect(srt.toLowerCase()).toContain("telemarketers");
  });
});
