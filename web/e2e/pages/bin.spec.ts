/** Removed lines: restored at once, from the bin, on another page, by undo; never duplicated. */
import { expect, type Page } from "@playwright/test";
import common from "../../src/locales/uk/common.json" with { type: "json" };
import uk from "../../src/locales/uk/editor.json" with { type: "json" };
import { signIn } from "../accounts";
import { sessionOf } from "../mock-api";
import { expectAccessible } from "../test";
import type { TranscriptWorld } from "../transcript-world";
import { withWorld as test } from "../workplace";

test.setTimeout(90_000);
test.use({ actionTimeout: 10_000 });

const bin = (page: Page) => page.getByTestId("line-bin");
const text = (page: Page) => page.getByTestId("transcript-text");
const ids = (world: TranscriptWorld) => world.segments.map(({ id }) => id);

async function open(page: Page, world: TranscriptWorld, tab: "text" | "segments"): Promise<void> {
  await signIn(page.context(), sessionOf({ signedIn: true, jobs: [] }), { locale: "uk", theme: "light" });
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=${tab}`);
  await expect(page.getByRole("toolbar")).toBeVisible();
}

test("a line is removed in the table, and restored to its place on another page", async ({ page, context, world }) => {
  const before = ids(world);
  const words = world.text("1") ?? "";
  await open(page, world, "segments");
  await expect(bin(page)).toHaveCount(0);
  const rows = page.getByTestId("segments").getByRole("row");
  const buttons = rows.getByRole("button", { name: new RegExp(`^${uk.bin.remove}`) });
  await buttons.nth(1).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => ids(world)).toEqual(before.filter((id) => id !== "1"));
  await expect(page.getByTestId("segments")).not.toContainText(words);
  // The focus is on the next line's bin button.
  await expect(buttons.nth(1)).toBeFocused();
  await expect(bin(page)).toContainText(uk.bin.title);

  const other = await context.newPage();
  await open(other, world, "text");
  await bin(other).locator("summary").click();
  await expect(bin(other)).toContainText(words);
  await expectAccessible(other);
  await bin(other)
    .getByRole("button", { name: new RegExp(`^${uk.bin.putBack}`) })
    .click();
  await expect(text(other)).toContainText(words);
  await expect(bin(other)).toHaveCount(0);
  expect(ids(world)).toEqual(before);
  await expect(page.getByTestId("segments").getByRole("row").nth(1)).toContainText(words);
  await expect(bin(page)).toHaveCount(0);
});

test("the toast restores it at once; fast undo and redo never duplicate it", async ({ page, world }) => {
  const before = ids(world);
  await open(page, world, "text");
  await page.getByRole("button", { name: uk.toolbar.edit, exact: true }).click();
  await text(page).getByText("ключ.", { exact: true }).first().click();
  await expect(page.getByTestId("segment-editor")).toBeFocused();
  await page.getByRole("button", { name: uk.bin.remove }).click();
  await expect.poll(() => world.segments.length).toBe(before.length - 1);
  await page.getByRole("button", { name: common.actions.undo, exact: true }).click();
  await expect.poll(() => ids(world)).toEqual(before);
  await expect(text(page)).toContainText("кожна має свій ключ.");
  await expect(page.getByText(uk.bin.removed)).toHaveCount(0);

  await text(page).getByText("ключ.", { exact: true }).first().click();
  await page.getByTestId("segment-editor").press("Control+Shift+Backspace");
  await expect.poll(() => world.segments.length).toBe(before.length - 1);
  for (let time = 0; time < 4; time += 1) {
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+Shift+z");
  }
  await page.keyboard.press("Control+z");
  // Each request was sent in order.
  await expect.poll(() => world.journal.filter(({ kind }) => kind === "undo" || kind === "redo").length).toBe(9);
  await expect.poll(() => ids(world)).toEqual(before);
  await expect(text(page).locator("[data-segment='3']")).toHaveCount(1);
  await expect(text(page).getByText("ключ.", { exact: true })).toHaveCount(1);
});

test("Backspace in an emptied line moves it to the bin with its text", async ({ page, world }) => {
  const words = world.text("3") ?? "";
  await open(page, world, "text");
  await page.getByRole("button", { name: uk.toolbar.edit, exact: true }).click();
  await text(page).getByText("ключ.", { exact: true }).first().click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Backspace");
  await expect(page.getByText(uk.field.empty)).toBeVisible();
  await page.keyboard.press("Backspace");
  await expect.poll(() => world.text("3")).toBeUndefined();
  // The caret is at the end of the previous line.
  await expect(page.getByTestId("segment-editor")).toHaveValue(world.text("2") ?? "");
  await bin(page).locator("summary").click();
  await expect(bin(page)).toContainText(words);
});
