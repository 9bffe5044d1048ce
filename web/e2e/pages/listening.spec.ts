/** Following playback: where a text opens, that all views follow, and where playback resumes on the next visit. */
import type { Page } from "@playwright/test";
import { signIn } from "../accounts";
import { intercept } from "../intercept";
import { eachLocale, eachWidth, PICTURES } from "../looks";
import { sessionOf } from "../mock-api";
import { expectReadable, seekTo } from "../readable";
import { playerState } from "../test";
import { type Locale, textsOf } from "../texts";
import { jobOf, longText, SPEAKERS, silence } from "../transcript-text";
import { TranscriptWorld } from "../transcript-world";
import { expect, test, withWorld } from "../workplace";

const time = async (page: Page) => (await playerState(page)).time;
const active = (page: Page) => page.locator("[data-active]");
const foundMark = (page: Page) => page.locator("[data-found]");

const texts = (page: Page, selector: string) => page.locator(selector).allInnerTexts();

/** Scrolls with the wheel. */
async function scrollAway(page: Page) {
  const before = await page.evaluate(() => scrollY);
  await page.mouse.move(200, 400);
  await page.mouse.wheel(0, before > 400 ? -3_000 : 3_000);
  await expect.poll(() => page.evaluate(() => scrollY)).not.toBe(before);
}

const address = (world: TranscriptWorld, query: string) => `${world.origin}/transcription/${world.job.my_job_id}${query}`;

for (const locale of eachLocale("en")) {
  for (const width of eachWidth(locale)) {
    test(`a URL opens at its second, ${locale} ${width}`, async ({ page, open, world }) => {
      const line = world.segments[20];
      if (!line) throw new Error("no line");
      await open({ locale, width });
      await page.goto(address(world, `?t=${line.start}`));
      await expectReadable(page, "[data-found]");
      await expect(foundMark(page)).toContainText(line.text.slice(0, 20));
      await expectReadable(page, "[data-active]");
      await expect.poll(() => time(page)).toBeCloseTo(line.start, 1);
      expect((await playerState(page)).paused).toBe(true);
      // The position stays marked until the reader seeks, also while scrolling.
      await scrollAway(page);
      await expect(foundMark(page)).toHaveCount(1);
      await page.keyboard.press("Shift+J");
      await expect(foundMark(page)).toHaveCount(0);
      await expect(page).not.toHaveURL(/[?&]t=/);
      await expectReadable(page, "[data-active]");
    });
  }
}

test("a time that is not a number of seconds is ignored", async ({ page, open, world }) => {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await open();
  for (const value of ["-5", "NaN", "1e309", "Infinity", "", "%00", "5&t=9", "5e1", "99999999999999999999", "<img src=x>"]) {
    await test.step(`t=${value}`, async () => {
      await page.goto(address(world, `?t=${value}`));
      await expect(page.getByTestId("transcript-text")).toBeVisible();
      await expect.poll(() => page.locator("audio").evaluate((media: HTMLMediaElement) => media.readyState)).toBeGreaterThan(0);
      expect(await time(page)).toBe(0);
      await expect(foundMark(page)).toHaveCount(0);
      expect(await page.evaluate(() => scrollY)).toBe(0);
      expect(errors).toEqual([]);
    });
  }
});

test("a second after the end opens the last line", async ({ page, open, world }) => {
  await open();
  await page.goto(address(world, "?t=9999999"));
  await expectReadable(page, "[data-found]");
  await expect(foundMark(page)).toContainText(world.segments.at(-1)?.text.slice(0, 20) ?? "?");
  await expect.poll(() => time(page)).toBeCloseTo(world.segments.at(-1)?.start ?? -1, 1);
});

test("selecting another or the same search result in an open text scrolls to it", async ({ page, open, world }) => {
  const [one, other] = [world.segments[6], world.segments[22]];
  if (!one || !other) throw new Error("no lines");
  await intercept(page, "**/api/v1/search?**", (route) => {
    const hit = route.request().url().includes("%D0%B0") ? one : other;
    const hits = [{ segment_id: hit.id, start: hit.start, speaker: null, text: hit.text, ranges: [[0, 3]] }];
    return route.fulfill({ json: { items: [{ job: world.job, name_ranges: [], hits, hit_count: 1 }], next_cursor: null } });
  });
  await open();
  const goTo = async (word: string, line: typeof one) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill(word);
    await page
      .getByRole("option")
      .filter({ hasText: line.text.slice(0, 15) })
      .click();
    await expect(foundMark(page)).toContainText(line.text.slice(0, 20));
    await expectReadable(page, "[data-found]");
    await expect.poll(() => time(page)).toBeCloseTo(line.start, 1);
  };
  await goTo("ааа", one);
  await goTo("ооо", other);
  await scrollAway(page);
  await goTo("ооо", other);
});

