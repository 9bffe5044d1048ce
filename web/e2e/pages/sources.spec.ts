/** Sources in the settings. The API is mocked. */
import type { Page } from "@playwright/test";
import { signIn } from "../accounts";
import { test } from "../built-page";
import { eachLook } from "../looks";
import { mockApi, SESSION } from "../mock-api";
import { SOURCES, SourcesWorld } from "../sources-world";
import { expect, expectAccessible } from "../test";
import { containing, type Locale, startingWith, textsOf, untilParameter } from "../texts";

interface Look {
  locale: Locale;
  theme: "light" | "dark";
  width: 390 | 1280;
}

const LOOKS: readonly Look[] = [
  { locale: "uk", theme: "light", width: 390 },
  { locale: "en", theme: "dark", width: 1280 },
];

const filled = (text: string, values: Record<string, string | number>) =>
  Object.entries(values).reduce((whole, [name, value]) => whole.replace(`{{${name}}}`, String(value)), text);

/** Nothing is wider than the window. */
async function expectNarrow(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Opens the tab of the settings. */
async function openSettings(page: Page, origin: string, world: SourcesWorld, { locale, theme, width }: Look) {
  await mockApi(page, { signedIn: true, jobs: [] });
  await world.mock(page);
  await page.setViewportSize({ width, height: 844 });
  await signIn(page.context(), SESSION, { locale, theme });
  await page.goto(`${origin}/settings?tab=sources`);
  return page.getByRole("region", { name: textsOf(locale, "sources").title, exact: true });
}

for (const look of eachLook(LOOKS, 1)) {
  const { locale } = look;
  const t = textsOf(locale, "sources");
  const common = textsOf(locale, "common");
  const { violations } = textsOf(locale, "rules");
  const { codes } = textsOf(locale, "problems");
  const named = (action: string, name: string) => filled(t.named, { action, name });

  test(`sources are listed with what they brought, and deleted after a question: ${locale}`, async ({ page, origin }) => {
    const world = new SourcesWorld();
    const section = await openSettings(page, origin, world, look);
    const rows = section.getByRole("list", { name: t.title }).locator("> li");
    await expect(rows).toHaveCount(SOURCES.length);
    await expect(rows.nth(0)).toContainText("Подкаст <b>редакції</b>");
    await expect(rows.nth(0)).toContainText("example.com/feed.xml");
    // Queries may be secret.
    await expect(rows.nth(0)).not.toContainText("secret");
    await expect(rows.nth(0)).toContainText(t.state.active);
    await expect(rows.nth(0)).toContainText("120");
    await expect(rows.nth(1)).toContainText("cloud.example.com/remote.php/dav/files/olena/Записи/");
    await expect(rows.nth(1)).toContainText(t.state.checking);
    await expect(rows.nth(2)).toContainText(t.state.paused);
    await expect(rows.nth(2)).toContainText(t.preset_gone);
    await expect(rows.nth(3)).toContainText(t.state.problem);
    await expect(rows.nth(3)).toContainText(filled(t.problems.source_refused, { detail: "HTTP 500" }));
    await expect(rows.nth(3)).toContainText(t.never_checked);
    await expectNarrow(page);
    await expectAccessible(page);

    const button = section.getByRole("button", { name: named(t.delete, "Хмара") });
    const question = page.getByRole("alertdialog", { name: filled(t.remove.question, { name: "Хмара" }) });
    await button.press("Enter");
    await expect(question).toContainText(t.remove.text);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    world.refusals.DELETE = { code: "unavailable", status: 503 };
    await button.click();
    await question.getByRole("button", { name: t.delete }).click();
    await expect(page.getByText(t.remove.failed)).toBeVisible();
    await button.click();
    await question.getByRole("button", { name: t.delete }).click();
    await expect(rows).toHaveCount(SOURCES.length - 1);
    await expect(section.getByRole("heading", { name: t.title })).toBeFocused();
  });

  test(`a podcast is added by keyboard: ${locale}`, async ({ page, origin }) => {
    const world = new SourcesWorld();
    world.sources = [];
    const section = await openSettings(page, origin, world, look);
    await expect(section).toContainText(t.empty);
    await expectAccessible(page);
    const open = section.getByRole("button", { name: t.add });
    await open.press("Enter");
    const dialog = page.getByRole("dialog", { name: t.editor.new });
    const podcast = dialog.getByRole("radio", { name: startingWith(t.kinds.podcast.name) });
    await expect(podcast).toBeFocused();
    await expect(podcast).toBeChecked();
    await expect(dialog.getByRole("radio")).toHaveCount(4);
    await expectNarrow(page);
    await expectAccessible(page);

    const name = dialog.getByRole("textbox", { name: t.editor.name });
    const location = dialog.getByRole("textbox", { name: t.kinds.podcast.location });
    world.refusals.POST = {
      code: "validation_failed",
      status: 422,
      errors: [
        { field: "name", code: "webhook_name_url_required", params: {} },
        { field: "location", code: "url_invalid", params: {} },
      ],
    };
    await location.fill("feed");
    await location.press("Enter");
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(containing(violations.webhook_name_url_required));
    await expect(location).toHaveAccessibleDescription(containing(violations.url_invalid));
    await expectAccessible(page);
    await page.keyboard.type("Новини");
    world.refusals.POST = { code: "url_refused", status: 422 };
    await location.fill("http://192.168.1.20/feed.xml");
    await location.press("Enter");
    await expect(location).toBeFocused();
    await expect(location).toHaveAccessibleDescription(containing(t.editor.address_refused));
    world.refusals.POST = { code: "too_many_sources", status: 409, params: { max: 20 } };
    await location.fill("https://example.com/feed.xml");
    await location.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText(filled(codes.too_many_sources, { max: 20 }));
    await dialog.getByRole("checkbox", { name: startingWith(t.editor.take_existing) }).press("Space");
    await dialog.getByRole("button", { name: t.editor.create }).press("Enter");
    await expect(page.getByText(t.created)).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(open).toBeFocused();
    await expect(section).toContainText("Новини");
    expect(world.asked.at(-1)?.body).toEqual({
      name: "Новини",
      kind: "podcast",
      location: "https://example.com/feed.xml",
      region: "",
      user: "",
      password: null,
      preset_id: null,
      is_active: true,
      take_existing: true,
    });
  });

  test(`each kind has its own fields: ${locale}`, async ({ page, origin }) => {
    const world = new SourcesWorld();
    const section = await openSettings(page, origin, world, look);
    await section.getByRole("button", { name: t.add }).click();
    const dialog = page.getByRole("dialog", { name: t.editor.new });
    const choose = (kind: "podcast" | "webdav" | "s3" | "folder") =>
      dialog.locator("label").filter({ hasText: t.kinds[kind].name }).click();
    await choose("folder");
    const path = dialog.getByRole("textbox", { name: t.kinds.folder.location });
    await expect(path).toHaveAccessibleDescription(containing("/srv/recordings, /mnt/archive"));
    await expect(dialog.getByRole("textbox")).toHaveCount(2);
    await choose("webdav");
    await expect(dialog.getByRole("textbox", { name: t.kinds.webdav.user })).toBeVisible();
    await expect(dialog.getByLabel(t.kinds.webdav.password, { exact: true })).toBeVisible();
    await expectAccessible(page);
    await choose("s3");
    await dialog.getByRole("textbox", { name: t.editor.name }).fill("Архів");
    await dialog.getByRole("textbox", { name: t.kinds.s3.location }).fill("https://s3.example.com/talks");
    await dialog.getByRole("textbox", { name: t.editor.region }).fill("eu-central-1");
    await dialog.getByRole("textbox", { name: t.kinds.s3.user }).fill("AKIA");
    await dialog.getByLabel(t.kinds.s3.password, { exact: true }).fill("s3cret");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: t.editor.create }).click();
    await expect(dialog).toBeHidden();
    expect(world.asked.at(-1)?.body).toMatchObject({ kind: "s3", region: "eu-central-1", user: "AKIA", password: "s3cret" });
    expect(await page.content()).not.toContain("s3cret");
  });

  test(`a source is changed, its password kept or removed: ${locale}`, async ({ page, origin }) => {
    const world = new SourcesWorld();
    const section = await openSettings(page, origin, world, look);
    const edit = section.getByRole("button", { name: named(t.edit, "Хмара") });
    await edit.click();
    const dialog = page.getByRole("dialog", { name: t.editor.edit });
    const password = dialog.getByLabel(t.kinds.webdav.password, { exact: true });
    await expect(dialog.getByRole("radio")).toHaveCount(0);
    await expect(password).toHaveAccessibleDescription(containing(t.editor.password_kept));
    await expect(dialog.getByRole("checkbox")).toHaveCount(1);
    await expectNarrow(page);
    await expectAccessible(page);
    const location = dialog.getByRole("textbox", { name: t.kinds.webdav.location });
    await location.fill("https://elsewhere.example.com/dav/");
    await expect(password).toHaveAccessibleDescription(containing(t.editor.password_lost));
    await expect(dialog.getByRole("checkbox", { name: startingWith(t.editor.take_existing) })).toBeVisible();
    await location.fill("https://cloud.example.com/dav/");
    await dialog.getByRole("checkbox", { name: t.editor.password_remove }).click();
    await expect(password).toBeDisabled();
    await dialog.getByRole("button", { name: t.editor.save }).click();
    await expect(page.getByText(t.updated)).toBeVisible();
    expect(world.asked.at(-1)).toMatchObject({ method: "PUT", path: "/s-cloud", body: { password: "" } });
    await expect(edit).toBeFocused();
  });

  test(`a source is paused, resumed and checked: ${locale}`, async ({ page, origin }) => {
    const world = new SourcesWorld();
    const section = await openSettings(page, origin, world, look);
    const name = "Подкаст <b>редакції</b>";
    const row = section.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
    await row.getByRole("button", { name: named(t.check, name) }).click();
    await expect(row).toContainText(t.state.checking);
    expect(world.asked.at(-1)?.path).toBe("/s-feed/check");
    await row.getByRole("button", { name: named(t.pause, name) }).click();
    await expect(row).toContainText(t.state.paused);
    await expect(row.getByRole("button", { name: named(t.check, name) })).toHaveCount(0);
    // The stored password and the rest stay as they are.
    expect(world.asked.at(-1)).toMatchObject({ method: "PUT", body: { is_active: false, password: null, kind: "podcast" } });
    await row.getByRole("button", { name: named(t.resume, name) }).click();
    await expect(page.getByText(t.resumed_now)).toBeVisible();
    world.refusals.POST = { code: "rate_limited", status: 429 };
    await row.getByRole("button", { name: named(t.check, name) }).click();
    await expect(page.getByText(containing(t.check_failed))).toBeVisible();
  });

  test(`the recordings of a source are listed, filtered and started: ${locale}`, async ({ page, origin }) => {
    const world = new SourcesWorld();
    const section = await openSettings(page, origin, world, look);
    const open = section.getByRole("button", { name: named(t.recordings.open, "Хмара") });
    await open.click();
    const dialog = page.getByRole("dialog", { name: t.recordings.title });
    const rows = dialog.getByRole("list", { name: t.recordings.title }).getByRole("listitem");
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(0).getByRole("link", { name: "Випуск 7" })).toHaveAttribute(
      "href",
      "/transcription/01981d3e-7c2a-7aa0-9d61-000000000003",
    );
    await expect(rows.nth(1)).toContainText(t.recordings.states.waiting);
    await expect(rows.nth(1)).toContainText("40");
    await expect(rows.nth(2)).toContainText(untilParameter(codes.unsupported_media));
    await dialog.getByRole("button", { name: t.recordings.more }).click();
    await expect(rows).toHaveCount(5);
    await expect(rows.nth(4)).toContainText(t.recordings.deleted);
    await expectNarrow(page);
    await expectAccessible(page);
    world.refusals.POST = { code: "unavailable", status: 503 };
    const again = rows.nth(2).getByRole("button", { name: named(t.recordings.start.failed, "Випуск 5") });
    await again.click();
    await expect(page.getByText(containing(t.recordings.start_failed))).toBeVisible();
    await again.click();
    await expect(rows.nth(2)).toContainText(t.recordings.states.waiting);
    // The button is gone; the keyboard goes on from its row.
    await expect(rows.nth(2)).toBeFocused();
    expect(world.asked.at(-1)?.path).toBe("/s-cloud/recordings/r-fail/start");
    await dialog.getByRole("combobox", { name: t.recordings.state }).selectOption("skipped");
    await expect(rows).toHaveCount(1);
    await expect(rows.nth(0)).toContainText("Випуск 4");
    await dialog.getByRole("combobox", { name: t.recordings.state }).selectOption("failed");
    await expect(dialog).toContainText(t.recordings.empty);
    await page.keyboard.press("Escape");
    await expect(open).toBeFocused();
  });

  test(`a list that cannot be loaded says so: ${locale}`, async ({ page, origin }) => {
    const world = new SourcesWorld();
    world.refusals.GET = { code: "internal", status: 500 };
    const section = await openSettings(page, origin, world, look);
    await expect(section.getByRole("alert")).toContainText(t.load_failed);
    await expectAccessible(page);
    await section.getByRole("button", { name: common.actions.try_again }).click();
    await expect(section).toContainText("Хмара");
  });
}
