/** Uncertain words: navigating and confirming them. */
import type { Page } from "@playwright/test";
import uk from "../../src/locales/uk/editor.json" with { type: "json" };
import { eachLook } from "../looks";
import { expectAccessible } from "../test";
import { textsOf } from "../texts";
import type { TranscriptWorld } from "../transcript-world";
import { expect, LOOKS, picture, test } from "../workplace";

const unsureButton = (page: Page) => page.getByRole("button", { name: uk.unsure.label });
const marked = (page: Page) => page.locator("[data-cursor]");
const count = async (page: Page) => Number((await unsureButton(page).textContent())?.match(/\d+/)?.[0]);

/** The confidence of the first word with this text. */
const confidenceOf = (world: TranscriptWorld, text: string) =>
  world.segments.flatMap(({ words }) => words).find((word) => word.text === text)?.confidence;

test("F8 moves between them", async ({ page, open }) => {
  await open();
  await unsureButton(page).click();
  await page.keyboard.press("F8");
  await expect(marked(page)).toHaveText("Пилипчук.");
  await page.keyboard.press("F8");
  await expect(marked(page)).toHaveText("Йогансена");
  await page.keyboard.press("Shift+F8");
  await expect(marked(page)).toHaveText("Пилипчук.");
});

test("a URL opens the first one, once; the opening of the text is reported", async ({ page, world, open }) => {
  await open();
  await expect.poll(() => world.noted).toBe(1);
  await page.goto(`${page.url()}?unsure=first`);
  await expect(marked(page)).toHaveText("Пилипчук.");
  await expect(marked(page)).toBeInViewport();
  await expect(unsureButton(page)).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/\/transcription\/[\w-]+$/);
});

test("F9 confirms one and moves on; it can be undone, and others' pages are updated", async ({ page, context, world, open }) => {
  await open();
  await unsureButton(page).click();
  const before = await count(page);
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(unsureButton(second)).toContainText(String(before));

  await page.bringToFront();
  await page.keyboard.press("F8");
  await expect(marked(page)).toHaveText("Пилипчук.");
  await page.keyboard.press("F9");
  await expect(marked(page)).toHaveText("Йогансена");
  await expect.poll(() => confidenceOf(world, "Пилипчук.")).toBe(1);
  expect(world.journal.map(({ kind }) => kind)).toEqual(["confirm_words"]);
  await expect(unsureButton(page)).toContainText(String(before - 1));
  await expect(unsureButton(second)).toContainText(String(before - 1));

  await page.keyboard.press("Control+z");
  await expect(unsureButton(page)).toContainText(String(before));
  await expect(unsureButton(second)).toContainText(String(before));
  expect(confidenceOf(world, "Пилипчук.")).toBeLessThan(0.5);
});

test("the button confirms all of them one by one, including a word being edited", async ({ page, world, open }) => {
  await open();
  await unsureButton(page).click();
  const before = await count(page);
  await page.getByRole("button", { name: uk.toolbar.edit, exact: true }).click();
  await page.keyboard.press("F8");
  await expect(page.getByTestId("segment-editor")).toBeFocused();
  await page.keyboard.press("F9");
  await expect.poll(() => confidenceOf(world, "Пилипчук.")).toBe(1);
  await page.getByRole("button", { name: uk.toolbar.done }).click();
  const right = page.getByRole("button", { name: uk.unsure.confirm });
  for (let remaining = before - 1; remaining > 0; remaining -= 1) {
    await expect(unsureButton(page)).toContainText(String(remaining));
    await right.press("Enter");
  }
  await expect(unsureButton(page)).toContainText("0");
  await expect(right).toBeFocused();
  await expectAccessible(page);
  // The page counts it before the server has stored it.
  await expect.poll(() => world.segments.flatMap(({ words }) => words).every(({ confidence }) => confidence >= 0.5)).toBe(true);
  const texts = world.segments.map(({ text }) => text).join(" ");
  expect(texts).toContain("Пилипчук.");
});

for (const look of eachLook(LOOKS, 1)) {
  test(`screenshots: ${look.width} ${look.theme} ${look.locale}`, async ({ page, open }) => {
    await open(look);
    const { label } = textsOf(look.locale, "editor").unsure;
    if (look.width === 390) {
      // On a phone it is in the menu while reading.
      await page.getByRole("button", { name: textsOf(look.locale, "transcript").more, exact: true }).click();
      await page.getByRole("menuitem", { name: label }).click();
    } else {
      await page.getByRole("button", { name: label }).click();
    }
    await page.keyboard.press("F8");
    await expect(marked(page)).toBeVisible();
    await picture(page, "unsure", look);
    await expectAccessible(page);
  });
}