const VIEWS = ["text", "dialog", "segments", "subtitles"] as const;

for (const [number, view] of VIEWS.entries()) {
  // One width for each view, in turn: both take the same steps.
  for (const width of PICTURES ? ([1280, 390] as const) : ([number % 2 === 0 ? 1280 : 390] as const)) {
    test(`${view} follows playback and seeks, and a button returns to the position, ${width}`, async ({ page, open, world }) => {
      const locale: Locale = width === 390 ? "en" : "uk";
      await open({ locale, width });
      await page.goto(address(world, `?tab=${view}`));
      const line = (at: number) => world.segments[at]?.text.split(" ").slice(0, 2).join(" ") ?? "?";
      const seek = (at: number) => seekTo(page, textsOf(locale, "player").seek, (world.segments[at]?.start ?? 0) + 0.05);
      await expect(page.getByRole("slider", { name: textsOf(locale, "player").seek })).toBeVisible();

      await seek(17);
      await expect(active(page)).toContainText(line(17));
      await expectReadable(page, "[data-active]");
      expect((await playerState(page)).paused).toBe(true);
      expect(await time(page)).toBeCloseTo((world.segments[17]?.start ?? 0) + 0.05, 1);

      const back = page.getByRole("button", { name: textsOf(locale, "transcript").text.toSpoken });
      await expect(back).toBeHidden();
      await page.keyboard.press("k");
      await scrollAway(page);
      await expect(back).toBeVisible();
      const place = await back.boundingBox();
      await page.mouse.wheel(0, 150);
      await expect(back).toBeVisible();
      const dock = await page.locator("[data-player]").boundingBox();
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual((dock?.y ?? 0) + 1);
      expect(await back.boundingBox()).toEqual(place);
      // Also by keyboard.
      await back.focus();
      await page.keyboard.press("Enter");
      await expect(back).toBeHidden();
      await expectReadable(page, "[data-active]");
      // Following continues: a later line is scrolled into view.
      const before = await texts(page, "[data-active]");
      await expect.poll(() => texts(page, "[data-active]"), { timeout: 60_000 }).not.toEqual(before);
      await expectReadable(page, "[data-active]");

      await seek(1);
      await expect(active(page)).toContainText(line(1));
      await expectReadable(page, "[data-active]");
    });
  }
}

test("Tab plays the edited line, P replays the current one, and the focus is not trapped", async ({ page, open, world }) => {
  const uk = textsOf("uk", "player");
  const line = world.segments[13];
  if (!line) throw new Error("no line");
  await open();
  await page.goto(address(world, `?t=${world.segments[2]?.start}`));
  await expectReadable(page, "[data-found]");
  const word = line.words[1]?.text.trim() ?? "?";
  await page.getByRole("button", { name: textsOf("uk", "editor").toolbar.edit, exact: true }).click();
  await page.locator(`[data-segment="${line.id}"] [data-w]`, { hasText: word }).first().click();
  const field = page.getByTestId("segment-editor");
  await expect(field).toBeFocused();
  await page.keyboard.press("Tab");
  await expect.poll(async () => (await playerState(page)).paused).toBe(false);
  expect(await time(page)).toBeGreaterThanOrEqual(line.start - 0.05);
  // It stops at the end of the line, without scrolling.
  await expect.poll(async () => (await playerState(page)).paused).toBe(true);
  expect(await time(page)).toBeLessThan(line.end + 0.5);
  expect(await time(page)).toBeGreaterThan(line.start + 0.5);
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  await page.keyboard.press("Alt+p");
  await expect.poll(() => time(page)).toBeLessThan(line.end - 0.5);
  expect(await time(page)).toBeGreaterThanOrEqual(line.start - 0.05);
  await page.keyboard.press("Tab");
  await expect.poll(async () => (await playerState(page)).paused).toBe(true);
  const text = await field.inputValue();
  expect(text).toBe(line.text);
  await page.keyboard.press("Shift+Tab");
  await expect(field).toHaveCount(0);
  // While not editing, P plays the line at the playback position.
  await page.getByRole("button", { name: textsOf("uk", "editor").toolbar.done }).click();
  await page.keyboard.press("p");
  await expect.poll(async () => (await playerState(page)).paused).toBe(false);
  expect(await time(page)).toBeLessThan(line.end + 0.05);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: uk.keys.title });
  await expect(help.getByRole("row", { name: new RegExp(uk.keys.line) })).toContainText("P");
  await expect(help.getByRole("row", { name: new RegExp(textsOf("uk", "editor").shortcuts.play) })).toContainText("Tab");
});

