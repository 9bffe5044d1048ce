/** /admin/presets with the real server: standard presets, import, filters, the three tabs of the edit dialog. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import enTexts from "../src/locales/en/admin-presets.json" with { type: "json" };
import texts from "../src/locales/uk/admin-presets.json" with { type: "json" };
import presets from "../src/locales/uk/presets.json" with { type: "json" };
import { signIn } from "./accounts";
import { eachLook, shoot } from "./looks";
import { expect, expectAccessible, test } from "./test";

const BUILT_IN = 26;
const rows = (page: Page) => page.getByRole("table").locator("tbody tr");
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const dialog = (page: Page) => page.getByRole("dialog");
const question = (page: Page) => page.getByRole("alertdialog");
const answer = (page: Page, name: string) => question(page).getByRole("button", { name, exact: true }).click();
const act = (page: Page, action: "edit" | "download" | "delete", name: string) =>
  page.getByRole("button", { name: texts[action].replace("{{name}}", name), exact: true }).click();
const standard = (page: Page) => page.getByRole("button", { name: texts.standard.load });

async function importJson(page: Page, json: unknown) {
  await page.getByRole("button", { name: texts.import }).click();
  await dialog(page).getByLabel(presets.import.json).fill(JSON.stringify(json));
  await dialog(page).getByRole("button", { name: presets.import.validate }).click();
}

const imported = (preset_id: string, name: string, change: object = {}) => ({
  preset_id,
  name,
  category: "interview",
  transcription_type: "full",
  settings: { diarization: true },
  ...change,
});

test("synchronisation is not offered without an external database", async ({ page, context, server, reader }) => {
  await signIn(context, reader);
  await page.goto(`${server.origin}/admin/presets`);
  await page.getByRole("button", { name: texts.sync.start }).click();
  await expect(page.getByText(/^Не вдалося синхронізувати пресети: ./)).toBeVisible();
});

test.describe("an administrator", () => {
  test.beforeEach(async ({ page, context, server, reader }) => {
    await signIn(context, reader);
    await page.goto(`${server.origin}/admin/presets`);
    await expect(page.getByRole("heading", { name: "Управління пресетами" })).toBeVisible();
    await standard(page).click();
    // It asks for confirmation if an earlier test has changed them.
    const loaded = page.getByText("Завантажено 26 стандартних пресетів").first();
    await expect(question(page).or(loaded)).toBeVisible();
    if (await question(page).isVisible()) await answer(page, texts.standard.yes);
    await expect(loaded).toBeVisible();
  });

  test("finds presets by name, category and type", async ({ page }) => {
    await expect(standard(page)).toHaveText(texts.standard.load_count.replace("{{count}}", "26"));
    await expect(row(page, "Протокол наради")).toContainText(texts.recommended);
    await expectAccessible(page);
    await page.getByRole("searchbox").fill("ПРОТОКОЛ НАРАДИ");
    await expect(rows(page)).toHaveCount(1);
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel(texts.columns.category, { exact: true }).selectOption("media");
    await expect(page.getByText(texts.nothing)).toBeVisible();
    await page.getByRole("button", { name: texts.show_all }).click();
    await page.getByLabel(texts.columns.type, { exact: true }).selectOption("lite");
    await expect(page.getByText(texts.nothing)).toBeVisible();
    await page.getByRole("button", { name: texts.show_all }).click();
    await expect(rows(page).first()).toBeVisible();
    await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(BUILT_IN);
  });

  test("deletes and changes a standard preset, and restores it", async ({ page }) => {
    const name = "Дзвінок із клієнтом для CRM";
    await act(page, "delete", name);
    await expect(question(page)).toHaveAccessibleName("Видалити пресет?");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(question(page)).toHaveCount(0);
    await expect(row(page, name)).toBeVisible();
    await act(page, "delete", name);
    await answer(page, texts.delete_yes);
    await expect(page.getByText("Пресет видалено")).toBeVisible();
    await expect(row(page, name)).toHaveCount(0);

    await act(page, "edit", "Протокол наради");
    await dialog(page).getByLabel(texts.fields.name, { exact: true }).fill("Наш протокол");
    await dialog(page).getByRole("switch", { name: texts.fields.is_default }).click();
    await dialog(page).getByRole("tab", { name: texts.tabs.transcription }).click();
    await dialog(page).getByLabel(texts.fields.summarize).fill("77");
    await dialog(page).getByRole("button", { name: texts.editor.save }).click();
    await expect(page.getByText("Пресет оновлено")).toBeVisible();
    await expect(row(page, "Наш протокол")).toBeVisible();
    await expect(row(page, "Наш протокол")).not.toContainText(texts.recommended);
    await act(page, "edit", "Наш протокол");
    await dialog(page).getByRole("tab", { name: texts.tabs.transcription }).click();
    await expect(dialog(page).getByLabel(texts.fields.summarize)).toHaveValue("77");
    await page.keyboard.press("Escape");

    // It asks for confirmation because changes are lost.
    await standard(page).click();
    await expect(question(page)).toContainText("(1)");
    await answer(page, texts.standard.yes);
    await expect(row(page, name)).toBeVisible();
    await expect(row(page, "Протокол наради")).toContainText(texts.recommended);
    await expect(row(page, "Наш протокол")).toHaveCount(0);
  });

  test("sees violations of the rules in a preset", async ({ page }) => {
    await act(page, "edit", "Протокол наради");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: texts.editor.validate }).click();
    await expect(dialog(page).getByText(texts.editor.valid)).toBeVisible();
    await dialog(page).getByRole("tab", { name: texts.tabs.advanced }).click();
    await dialog(page).getByLabel(texts.fields.llm_translation).fill("english, klingon");
    await expect(dialog(page).getByText(texts.editor.valid)).toHaveCount(0);
    await dialog(page).getByRole("tab", { name: texts.tabs.transcription }).click();
    await dialog(page).getByLabel(texts.fields.summarize).fill("5000");
    await dialog(page).getByRole("tab", { name: texts.tabs.basic }).click();
    await dialog(page).getByRole("button", { name: texts.editor.validate }).click();
    await expect(dialog(page).getByRole("alert").filter({ hasText: "Виправте помилки валідації" })).toContainText("klingon");
    // The first one is focused.
    await expect(dialog(page).getByLabel(texts.fields.summarize)).toBeFocused();
    await dialog(page).getByRole("button", { name: texts.editor.save }).click();
    await expect(dialog(page)).toBeVisible();
    await expectAccessible(page);
    await dialog(page).getByLabel(texts.fields.summarize).fill("100");
    await dialog(page).getByRole("tab", { name: texts.tabs.advanced }).click();
    await dialog(page).getByLabel(texts.fields.llm_translation).fill("english, french");
    await expect(dialog(page).getByText("Виправте помилки валідації")).toHaveCount(0);

    // Lite supports English only, and no features of Full.
    await dialog(page).getByRole("tab", { name: texts.tabs.basic }).click();
    await dialog(page).getByLabel(texts.fields.transcription_type, { exact: true }).selectOption("lite");
    await expect(dialog(page).getByLabel(texts.fields.language_code, { exact: true }).locator("option")).toHaveCount(1);
    await dialog(page).getByRole("button", { name: texts.editor.validate }).click();
    await expect(dialog(page).getByText(texts.editor.valid)).toBeVisible();
    // Nothing was saved, so it asks before changes are lost.
    await page.keyboard.press("Escape");
    await dialog(page).getByRole("button", { name: "Відкинути" }).click();
    await expect(row(page, "Протокол наради")).toContainText("Full");
  });

  test("imports public presets, and downloads one", async ({ page }) => {
    await page.getByRole("button", { name: texts.import }).click();
    await dialog(page)
      .getByRole("button", { name: /^Імпортувати/ })
      .click({ force: true });
    await expect(dialog(page)).toContainText("Спочатку валідуйте дані");
    await dialog(page).getByLabel(presets.import.json).fill("{");
    await dialog(page).getByRole("button", { name: presets.import.validate }).click();
    await expect(dialog(page)).toContainText("Помилка парсингу JSON");
    await expect(dialog(page)).toContainText("Невалідний JSON формат");
    await page.keyboard.press("Escape");
    await importJson(page, [imported("a", "А"), { preset_id: "b", name: "Б", category: "media", settings: {} }]);
    await expect(dialog(page)).toContainText("Знайдено помилки валідації");
    await expect(dialog(page)).toContainText("Пресет 2: Відсутнє поле transcription_type");
    await page.keyboard.press("Escape");

    await importJson(page, [imported("own_a", "Інтерв’ю для всіх"), imported("own_b", "Сховане", { is_public: false })]);
    await expect(dialog(page)).toContainText("Валідовано 2 пресети");
    await dialog(page).getByRole("button", { name: "Імпортувати 2" }).click();
    await expect(page.getByText("Імпортовано 2 пресети")).toBeVisible();
    await expect(row(page, "Інтерв’ю для всіх")).toContainText(texts.public);
    await expect(row(page, "Сховане")).toContainText(texts.private);

    const download = page.waitForEvent("download");
    await act(page, "download", "Інтерв’ю для всіх");
    expect((await download).suggestedFilename()).toBe("own_a.json");
    const file = JSON.parse(readFileSync(await (await download).path(), "utf8")) as object;
    expect(file).toMatchObject({ preset_id: "own_a", category: "interview", transcription_type: "full" });
    for (const name of ["Інтерв’ю для всіх", "Сховане"]) {
      await act(page, "delete", name);
      await answer(page, texts.delete_yes);
      await expect(row(page, name)).toHaveCount(0);
    }
  });
});

const LOOKS = [
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
  { locale: "en", theme: "light", width: 1920 },
  { locale: "uk", theme: "dark", width: 390 },
] as const;

for (const { locale, theme, width } of eachLook(LOOKS)) {
  test(`screenshots: ${locale} ${theme} ${width}`, async ({ page, context, server, reader }) => {
    const t = locale === "uk" ? texts : enTexts;
    const shot = (name: string) => shoot(page, `e2e/shots/admin-presets/${name}-${locale}-${theme}-${width}.png`);
    await page.setViewportSize({ width, height: width < 500 ? 844 : 800 });
    await signIn(context, reader, { locale, theme });
    await page.goto(`${server.origin}/admin/presets`);
    await expect(page.getByRole("heading", { name: t.title })).toBeVisible();
    await expect(page.getByText(t.recommended).first()).toBeVisible();
    await expectAccessible(page);
    await shot("list");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page
      .getByRole("button", { name: new RegExp(`^${t.edit.replace("{{name}}", "")}`) })
      .first()
      .click();
    for (const tab of ["basic", "transcription", "advanced"] as const) {
      await dialog(page).getByRole("tab", { name: t.tabs[tab] }).click();
      await expectAccessible(page);
      await shot(`edit-${tab}`);
    }
    await dialog(page).getByLabel(t.fields.srt_translation).fill("klingon");
    await dialog(page).getByRole("button", { name: t.editor.validate }).click();
    await expect(dialog(page).getByLabel(t.fields.srt_translation)).toBeFocused();
    await expectAccessible(page);
    await shot("edit-wrong");
  });
}
