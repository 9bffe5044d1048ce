/** The player of a transcript, by mouse and keyboard. */

import { execFileSync } from "node:child_process";
import en from "../../src/locales/en/player.json" with { type: "json" };
import uk from "../../src/locales/uk/player.json" with { type: "json" };
import transcript from "../../src/locales/uk/transcript.json" with { type: "json" };
import { intercept } from "../intercept";
import { eachLook } from "../looks";
import { expectAccessible, playerState } from "../test";
import { expect, LOOKS, picture, test } from "../workplace";

/** Two seconds of a test video, for picture-in-picture. */
const MOVING = execFileSync("ffmpeg", [
  ...["-v", "error", "-f", "lavfi", "-i", "testsrc=d=2:s=160x90:r=5", "-f", "lavfi", "-i", "anullsrc=d=2"],
  ...["-c:v", "libvpx", "-c:a", "libopus", "-f", "webm", "pipe:1"],
]);

const isPaused = async (page: import("@playwright/test").Page) => (await playerState(page)).paused;
const time = async (page: import("@playwright/test").Page) => (await playerState(page)).time;
const media = (page: import("@playwright/test").Page) => page.locator("audio, video");

async function ready(page: import("@playwright/test").Page) {
  await expect.poll(() => media(page).evaluate((element: HTMLMediaElement) => element.readyState)).toBeGreaterThan(0);
}

test("keys play, seek and change the speed, which is remembered and keeps the pitch", async ({ page, open }) => {
  await open();
  await ready(page);
  await page.keyboard.press("k");
  await expect.poll(() => isPaused(page)).toBe(false);
  await page.keyboard.press("k");
  await expect.poll(() => isPaused(page)).toBe(true);
  const before = await time(page);
  await page.keyboard.press("Shift+L");
  await expect.poll(() => time(page)).toBeCloseTo(before + 10, 0);
  await page.keyboard.press("j");
  await expect.poll(() => time(page)).toBeCloseTo(before + 5, 0);
  for (let step = 0; step < 12; step += 1) await page.keyboard.press("Shift+>");
  const speed = () => media(page).evaluate((element: HTMLMediaElement) => [element.playbackRate, element.preservesPitch]);
  await expect.poll(speed).toEqual([3, true]);
  await page.reload();
  await ready(page);
  await expect.poll(speed).toEqual([3, true]);
});

test("shortcuts work while typing, without inserting text", async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByTestId("transcript-text").focus();
  await page.keyboard.press("F2");
  const field = page.getByTestId("segment-editor");
  await expect(field).toBeFocused();
  const text = await field.inputValue();
  await page.keyboard.press("Control+Space");
  await expect.poll(() => isPaused(page)).toBe(false);
  await page.keyboard.press("Alt+k");
  await expect.poll(() => isPaused(page)).toBe(true);
  const before = await time(page);
  await page.keyboard.press("Alt+l");
  await expect.poll(() => time(page)).toBeCloseTo(before + 5, 0);
  expect(await field.inputValue()).toBe(text);
  // Without Alt these are letters.
  await page.keyboard.type("kjl");
  expect(await field.inputValue()).toContain("kjl");
});

test("playback optionally pauses while typing, and resumes a second later", async ({ page, open }) => {
  await open();
  await ready(page);
  const more = page.getByRole("button", { name: uk.more.label });
  await more.click();
  await page.getByRole("checkbox", { name: uk.more.pauseWhileTyping }).check();
  await page.keyboard.press("Escape");
  // Wait until the closing menu has returned the focus, which would otherwise leave the text.
  await expect(more).toBeFocused();
  await page.getByTestId("transcript-text").focus();
  await page.keyboard.press("F2");
  await expect(page.getByTestId("segment-editor")).toBeFocused();
  // Events are recorded with their times, because a busy machine may poll too late to see the pause.
  const eventLog = await media(page).evaluateHandle((element: HTMLMediaElement) => {
    const events: { type: string; at: number }[] = [];
    const keep = ({ type }: Event) => events.push({ type, at: performance.now() });
    // Recorded first, so that later delays do not distort the measured second.
    addEventListener("input", keep, { capture: true });
    element.addEventListener("pause", keep);
    element.addEventListener("play", keep);
    return events;
  });
  const types = async () => (await eventLog.jsonValue()).map((event) => event.type);
  await page.keyboard.press("Alt+k");
  // The element stops being paused before its event tells the player so.
  await expect.poll(types).toEqual(["play"]);
  await page.keyboard.type("а");
  await expect.poll(types).toEqual(["play", "input", "pause", "play"]);
  const [, typed, , played] = await eventLog.jsonValue();
  expect((played?.at ?? 0) - (typed?.at ?? 0)).toBeGreaterThan(900);
  expect(await isPaused(page)).toBe(false);
});

test("the selection is looped until Escape, and shown on the waveform", async ({ page, open }) => {
  await open();
  await ready(page);
  await page.evaluate(() => {
    const word = (at: number) => document.querySelector(`[data-w="${at}"]`)?.firstChild as Text;
    const range = document.createRange();
    range.setStart(word(4), 0);
    range.setEnd(word(6), 3);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  });
  await page.keyboard.press("r");
  await expect(page.getByTestId("loop-band")).toBeVisible();
  await expect.poll(() => isPaused(page)).toBe(false);
  const begin = await time(page);
  expect(begin).toBeGreaterThan(1);
  // It restarts after the three words: the time is lower than before.
  let latest = begin;
  await expect
    .poll(
      async () => {
        const now = await time(page);
        const jumpedBack = now < latest;
        latest = Math.max(latest, now);
        return jumpedBack;
      },
      { intervals: [100] },
    )
    .toBe(true);
  expect(latest).toBeLessThan(begin + 1.6);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("loop-band")).toBeHidden();
});