test("the playback position is stored, and the page opens there the next time", async ({ page, open, world }) => {
  const uk = textsOf("uk", "player");
  await open();
  const line = world.segments[19];
  if (!line) throw new Error("no line");
  await page.locator(`[data-segment="${line.id}"] [data-w]`).first().click();
  await expect.poll(() => time(page)).toBeGreaterThan(line.start);
  await page.keyboard.press("k");
  await expect.poll(() => world.position).toBeGreaterThan(line.start - 0.2);
  const savedPosition = world.position ?? 0;
  await page.reload();
  await expect(page.getByText(uk.resumed.text.split("{{")[0] ?? "?")).toBeVisible();
  await expect.poll(() => time(page)).toBeCloseTo(savedPosition, 0);
  await expectReadable(page, "[data-active]");
  expect((await playerState(page)).paused).toBe(true);
  // A position in the URL takes precedence, and is not stored.
  const places = world.positions.length;
  await page.goto(address(world, `?t=${world.segments[3]?.start}`));
  await expectReadable(page, "[data-found]");
  await expect.poll(() => time(page)).toBeCloseTo(world.segments[3]?.start ?? -1, 1);
  await page.goto(address(world, ""));
  await expect.poll(() => time(page)).toBeCloseTo(savedPosition, 0);
  expect(world.positions).toHaveLength(places);
  await page.getByRole("button", { name: uk.resumed.start }).click();
  await expect.poll(() => time(page)).toBe(0);
});

test("the position is stored even if the page is left at once", async ({ page, open, world }) => {
  await open();
  await expect.poll(() => page.locator("audio").evaluate((media: HTMLMediaElement) => media.readyState)).toBeGreaterThan(0);
  await page.keyboard.press("Shift+L");
  await page.keyboard.press("Shift+L");
  await page.goto("about:blank");
  await expect.poll(() => world.position).toBe(20);
});

test("no position is stored for an administrator in another user’s text", async ({ page, open, world }) => {
  const owner = { id: "0198aaaa-0000-4000-8000-00000000000c", email: "o@example.com", fullname: null };
  Object.assign(world.job, { owner });
  world.position = 30;
  await open({}, "admin");
  await expect.poll(() => page.locator("audio").evaluate((media: HTMLMediaElement) => media.readyState)).toBeGreaterThan(0);
  await page.keyboard.press("Shift+L");
  await expect.poll(() => time(page)).toBeCloseTo(10, 0);
  await page.goto("about:blank");
  expect(world.positions).toEqual([]);
});

withWorld("the middle of 100,000 words is opened at, before and after the sound has come", async ({ page, context }) => {
  const segments = longText(100_000, 3_600);
  const world = new TranscriptWorld(jobOf(segments), segments, SPEAKERS);
  world.play(silence(3_602));
  await world.start();
  try {
    await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale: "en", theme: "light" });
    let letMediaGo = () => {};
    const mediaReleased = new Promise<void>((go) => {
      letMediaGo = go;
    });
    await intercept(page, "**/media-link", async (route) => {
      await mediaReleased;
      await route.continue();
    });
    for (const at of [4_000, 12, segments.length - 1]) {
      const line = segments[at];
      if (!line) throw new Error("no line");
      await page.goto(address(world, `?t=${line.start}`));
      await expectReadable(page, "[data-found]");
      await expect(foundMark(page)).toHaveAttribute("data-row", line.id);
    }
    const line = segments[2_500];
    if (!line) throw new Error("no line");
    await page.goto(address(world, `?tab=dialog&t=${line.start}`));
    await expectReadable(page, "[data-found]");
    letMediaGo();
    await expect.poll(() => page.locator("audio").evaluate((media: HTMLMediaElement) => media.readyState)).toBeGreaterThan(0);
    await expectReadable(page, ".dialog-line:is([data-found], [data-active])");
    for (const view of ["segments", "subtitles"]) {
      await page.goto(address(world, `?tab=${view}&t=${segments[5]?.start}`));
      await expectReadable(page, "[data-found]");
      await expect.poll(() => time(page)).toBeCloseTo(segments[5]?.start ?? -1, 1);
    }
  } finally {
    await world.stop();
  }
});
