/** The transcript page: access, keyboard control, and a crash of the server. */

import configure from "../src/locales/uk/configure.json" with { type: "json" };
import text from "../src/locales/uk/transcript.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { LONGER, recording } from "./recordings";
import { expect, playerState, test } from "./test";

test("users cannot see another user's job", async ({ page, context, server, finished }) => {
  await signIn(context, await signUp(server));
  await page.goto(`${server.origin}/transcription/${finished.my_job_id}`);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(text.notFound)).toBeVisible();
});

test("an invalid URL redirects to the dashboard, too", async ({ page, context, server, reader }) => {
  await signIn(context, reader);
  await page.goto(`${server.origin}/transcription/nothing-here`);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(text.notFound)).toBeVisible();
});

test("everything works by keyboard", async ({ page, context, server, reader, finished }) => {
  await signIn(context, reader);
  await page.goto(`${server.origin}/transcription/${finished.my_job_id}`);
  const words = page.getByTestId("transcript-text");
  await expect(words).toBeVisible();

  await test.step("the text is reached by Tab", async () => {
    for (let stops = 0; stops < 40 && !(await words.evaluate((element) => element === document.activeElement)); stops += 1) {
      await page.keyboard.press("Tab");
    }
    await expect(words).toBeFocused();
  });

  await test.step("arrow keys move through it, Enter plays from the word", async () => {
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const cursor = Number(await page.locator("[data-cursor]").getAttribute("data-w"));
    expect(cursor).toBeGreaterThan(2);
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await playerState(page)).paused).toBe(false);
    expect((await playerState(page)).time).toBeGreaterThan(0.5);
  });

  await test.step("Space pauses, arrow keys outside of the text skip", async () => {
    await page.keyboard.press("Space");
    await expect.poll(async () => (await playerState(page)).paused).toBe(true);
    const { time } = await playerState(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await playerState(page)).time).toBeCloseTo(time + 5, 0);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await playerState(page)).time).toBeCloseTo(time, 0);
  });
});

test("a text of 100,000 words can be read to its end, with few words rendered at a time", async ({
  page,
  context,
  server,
  reader,
  finished,
}) => {
  const sentences = 6_250;
  const segments = Array.from({ length: sentences }, (_, index) => ({
    id: String(index),
    revision: 0,
    place: { base: index, part: 0 },
    start: index * 5,
    end: index * 5 + 4.8,
    speaker: null,
    text: Array.from({ length: 16 }, (_, word) => `word${index * 16 + word}`).join(" "),
    words: Array.from({ length: 16 }, (_, word) => ({
      start: index * 5 + word * 0.3,
      end: index * 5 + word * 0.3 + 0.25,
      text: `word${index * 16 + word}`,
      confidence: 0.9,
    })),
  }));
  const version = { version: 1, seq: 0, newest: true, can_undo: false, can_redo: false };
  const about = { language: "en", duration: sentences * 5, mode: "full", model: "made up", warnings: [] };
  await page.route("**/transcript?*", async (route) => {
    // The mocked text has no edits, so its version must be the server's current one.
    const { seq } = await (await route.fetch()).json();
    await route.fulfill({ json: { ...version, seq, ...about, speakers: [], segments } });
  });
  await signIn(context, reader);
  await page.goto(`${server.origin}/transcription/${finished.my_job_id}`);
  await expect(page.getByText("word0", { exact: true })).toBeVisible();
  const onPage = () => page.locator("[data-w]").count();
  expect(await onPage()).toBeLessThan(1_500);
  await page.keyboard.press("End");
  await expect
    .poll(async () => {
      // Rows are measured when rendered, so the end moves slightly while scrolling.
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      return page.getByText("word99999", { exact: true }).isVisible();
    })
    .toBe(true);
  expect(await onPage()).toBeLessThan(1_500);
});

test("a job continues after the server was killed, and its page reconnects automatically", async ({ page, context, server }) => {
  await signIn(context, await signUp(server));
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(recording("longer.mp3", LONGER));
  await page.getByRole("radio", { name: configure.mode.lite.name }).check();
  await page.getByLabel(configure.language.label).selectOption("en");
  await page
    .getByRole("button", { name: configure.actions.startWhenReady })
    .or(page.getByRole("button", { name: configure.actions.start, exact: true }))
    .click();
  await expect(page).toHaveURL(/\/transcription\//);
  await expect(page.getByTestId("live-text").locator(".transcript-row").first()).toBeVisible({ timeout: 120_000 });
  await server.crashAndRestart();
  const transcript = page.getByTestId("transcript-text");
  await expect(transcript).toBeVisible({ timeout: 200_000 });
  await expect(transcript).toContainText(/telemarketers/i);
  await expect(transcript).toContainText(/congratulations/i);
});

test("a running job can be cancelled and restarted", async ({ page, context, server }) => {
  await signIn(context, await signUp(server));
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(recording("longer.mp3", LONGER));
  await page.getByRole("radio", { name: configure.mode.lite.name }).check();
  await page.getByLabel(configure.language.label).selectOption("en");
  await page
    .getByRole("button", { name: configure.actions.startWhenReady })
    .or(page.getByRole("button", { name: configure.actions.start, exact: true }))
    .click();
  await expect(page).toHaveURL(/\/transcription\//);
  await page.getByRole("button", { name: text.live.cancel, exact: true }).click();
  await expect(page.getByText(text.failed.cancelledTitle)).toBeVisible();
  await page.getByRole("button", { name: text.failed.retry }).click();
  await expect(page.getByTestId("transcript-text")).toBeVisible({ timeout: 200_000 });
});