test("a loop is marked by A and B", async ({ page, open }) => {
  await open();
  await ready(page);
  await page.keyboard.press("a");
  await page.keyboard.press("l");
  await page.keyboard.press("b");
  await expect(page.getByRole("button", { name: uk.loop.end })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("loop-band")).toBeHidden();
});

test("single-letter shortcuts can be disabled for voice control", async ({ page, open }) => {
  await open();
  await ready(page);
  await page.getByRole("button", { name: uk.more.label }).click();
  await page.getByRole("checkbox", { name: uk.more.letterKeys }).uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("k");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await isPaused(page)).toBe(true);
  await page.keyboard.press("Alt+k");
  await expect.poll(() => isPaused(page)).toBe(false);
});

test("hovering over the waveform shows the time", async ({ page, open, world }) => {
  await open();
  await ready(page);
  const bar = page.getByRole("slider", { name: uk.seek });
  const box = await bar.boundingBox();
  if (!box) throw new Error("no bar");
  await page.mouse.move(box.x + box.width / 2, box.y + 5);
  const half = (world.job.duration ?? 0) / 2;
  const clock = `${Math.floor(half / 60)}:${String(Math.floor(half % 60)).padStart(2, "0")}`;
  await expect(page.getByTestId("seek-hint")).toHaveText(clock);
  await expect(page.getByTestId("seek-hint")).toBeVisible();
});

test("a video can be hidden, and stays hidden", async ({ page, open, world }) => {
  Object.assign(world.job, { has_video: true });
  await open();
  await expect(page.locator("video")).toBeVisible();
  await page.getByRole("button", { name: uk.video.hide }).click();
  await expect(page.locator("video")).toBeHidden();
  await page.reload();
  await expect(page.getByRole("button", { name: uk.video.show })).toBeVisible();
  await expect(page.locator("video")).toBeHidden();
});

test("the video moves to picture-in-picture and back; a refusal of the browser is reported", async ({ page, open, world }) => {
  Object.assign(world.job, { has_video: true });
  world.play(MOVING);
  await open();
  await expect.poll(() => media(page).evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0);
  const float = page.getByRole("button", { name: uk.video.float });
  const floats = () => page.evaluate(() => document.pictureInPictureElement?.tagName ?? null);
  await float.click();
  const refused = page.getByText(uk.video.floatRefused);
  await expect.poll(async () => (await floats()) === "VIDEO" || (await refused.isVisible())).toBe(true);
  if ((await floats()) === "VIDEO") {
    await float.click();
    await expect.poll(floats).toBeNull();
  }
  // Also if this browser supports picture-in-picture.
  await page.evaluate(() => {
    HTMLVideoElement.prototype.requestPictureInPicture = () => Promise.reject(new DOMException("", "NotAllowedError"));
  });
  await float.click();
  await expect(refused).toBeVisible();
  await expect(page.locator("video")).toBeVisible();
});

test("a missing text can be restored, and a failure is explained", async ({ page, open, world, past }) => {
  Object.assign(world.job, { has_output: false, versions: 0 });
  await intercept(page, "**/transcript?**", (route) =>
    route.fulfill({
      status: 409,
      json: { type: "about:blank", title: "", status: 409, code: "transcript_not_ready", request_id: "x" },
    }),
  );
  past.resync = { success: false, message: null, error: "job_not_completed" };
  await open();
  await page.getByRole("button", { name: transcript.resync.start }).click();
  await expect(page.getByText("Помилка синхронізації: розпізнавання ще не завершилося")).toBeVisible();
  past.resync = { success: true, message: "queued", error: null };
  await page.getByRole("button", { name: transcript.resync.start }).click();
  await expect(page.getByText(transcript.resync.queued)).toBeVisible();
});

test("administrators see the debug data", async ({ page, open, past }) => {
  past.debug = { output_found: false };
  await open({}, "admin");
  await expect(page.getByRole("region", { name: transcript.debug.label })).toContainText(transcript.debug.notSynced);
});

test("other users do not see the debug data", async ({ page, open }) => {
  await open();
  await expect(page.getByRole("region", { name: transcript.card.label })).toBeVisible();
  await expect(page.getByRole("region", { name: transcript.debug.label })).toBeHidden();
});

for (const look of eachLook(LOOKS, 1)) {
  test(`screenshots: ${look.width} ${look.theme} ${look.locale}`, async ({ page, open, world }) => {
    const texts = look.locale === "uk" ? uk : en;
    Object.assign(world.job, { has_video: look.theme === "dark" });
    await open(look, look.locale === "en" ? "admin" : "user");
    await ready(page);
    await page.keyboard.press("Shift+L");
    await page.keyboard.press("a");
    await page.keyboard.press("Shift+L");
    await page.keyboard.press("b");
    await picture(page, "player", look);
    await expectAccessible(page);
    await page.getByRole("button", { name: texts.more.label }).click();
    await picture(page, "player-more", look);
    await expectAccessible(page);
    await page.getByRole("button", { name: texts.more.keys }).click();
    await expect(page.getByRole("dialog", { name: texts.keys.title })).toBeVisible();
    await picture(page, "help", look);
    await expectAccessible(page);
  });
}
