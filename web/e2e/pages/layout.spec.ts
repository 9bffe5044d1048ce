/** The layout of a transcript page: the text comes first, and nothing overlaps. */
import type { Locator, Page } from "@playwright/test";
import { eachWidth } from "../looks";
import { LOCALES, textsOf } from "../texts";
import { expect, picture, test } from "../workplace";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function boxOf(locator: Locator): Promise<Box> {
  await expect(locator).toBeVisible();
  const box = await locator.boundingBox();
  if (!box) throw new Error("not on the page");
  return box;
}

const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width - 1 &&
  other.x < one.x + one.width - 1 &&
  one.y < other.y + other.height - 1 &&
  other.y < one.y + one.height - 1;

const firstWord = (page: Page) => page.getByTestId("transcript-text").locator("[data-w='0']");
const player = (page: Page, locale: "uk" | "en") => page.getByRole("region", { name: textsOf(locale, "player").label });

/** Expects no horizontal overflow. */
async function expectNoOverflow(page: Page): Promise<void> {
  const { inner, scroll } = await page.evaluate(() => ({
    inner: document.documentElement.clientWidth,
    scroll: document.documentElement.scrollWidth,
  }));
  expect(scroll).toBe(inner);
}

for (const locale of LOCALES) {
  const t = textsOf(locale, "transcript");

  for (const width of eachWidth(locale)) {
    test(`one heading and one toolbar are above the text (${width} ${locale})`, async ({ page, open, world }) => {
      await open({ locale, width });
      await expect(firstWord(page)).toBeVisible();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(world.job.original_filename);
      await expect(page.getByRole("heading", { name: world.job.original_filename })).toHaveCount(1);
      await expect(page.getByRole("toolbar")).toHaveCount(1);
      await expectNoOverflow(page);
      await picture(page, "layout", { locale, width, theme: "light" });
    });
  }

  test(`on a phone the text starts within 150 px, with a video within 320 px (${locale})`, async ({ page, open, world }) => {
    await open({ locale, width: 390 });
    const plain = await boxOf(firstWord(page));
    expect(plain.y).toBeLessThanOrEqual(150);
    Object.assign(world.job, { has_video: true });
    await page.reload();
    await expect(page.locator("video")).toBeVisible();
    const filmed = await boxOf(firstWord(page));
    expect(filmed.y).toBeLessThanOrEqual(320);
    // There is text between the bars.
    const dock = await boxOf(player(page, locale));
    expect(dock.y).toBeGreaterThan(filmed.y + 200);
    expect(dock.y + dock.height).toBeLessThanOrEqual(845);
    await picture(page, "layout-video", { locale, width: 390, theme: "light" });
  });

  test(`on a phone the details are a drawer, and the tools are reachable (${locale})`, async ({ page, open }) => {
    await open({ locale, width: 390 });
    await expect(firstWord(page)).toBeVisible();
    const opener = page.getByRole("button", { name: t.side.label, exact: true });
    await expect(page.getByRole("region", { name: t.card.label })).toHaveCount(0);
    await opener.click();
    const drawer = page.getByRole("dialog", { name: t.side.label });
    await expect(drawer.getByRole("region", { name: t.card.label })).toBeVisible();
    await expect(drawer.getByRole("link", { name: t.breadcrumbs.list })).toBeVisible();
    const box = await boxOf(drawer);
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    await picture(page, "layout-drawer", { locale, width: 390, theme: "light" });
    await page.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await expect(opener).toBeFocused();
  });

  test(`the column beside the text can be closed, stays closed, and can be reopened (${locale})`, async ({
    page,
    open,
    world,
  }) => {
    Object.assign(world.job, { has_video: true });
    await open({ locale, width: 1280 });
    const column = page.getByTestId("side-column");
    const toggle = page.getByRole("button", { name: t.side.label, exact: true });
    const text = page.getByTestId("transcript-text");
    const video = page.getByTestId("player-picture");
    await expect(toggle).toHaveAttribute("aria-expanded", "true");
    await test.step("the video covers neither, at the top of the page and further down", async () => {
      for (const top of [0, 400]) {
        await page.evaluate((to) => window.scrollTo({ top: to, behavior: "instant" }), top);
        const floating = await boxOf(video);
        expect(overlap(floating, await boxOf(column)), `the column at ${top}`).toBe(false);
        expect(overlap(floating, await boxOf(text)), `the text at ${top}`).toBe(false);
      }
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
      await picture(page, "layout-video", { locale, width: 1280, theme: "light" });
    });
    const before = await boxOf(text);
    await toggle.click();
    await expect(column).toBeHidden();
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    expect((await boxOf(text)).width).toBeGreaterThan(before.width);
    await test.step("then the video is in the dock", async () => {
      const docked = await boxOf(video);
      const dock = await boxOf(player(page, locale));
      expect(docked.y).toBeGreaterThanOrEqual(dock.y);
      expect(docked.y + docked.height).toBeLessThanOrEqual(dock.y + dock.height);
      await picture(page, "layout-closed", { locale, width: 1280, theme: "light" });
    });
    await page.reload();
    await expect(firstWord(page)).toBeVisible();
    await expect(column).toBeHidden();
    await toggle.click();
    await expect(column).toBeVisible();
    await expectNoOverflow(page);
  });

  test(`on a tablet the details are a drawer, too (${locale})`, async ({ page, open }) => {
    await open({ locale });
    await page.setViewportSize({ width: 768, height: 1024 });
    await expect(firstWord(page)).toBeVisible();
    await expectNoOverflow(page);
    await page.getByRole("button", { name: t.side.label, exact: true }).click();
    await expect(page.getByRole("dialog", { name: t.side.label })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expect(page.getByTestId("side-column")).toBeVisible();
    await expectNoOverflow(page);
  });
}

test("on a phone in landscape a small video is beside the buttons, not over the text", async ({ page, open, world }) => {
  Object.assign(world.job, { has_video: true });
  await open({ locale: "uk" });
  await page.setViewportSize({ width: 844, height: 390 });
  const dock = await boxOf(player(page, "uk"));
  const small = await boxOf(page.getByTestId("player-picture"));
  expect(small.y).toBeGreaterThanOrEqual(dock.y);
  expect(dock.height).toBeLessThan(110);
  await picture(page, "layout-side", { locale: "uk", width: 390, theme: "dark" });
});
