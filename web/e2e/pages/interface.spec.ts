/** Requirements for all pages: where the focus moves, and that forced colours are sufficient. */
import type { Page } from "@playwright/test";
import transcript from "../../src/locales/uk/transcript.json" with { type: "json" };
import { eachLocale } from "../looks";
import { JOBS, mockApi } from "../mock-api";
import { textsOf } from "../texts";
import { expect, test } from "../workplace";

/** A value of the computed style. */
const styleOf = (page: Page, selector: string, name: "background-color" | "border-bottom-color") =>
  page
    .locator(selector)
    .filter({ visible: true })
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

for (const locale of eachLocale("en")) {
  test(`the focus returns after each sheet, the palette and editing (${locale})`, async ({ page, open }) => {
    const t = <File extends Parameters<typeof textsOf>[1]>(file: File) => textsOf(locale, file);
    await open({ locale });
    const dialog = page.getByRole("dialog");
    const text = page.getByTestId("transcript-text");
    const field = page.getByTestId("segment-editor");

    for (const name of [t("transcript").downloads.menu, t("sharing").share.open]) {
      const opener = page.getByRole("button", { name });
      await opener.focus();
      await page.keyboard.press("Enter");
      await expect(dialog).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();
    }

    await text.focus();
    for (const [keys, title] of [
      ["?", t("player").keys.title],
      ["Control+h", t("editor").replace.title],
    ] as const) {
      await page.keyboard.press(keys);
      await expect(page.getByRole("dialog", { name: title })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(text).toBeFocused();
    }

    await test.step("text typed before the palette is loaded is in its field", async () => {
      let arrive = () => {};
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      await page.route("**/assets/palette-*.js", async (route) => {
        await arrived;
        await route.continue();
      });
      await page.keyboard.press("Control+k");
      // Latin letters, because other characters are inserted without key events.
      await page.keyboard.type("preseq");
      await page.keyboard.press("Backspace");
      arrive();
      const searchField = page.getByRole("combobox", { name: t("shell").palette.placeholder });
      await expect(searchField).toBeFocused();
      await page.keyboard.type("t");
      await expect(searchField).toHaveValue("preset");
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(text).toBeFocused();
    });

    await test.step("editing ends at the same position", async () => {
      for (const end of ["Control+Enter", "Escape"]) {
        await page.keyboard.press("F2");
        await expect(field).toBeFocused();
        await page.keyboard.press(end);
        await expect(field).toBeHidden();
        await expect(text).toBeFocused();
      }
      // The field closes when the sheet opens; the text around it gets the focus.
      await page.keyboard.press("F2");
      await expect(field).toBeFocused();
      await page.keyboard.press("Control+h");
      await expect(dialog).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(text).toBeFocused();
      await page.getByRole("button", { name: t("editor").toolbar.done }).click();
      const edit = page.getByRole("button", { name: t("editor").toolbar.edit, exact: true });
      await edit.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("button", { name: t("editor").toolbar.done })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(edit).toBeFocused();
    });
  });
}

test("in forced colours, selection, progress and speakers are visible", async ({ page, world, open }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open();
  const border = (chosen: boolean) => styleOf(page, `[role=tab][aria-selected=${chosen}]`, "border-bottom-color");
  expect(await border(true)).not.toBe(await border(false));
  const paper = await styleOf(page, "body", "background-color");
  const colouredDots = page.getByTestId("transcript-text").locator(".own-colour");
  // The text is loaded after the page around it.
  await expect(colouredDots.first()).toBeVisible();
  const dots = await colouredDots.evaluateAll((all) => [...new Set(all.map((dot) => getComputedStyle(dot).backgroundColor))]);
  expect(dots.length, "each speaker has a colour").toBeGreaterThan(1);
  expect(dots).not.toContain(paper);
  const sound = () =>
    page
      .locator(".seek-played svg, .seek-played + .seek-bar, [data-testid=player-clock] + div > svg")
      .evaluateAll((all) => all.filter((element) => element.tagName === "svg").map((element) => getComputedStyle(element).color));
  await expect.poll(async () => new Set(await sound()).size, "what was heard, and what was not").toBe(2);

  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  const choice = (state: string) => styleOf(page, `[role=dialog] [role=radio][data-state=${state}]`, "background-color");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await choice("checked")).not.toBe(await choice("unchecked"));

  await mockApi(page, { signedIn: true, jobs: JOBS });
  await page.goto(`${world.origin}/subscription`);
  const bar = page.getByRole("progressbar").first();
  await expect(bar).toBeVisible();
  const [track, filled] = await bar.evaluate((element) =>
    [element, element.firstElementChild as Element].map((part) => getComputedStyle(part).backgroundColor),
  );
  expect(filled).not.toBe(track);
});
