/** An unreachable server or no network: a bar shows the pending changes, and once that everything is saved. */
import type { Page } from "@playwright/test";
import { eachLocale } from "../looks";
import { anyCount, type Locale, textsOf } from "../texts";
import { expect, picture, test } from "../workplace";

const bar = (page: Page) => page.getByTestId("connection");
const field = (page: Page) => page.getByTestId("segment-editor");
const spoken = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text });

/** Edits a segment by keyboard. */
async function write(page: Page, word: string, more: string): Promise<void> {
  const text = page.getByTestId("transcript-text");
  await text.getByText(word, { exact: true }).first().click();
  if (!(await field(page).isVisible())) await page.keyboard.press("F2");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(more);
}

/** The bar with this number of changes. */
const waiting = (locale: Locale, count: number) => {
  const form = new Intl.PluralRules(locale).select(count) as "one";
  return textsOf(locale, "common").connection[`waiting_${form}`].replace("{{count}}", String(count));
};

for (const locale of eachLocale("uk")) {
  const { connection } = textsOf(locale, "common");

  test(`changes made while the server is unreachable are kept, counted, and saved automatically (${locale})`, async ({
    page,
    world,
    open,
  }) => {
    await open({ locale });
    await expect(page.getByTestId("transcript-text")).toBeVisible();
    await expect(bar(page)).toHaveCount(0);
    world.setLine("down");
    await write(page, "ключ.", " Навіть запасний.");
    await expect(bar(page)).toHaveText(`${connection.away} ${waiting(locale, 1)}`);
    await expect(spoken(page, connection.away)).toHaveCount(1);
    await test.step("there is no other message, and no alert", async () => {
      await expect(page.getByTestId("save-status")).toBeEmpty();
      await expect(page.getByRole("alert")).toHaveCount(0);
    });
    await write(page, "вагон?", " Справді?");
    await page.keyboard.press("Control+Enter");
    await expect(bar(page)).toHaveText(`${connection.away} ${waiting(locale, 2)}`);
    await expect(spoken(page, waiting(locale, 2)), "a count is shown, not spoken").toHaveCount(0);
    await test.step("it stays visible while scrolling", async () => {
      await page.evaluate(() => window.scrollTo({ top: 500, behavior: "instant" }));
      await expect(bar(page)).toBeInViewport({ ratio: 1 });
      await picture(page, "connection", { locale, width: 1280, theme: "light" });
    });

    world.setLine("up");
    await expect(bar(page)).toHaveText(connection.saved);
    await expect(page.getByTestId("save-status")).toBeEmpty();
    expect(world.text("3")).toContain("Навіть запасний.");
    expect(world.text("10")).toContain("Справді?");
    await expect(bar(page)).toHaveCount(0);
  });

  test(`without a network a page says so, without mentioning changes if there are none (${locale})`, async ({
    page,
    context,
    open,
  }) => {
    await open({ locale, width: 390 });
    await expect(page.getByTestId("transcript-text")).toBeVisible();
    await context.setOffline(true);
    await expect(bar(page)).toHaveText(`${connection.offline} ${connection.nothing}`);
    await expect(page.getByRole("alert")).toHaveCount(0);
    await picture(page, "connection", { locale, width: 390, theme: "light" });
    await context.setOffline(false);
    await expect(bar(page)).toHaveCount(0);
    await expect(page.getByText(connection.saved)).toHaveCount(0);
  });
}

test("pending changes of a closed page are counted on another one", async ({ page, world, open }) => {
  const { connection } = textsOf("uk", "common");
  await open();
  await expect(page.getByTestId("transcript-text")).toBeVisible();
  world.setLine("down");
  await write(page, "ключ.", " Навіть запасний.");
  await expect(bar(page)).toContainText(waiting("uk", 1));
  await page.getByRole("link", { name: textsOf("uk", "shell").nav.settings }).click();
  await expect(page).toHaveURL(/settings/);
  await expect(bar(page)).toHaveText(anyCount({ ...connection, waiting_other: connection.waiting_other }, "waiting"));
});
