/** Folders for copies of texts in the settings. The API is mocked. */
import type { Page } from "@playwright/test";
import { signIn } from "../accounts";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLook } from "../looks";
import { mockApi, SESSION } from "../mock-api";
import { SourcesWorld } from "../sources-world";
import { TARGETS, TargetsWorld } from "../targets-world";
import { expect, expectAccessible } from "../test";
import { containing, type Locale, textsOf } from "../texts";

interface Look {
  locale: Locale;
  theme: "light" | "dark";
  width: 390 | 1280;
}

const LOOKS: readonly Look[] = [
  { locale: "en", theme: "light", width: 390 },
  { locale: "uk", theme: "dark", width: 1280 },
];

const FOLDER = { id: "01981d3e-0000-7000-8000-00000000b001", name: "Проєкт", color: 1 };

const filled = (text: string, values: Record<string, string | number>) =>
  Object.entries(values).reduce((whole, [name, value]) => whole.replace(`{{${name}}}`, String(value)), text);

/** Nothing is wider than the window. */
async function expectNarrow(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Opens the tab of the settings. */
async function openSettings(page: Page, origin: string, world: TargetsWorld, { locale, theme, width }: Look) {
  await mockApi(page, { signedIn: true, jobs: [] });
  const sources = new SourcesWorld();
  sources.sources = [];
  await sources.mock(page);
  await world.mock(page);
  await intercept(page, "**/api/v1/folders", (route) => route.fulfill({ json: [FOLDER] }));
  await intercept(page, "**/api/v1/tags", (route) => route.fulfill({ json: [] }));
  await page.setViewportSize({ width, height: 844 });
  await signIn(page.context(), SESSION, { locale, theme });
  await page.goto(`${origin}/settings?tab=sources`);
  return page.getByRole("region", { name: textsOf(locale, "targets").title, exact: true });
}

for (const look of eachLook(LOOKS)) {
  const { locale } = look;
  const t = textsOf(locale, "targets");
  const s = textsOf(locale, "sources");
  const { violations } = textsOf(locale, "rules");
  const named = (action: string, name: string) => filled(s.named, { action, name });

  test(`folders are listed with their state, run, paused and deleted: ${locale}`, async ({ page, origin }) => {
    const world = new TargetsWorld();
    const section = await openSettings(page, origin, world, look);
    const rows = section.getByRole("list", { name: t.title }).locator("> li");
    await expect(rows).toHaveCount(TARGETS.length);
    await expect(rows.nth(0)).toContainText("Нотатки <b>редакції</b>");
    await expect(rows.nth(0)).toContainText("cloud.example.com/dav/Тексти/");
    // Queries may be secret.
    await expect(rows.nth(0)).not.toContainText("secret");
    await expect(rows.nth(0)).toContainText("120");
    await expect(rows.nth(1)).toContainText(t.state.running);
    await expect(rows.nth(2)).toContainText(t.state.paused);
    await expect(rows.nth(2)).toContainText(t.never_ran);
    await expect(rows.nth(3)).toContainText(s.problems.source_folder_missing);
    await expectNarrow(page);
    await expectAccessible(page);

    await section.getByRole("button", { name: named(t.run, "Диск") }).click();
    await expect(rows.nth(3)).toContainText(t.state.running);
    await section.getByRole("button", { name: named(s.pause, "Диск") }).click();
    await expect(rows.nth(3)).toContainText(t.state.paused);
    await section.getByRole("button", { name: named(t.delete, "Диск") }).press("Enter");
    const question = page.getByRole("alertdialog", { name: filled(t.remove.question, { name: "Диск" }) });
    await expect(question).toContainText(t.remove.text);
    await expectAccessible(page);
    await question.getByRole("button", { name: t.delete }).click();
    await expect(rows).toHaveCount(TARGETS.length - 1);
    await expect(section.getByRole("heading", { name: t.title })).toBeFocused();
  });

  test(`a folder of Nextcloud is added for the texts of one folder: ${locale}`, async ({ page, origin }) => {
    const world = new TargetsWorld([]);
    const section = await openSettings(page, origin, world, look);
    await expect(section).toContainText(t.empty);
    await section.getByRole("button", { name: t.add }).press("Enter");
    const dialog = page.getByRole("dialog", { name: t.editor.new });
    await expect(dialog.getByRole("radio").first()).toBeFocused();
    await expectAccessible(page);
    const errors = [
      { field: "name", code: "webhook_name_url_required" },
      { field: "location", code: "url_required" },
    ];
    world.refusals.POST = { code: "validation_failed", status: 422, errors } as never;
    const create = dialog.getByRole("button", { name: t.editor.create });
    await create.click();
    await expect(dialog.getByRole("textbox", { name: s.editor.name, exact: true })).toBeFocused();
    await expect(dialog).toContainText(violations.url_required);
    await expectAccessible(page);
    await dialog.getByRole("textbox", { name: s.editor.name, exact: true }).fill("Обсидіан");
    await dialog.getByRole("textbox", { name: t.kinds.webdav.location }).fill("https://cloud.example.com/dav/");
    await dialog.getByRole("textbox", { name: s.kinds.webdav.user }).fill("olena");
    await dialog.getByLabel(s.kinds.webdav.password, { exact: true }).fill("hunter2");
    await dialog.getByRole("combobox", { name: t.editor.format }).selectOption("txt");
    await dialog.getByRole("combobox", { name: t.editor.group }).selectOption({ label: "Проєкт" });
    await dialog.getByRole("checkbox", { name: containing(t.editor.take_existing) }).check();
    await create.click();
    await expect(section.getByRole("heading", { name: "Обсидіан" })).toBeVisible();
    expect(world.asked.at(-1)?.body).toEqual({
      name: "Обсидіан",
      kind: "webdav",
      location: "https://cloud.example.com/dav/",
      user: "olena",
      password: "hunter2",
      format: "txt",
      group_id: FOLDER.id,
      is_active: true,
      take_existing: true,
    });
  });

  test(`files are listed with what became of them, and saved anew: ${locale}`, async ({ page, origin }) => {
    const world = new TargetsWorld();
    const section = await openSettings(page, origin, world, look);
    const open = section.getByRole("button", { name: named(t.files.open, "Архів") });
    await open.click();
    const dialog = page.getByRole("dialog", { name: t.files.title });
    const rows = dialog.getByRole("list", { name: t.files.title }).getByRole("listitem");
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(0)).toContainText("Розмова з міністром.md");
    await expect(rows.nth(1)).toContainText(s.problems.target_file_changed);
    await expect(rows.nth(2)).toContainText(s.problems.target_no_name);
    await dialog.getByRole("button", { name: s.recordings.more }).click();
    await expect(rows).toHaveCount(4);
    await expectNarrow(page);
    await expectAccessible(page);
    world.refusals.POST = { code: "source_paused", status: 409 };
    const again = rows.nth(1).getByRole("button", { name: named(t.files.write.foreign, "Засідання 4") });
    await again.click();
    await expect(page.getByText(containing(t.files.write_failed))).toBeVisible();
    await again.click();
    await expect(rows.nth(1)).toContainText(t.files.states.waiting);
    await expect(rows.nth(1)).toBeFocused();
    await dialog.getByRole("combobox", { name: s.recordings.state }).selectOption("failed");
    await expect(rows).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(open).toBeFocused();
  });
}
