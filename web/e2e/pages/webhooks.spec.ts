/** Webhooks in the settings. The API is mocked. */
import type { Page } from "@playwright/test";
import { signIn } from "../accounts";
import { test } from "../built-page";
import { eachLook } from "../looks";
import { mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { containing, type Locale, startingWith, textsOf } from "../texts";
import { FOLDERS, NEW_SECRET, WEBHOOKS, WebhooksWorld } from "../webhooks-world";

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
async function openSettings(page: Page, origin: string, world: WebhooksWorld, { locale, theme, width }: Look) {
  await mockApi(page, { signedIn: true, jobs: [] });
  await world.mock(page);
  await page.setViewportSize({ width, height: 844 });
  await signIn(page.context(), SESSION, { locale, theme });
  await page.goto(`${origin}/settings?tab=webhooks`);
  return page.getByRole("region", { name: textsOf(locale, "webhooks").title, exact: true });
}

for (const look of eachLook(LOOKS, 1)) {
  const { locale, width } = look;
  const t = textsOf(locale, "webhooks");
  const common = textsOf(locale, "common");
  const { violations } = textsOf(locale, "rules");
  const { codes } = textsOf(locale, "problems");
  const named = (action: string, name: string) => filled(t.named, { action, name });
  const eventsOf = (events: readonly (readonly ["upload" | "job" | "analysis", "completed" | "failed"])[]) =>
    events.map(([kind, end]) => (t.events[kind] as Record<string, { name: string }>)[end]?.name).join(" · ");
  const USUAL = eventsOf([
    ["job", "completed"],
    ["job", "failed"],
  ]);

  test(`webhooks are listed with what they wait for, and deleted after a question: ${locale}`, async ({ page, origin }) => {
    const world = new WebhooksWorld();
    const section = await openSettings(page, origin, world, look);
    const rows = section.getByRole("list", { name: t.title }).locator("> li");
    await expect(rows).toHaveCount(WEBHOOKS.length);
    await expect(section.getByRole("link", { name: t.docs })).toHaveAttribute("href", "/docs#webhooks");
    await expect(rows.nth(0)).toContainText("n8n.example.org");
    await expect(rows.nth(0)).toContainText(USUAL);
    await expect(rows.nth(0)).toContainText(t.state.active);
    await expect(rows.nth(0)).toContainText(t.log.status.delivered);
    // Paths may be secret.
    await expect(rows.nth(1)).toContainText("archive.example.com:8443");
    await expect(rows.nth(1)).not.toContainText("token");
    await expect(rows.nth(1)).toContainText("Архів <b>редакції</b>");
    await expect(rows.nth(1)).toContainText(filled(t.folders.only, { folders: `Інтерв’ю, ${t.folders.deleted}` }));
    await expect(rows.nth(1)).not.toContainText(t.folders.all_deleted);
    await expect(rows.nth(2)).toContainText(filled(t.folders.deleted_nth, { n: 2 }));
    await expect(rows.nth(2)).toContainText(t.folders.all_deleted);
    await expect(rows.nth(2)).toContainText(t.state.off);
    await expect(rows.nth(3)).toContainText(t.state.refused);
    await expect(rows.nth(3)).toContainText(t.gone);
    await expectNarrow(page);
    await expectAccessible(page);

    const button = section.getByRole("button", { name: named(t.delete, "n8n") });
    const question = page.getByRole("alertdialog", { name: filled(t.remove.question, { name: "n8n" }) });
    await button.press("Enter");
    await expect(question).toContainText(t.remove.text);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    expect(world.asked).toEqual([]);

    world.refusals.DELETE = { code: "unavailable", status: 503 };
    await button.click();
    await question.getByRole("button", { name: t.delete }).click();
    await expect(page.getByText(t.remove.failed)).toBeVisible();
    await expect(rows).toHaveCount(WEBHOOKS.length);

    await button.click();
    await question.getByRole("button", { name: t.delete }).click();
    await expect(rows).toHaveCount(WEBHOOKS.length - 1);
    await expect(page.getByText(t.remove.done)).toBeVisible();
    await expect(section.getByRole("heading", { name: t.title })).toBeFocused();

    // One that was deleted elsewhere is gone, too.
    world.webhooks = world.webhooks.filter(({ name }) => name !== "Zapier");
    world.refusals.DELETE = { code: "not_found", status: 404 };
    await section.getByRole("button", { name: named(t.delete, "Zapier") }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: t.delete }).click();
    await expect(rows).toHaveCount(WEBHOOKS.length - 2);
    expect(world.asked.map(({ method, path }) => method + path)).toEqual(["DELETE/w-n8n", "DELETE/w-n8n", "DELETE/w-gone"]);
  });

  test(`a webhook is created by keyboard, and its secret shown once: ${locale}`, async ({ page, origin, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const world = new WebhooksWorld();
    world.webhooks = [];
    const section = await openSettings(page, origin, world, look);
    await expect(section).toContainText(t.empty);
    await expectAccessible(page);
    const open = section.getByRole("button", { name: t.add });
    await open.press("Enter");
    const dialog = page.getByRole("dialog", { name: t.editor.new });
    const name = dialog.getByRole("textbox", { name: t.editor.name });
    const url = dialog.getByRole("textbox", { name: t.editor.url });
    const event = (text: string) => dialog.getByRole("checkbox", { name: startingWith(text) });
    await expect(name).toBeFocused();
    await expect(dialog.getByRole("checkbox")).toHaveCount(5);
    await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(2);
    await expect(event(t.events.job.completed.name)).toBeChecked();
    await expect(event(t.events.job.failed.name)).toBeChecked();
    await expect(dialog.getByRole("switch", { name: t.editor.active })).toBeChecked();
    await expectNarrow(page);
    await expectAccessible(page);

    // What the server refuses stands at its field.
    await event(t.events.job.completed.name).press("Space");
    await event(t.events.job.failed.name).press("Space");
    world.refusals.POST = {
      code: "validation_failed",
      status: 422,
      errors: [
        { field: "name", code: "webhook_name_url_required", params: {} },
        { field: "url", code: "url_invalid", params: {} },
        { field: "events", code: "list_empty", params: {} },
        { field: "folders", code: "too_many", params: { max: 50 } },
      ],
    };
    await url.fill("ftp://n8n.example.org");
    await url.press("Enter");
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(containing(violations.webhook_name_url_required));
    await expect(url).toHaveAccessibleDescription(containing(violations.url_invalid));
    await expect(event(t.events.job.failed.name)).toHaveAccessibleDescription(t.editor.events_none);
    await expect(dialog.getByRole("combobox", { name: t.editor.folders })).toHaveAccessibleDescription(containing("50"));
    await expectAccessible(page);
    await page.keyboard.type("Нагадування");
    await expect(name).not.toHaveAccessibleDescription(containing(violations.webhook_name_url_required));

    // Administrators read another text.
    world.refusals.POST = { code: "webhook_address_refused", status: 422 };
    await url.fill("http://192.168.1.20:8080/slovo");
    await url.press("Enter");
    await expect(url).toBeFocused();
    await expect(url).toHaveAccessibleDescription(containing(t.editor.address_refused));
    await expect(dialog).not.toContainText("SLOVO_WEBHOOK_ALLOW");

    world.refusals.POST = { code: "too_many_webhook_services", status: 409, params: { max: 20 } };
    await url.fill("https://n8n.example.org/webhook/1");
    await url.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText(filled(codes.too_many_webhook_services, { max: 20 }));
    await expectAccessible(page);

    await event(t.events.analysis.completed.name).press("Space");
    await event(t.events.job.completed.name).press("Space");
    const folders = dialog.getByRole("combobox", { name: t.editor.folders });
    await folders.press("ArrowDown");
    await expect(dialog.getByRole("option")).toHaveText(FOLDERS.map((folder) => folder.name));
    await expectAccessible(page);
    await folders.press("ArrowDown");
    await folders.press("Enter");
    await folders.press("Escape");
    await expect(dialog.getByRole("listitem")).toHaveText("Засідання <b>ради</b>");
    await dialog.getByRole("button", { name: t.editor.create }).press("Enter");

    const shown = page.getByRole("dialog", { name: t.secret.shown });
    const copy = shown.getByRole("button", { name: t.secret.copy });
    await expect(copy).toBeFocused();
    await expect(shown).toContainText(t.secret.once);
    await expect(shown).toContainText(NEW_SECRET);
    await expect(page.getByText(t.created)).toBeVisible();
    await expectNarrow(page);
    await expectAccessible(page);
    await copy.press("Enter");
    await expect(page.getByText(t.secret.copied)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(NEW_SECRET);
    expect(world.asked.at(-1)?.body).toEqual({
      name: "Нагадування",
      url: "https://n8n.example.org/webhook/1",
      is_active: true,
      events: ["job.completed", "analysis.completed"],
      folders: [FOLDERS[1]?.id],
    });

    // It is nowhere but in this dialog, which a click beside it does not close.
    if (width === 1280) await page.mouse.click(20, 400);
    await expect(shown).toContainText(NEW_SECRET);
    await shown.getByRole("button", { name: t.secret.done }).press("Enter");
    await expect(shown).toBeHidden();
    await expect(open).toBeFocused();
    await expect(section).toContainText("Нагадування");
    await expect(section).toContainText(filled(t.folders.only, { folders: "Засідання <b>ради</b>" }));
    expect(await page.content()).not.toContain(NEW_SECRET);
  });

  test(`a webhook is changed, and its deleted folder removed: ${locale}`, async ({ page, origin }) => {
    const world = new WebhooksWorld();
    const section = await openSettings(page, origin, world, look);
    const name = "Архів <b>редакції</b>";
    const edit = section.getByRole("button", { name: named(t.edit, name) });
    await edit.click();
    const dialog = page.getByRole("dialog", { name: t.editor.edit });
    const chips = dialog.getByRole("listitem");
    await expect(chips).toHaveText(["Інтерв’ю", t.folders.deleted]);
    await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(5);
    await expectAccessible(page);

    // Nothing is lost without a question.
    await dialog.getByRole("button", { name: filled(t.editor.folder_remove, { name: t.folders.deleted }) }).click();
    await expect(chips).toHaveText(["Інтерв’ю"]);
    await page.keyboard.press("Escape");
    await expect(dialog).toContainText(common.unsaved.question);
    await dialog.getByRole("button", { name: common.unsaved.stay }).click();
    await dialog.getByRole("combobox", { name: t.editor.folders }).click();
    await expect(dialog.getByRole("option")).toHaveText(["Засідання <b>ради</b>"]);
    await page.keyboard.press("Escape");
    await dialog.getByRole("switch", { name: t.editor.active }).click();
    await dialog.getByRole("textbox", { name: t.editor.name }).fill("Архів");
    await dialog.getByRole("button", { name: t.editor.save }).click();
    await expect(page.getByText(t.updated)).toBeVisible();
    await expect(dialog).toBeHidden();
    const row = section.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Архів", exact: true }) });
    await expect(row).toContainText(t.state.off);
    await expect(row).not.toContainText(t.folders.deleted);
    expect(world.asked).toHaveLength(1);
    expect(world.asked[0]).toMatchObject({ method: "PUT", path: "/w-archive", body: { folders: [FOLDERS[0]?.id] } });

    // Without folders there is nothing to choose.
    world.folders = [];
    await page.reload();
    await section.getByRole("button", { name: named(t.edit, "n8n") }).click();
    await expect(dialog).toContainText(t.editor.folders_none);
    await expect(dialog.getByRole("combobox")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  test(`a test says whether the address works, and a secret is replaced: ${locale}`, async ({ page, origin }) => {
    const world = new WebhooksWorld();
    const section = await openSettings(page, origin, world, look);
    const row = section.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "n8n" }) });
    const run = row.getByRole("button", { name: named(t.test, "n8n") });
    await run.press("Enter");
    await expect(page.getByText(filled(t.tested.works, { name: "n8n" }))).toBeVisible();
    world.tested = { working: false, status: 503, error: "http_status" };
    await run.click();
    await expect(page.getByText(filled(t.tested.error, { name: "n8n", status: 503 }))).toBeVisible();
    await expect(row).toContainText(filled(t.reasons.http_status, { status: 503 }));
    await expect(row).toContainText(t.log.status.failed);
    await expectAccessible(page);
    world.tested = { working: false, status: null, error: "refused_port" };
    await run.click();
    await expect(page.getByText(filled(t.tested.unavailable, { name: "n8n" }))).toBeVisible();
    await expect(row).toContainText(t.reasons.refused_port);
    world.refusals.POST = { code: "api_not_in_plan", status: 403 };
    await run.click();
    await expect(page.getByText(containing(codes.api_not_in_plan))).toBeVisible();

    const replace = row.getByRole("button", { name: named(t.rotate.action, "n8n") });
    const question = page.getByRole("alertdialog", { name: filled(t.rotate.question, { name: "n8n" }) });
    world.refusals.POST = { code: "unavailable", status: 503 };
    await replace.press("Enter");
    await expect(question).toContainText(t.rotate.text);
    await question.getByRole("button", { name: t.rotate.confirm }).click();
    await expect(page.getByText(containing(t.rotate.failed))).toBeVisible();
    await replace.press("Enter");
    await question.getByRole("button", { name: t.rotate.confirm }).press("Enter");
    const shown = page.getByRole("dialog", { name: t.secret.shown });
    await expect(shown).toContainText(NEW_SECRET);
    await expect(shown.getByRole("button", { name: t.secret.copy })).toBeFocused();
    await expect(question).toBeHidden();
    await expectAccessible(page);
    await shown.getByRole("button", { name: t.secret.done }).press("Enter");
    await expect(replace).toBeFocused();
    expect(await page.content()).not.toContain(NEW_SECRET);
    expect(world.asked.at(-1)).toMatchObject({ method: "POST", path: "/w-n8n/rotate-secret" });
  });

  test(`deliveries are logged, and sent again: ${locale}`, async ({ page, origin }) => {
    const world = new WebhooksWorld();
    const section = await openSettings(page, origin, world, look);
    const open = section.getByRole("button", { name: named(t.log.open, "n8n") });
    await open.click();
    const dialog = page.getByRole("dialog", { name: t.log.title });
    const rows = dialog.getByRole("list", { name: t.log.title }).getByRole("listitem");
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(0)).toContainText(t.reasons.api_not_in_plan);
    await expect(rows.nth(1)).toContainText(t.log.status.pending);
    await expect(rows.nth(1)).toContainText(filled(t.reasons.http_status, { status: 503 }));
    await expect(rows.nth(2)).toContainText(t.log.status.delivered);
    await dialog.getByRole("button", { name: t.log.more }).click();
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(3)).toContainText(t.reasons.refused_address);
    await expect(rows.nth(3).getByRole("button")).toHaveCount(1);
    await rows
      .nth(2)
      .getByRole("button", { name: startingWith(t.log.show) })
      .click();
    await expect(dialog.getByRole("textbox", { name: t.log.payload })).toHaveValue(/"filename": "Нарада\.mp3"/);
    await expectNarrow(page);
    await expectAccessible(page);

    const again = rows.nth(2).getByRole("button", { name: startingWith(t.log.resend) });
    world.refusals.POST = { code: "webhook_service_inactive", status: 409 };
    await again.click();
    await expect(page.getByText(containing(codes.webhook_service_inactive))).toBeVisible();
    await again.click();
    await expect(page.getByText(t.log.resent)).toBeVisible();
    await expect(rows.nth(2)).toContainText(t.log.status.pending);
    expect(world.asked.at(-1)?.path).toBe("/w-n8n/deliveries/d-done/resend");
    await page.keyboard.press("Escape");
    await expect(open).toBeFocused();

    world.deliveries = [];
    await open.click();
    await expect(dialog).toContainText(t.log.empty);
  });

  test(`without the API in the plan, webhooks can only be deleted: ${locale}`, async ({ page, origin }) => {
    const world = new WebhooksWorld();
    world.inPlan = false;
    const section = await openSettings(page, origin, world, look);
    await expect(section).toContainText(t.not_in_plan);
    await expect(section.getByRole("link", { name: common.compare_plans })).toHaveAttribute("href", "/subscription#plans");
    await expect(section.getByRole("button", { name: t.add })).toBeDisabled();
    await expectAccessible(page);
    await section.getByRole("button", { name: named(t.delete, "n8n") }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: t.delete }).click();
    await expect(section.getByRole("heading", { name: "n8n" })).toHaveCount(0);
  });

  test(`a list that cannot be loaded says so: ${locale}`, async ({ page, origin }) => {
    const world = new WebhooksWorld();
    world.refusals.GET = { code: "internal", status: 500 };
    const section = await openSettings(page, origin, world, look);
    await expect(section.getByRole("alert")).toContainText(t.load_failed);
    await expectAccessible(page);
    await section.getByRole("button", { name: common.actions.try_again }).click();
    await expect(section).toContainText("n8n");
  });
}
