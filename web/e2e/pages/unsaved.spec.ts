/** Changes that exist only on the page: the server is unreachable, and the browser's storage is full. */
import type { Page } from "@playwright/test";
import common from "../../src/locales/uk/common.json" with { type: "json" };
import uk from "../../src/locales/uk/editor.json" with { type: "json" };
import { eachLook } from "../looks";
import { expectAccessible } from "../test";
import type { TranscriptWorld } from "../transcript-world";
import { expect, LOOKS, picture, test } from "../workplace";

const field = (page: Page) => page.getByTestId("segment-editor");
const status = (page: Page) => page.getByTestId("save-status");

/** Types text that cannot be stored. */
async function typeUnkept(page: Page, world: TranscriptWorld): Promise<void> {
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      if (key.startsWith("slovo.edits")) throw new DOMException("", "QuotaExceededError");
      setItem.call(this, key, value);
    };
  });
  const text = page.getByTestId("transcript-text");
  // Loaded while the connection was up.
  await expect(text).toBeVisible();
  world.setLine("down");
  await text.getByText("ключ.", { exact: true }).first().click();
  await page.keyboard.press("F2");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Навіть запасний.");
  await expect.poll(() => world.text("3")).not.toContain("запасний");
}

test("are reported, and the page asks before it is closed", async ({ page, world, open }) => {
  await open();
  await typeUnkept(page, world);
  await expect(status(page)).toContainText(uk.save.unkept);
  const dialogEvent = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await dialogEvent;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  expect(await field(page).inputValue()).toContain("Навіть запасний.");

  world.setLine("up");
  // It retries automatically.
  await expect.poll(() => world.text("3")).toContain("Навіть запасний.");
  // The server may have the edit before its response arrives; until then the page must ask.
  await expect(page.getByTestId("connection")).toHaveText(common.connection.saved);
  // The page does not ask any more.
  let questions = 0;
  page.on("dialog", (dialog) => {
    questions += 1;
    void dialog.accept();
  });
  await page.reload();
  await expect(page.getByTestId("transcript-text")).toContainText("Навіть запасний.");
  expect(questions).toBe(0);
});

test("require a confirmation before navigating, and are kept when staying", async ({ page, world, open }) => {
  await open();
  const address = page.url();
  await typeUnkept(page, world);
  // Another view of the same text needs no confirmation.
  await page.getByRole("tab", { name: uk.tabs.segments }).click();
  await expect(page).toHaveURL(/tab=segments/);
  await page.getByRole("tab", { name: uk.tabs.text }).click();
  await expect(page.getByTestId("transcript-text")).toBeVisible();
  const question = page.getByRole("alertdialog", { name: uk.leave.title });
  await page.getByRole("banner").getByRole("link").first().click();
  await expect(question).toContainText(uk.leave.text);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  expect(page.url()).toContain(address);
  await expect(page.getByTestId("transcript-text")).toContainText("Навіть запасний.");
});

test("are lost when leaving is confirmed, and need no confirmation once saved", async ({ page, world, open }) => {
  await open();
  await typeUnkept(page, world);
  const away = page.getByRole("banner").getByRole("link").first();
  const question = page.getByRole("alertdialog", { name: uk.leave.title });
  await away.click();
  await expect(question).toContainText(uk.leave.text);
  world.setLine("up");
  // The next attempt succeeds: the requested page opens automatically.
  await expect(question).toBeHidden({ timeout: 30_000 });
  await expect(page).not.toHaveURL(/transcription/);
  expect(world.text("3")).toContain("Навіть запасний.");
});

test("do not require a confirmation if the server responds", async ({ page, world, open }) => {
  await open();
  await typeUnkept(page, world);
  world.setLine("up");
  await page.getByRole("banner").getByRole("link").first().click();
  await expect(page).not.toHaveURL(/transcription/);
  expect(world.text("3")).toContain("Навіть запасний.");
});

for (const look of eachLook(LOOKS)) {
  test(`screenshots: ${look.width} ${look.theme} ${look.locale}`, async ({ page, world, open }) => {
    await open(look);
    await typeUnkept(page, world);
    await page.getByRole("banner").getByRole("link").first().click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await picture(page, "leave", look);
    await page.getByRole("button", { name: look.locale === "uk" ? uk.leave.go : "Leave without saving" }).click();
    await expect(page).not.toHaveURL(/transcription/);
  });
}
