/** API keys: in the settings, in the administrators' list, and in the audit log. The API is mocked. */
import type { Page } from "@playwright/test";
import type { AuditEntry, AuditPage } from "../../src/api/schema";
import { signIn } from "../accounts";
import { ADMIN, openAsAdmin } from "../admin-world";
import { ApiKeysWorld, apiKey, KEYS, SECRET } from "../api-keys-world";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLook } from "../looks";
import { mockApi, SESSION, sessionOf } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { containing, type Locale, startingWith, textsOf, untilParameter } from "../texts";

interface Look {
  locale: Locale;
  theme: "light" | "dark";
  width: 390 | 1280;
}

const LOOKS: readonly Look[] = [
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
];

const filled = (text: string, values: Record<string, string>) =>
  Object.entries(values).reduce((whole, [name, value]) => whole.replace(`{{${name}}}`, value), text);

/** Nothing is wider than the window. */
async function expectNarrow(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

interface Opening extends Look {
  world: ApiKeysWorld;
  session?: typeof SESSION;
}

/** Opens the tab of the settings. */
async function openSettings(page: Page, origin: string, opening: Opening) {
  const { world, locale, theme, width, session = SESSION } = opening;
  await mockApi(page, { signedIn: true, jobs: [] });
  await intercept(page, "**/api/v1/auth/me", (route) => route.fulfill({ json: session.user }));
  await world.mock(page);
  await page.setViewportSize({ width, height: 844 });
  await signIn(page.context(), session, { locale, theme });
  await page.goto(`${origin}/settings?tab=api-keys`);
  return page.getByRole("region", { name: textsOf(locale, "api-keys").title, exact: true });
}

test("on a phone, all tabs of the settings fit in Ukrainian, too", async ({ page, origin }) => {
  const look: Look = { locale: "uk", theme: "dark", width: 390 };
  const section = await openSettings(page, origin, { ...look, world: new ApiKeysWorld() });
  await expect(section).toContainText("Home Assistant");
  await expectAccessible(page);
  for (const narrow of [390, 320]) {
    await page.setViewportSize({ width: narrow, height: 844 });
    await expectNarrow(page);
    for (const tab of await page.getByRole("tab").all()) await expect(tab).toBeInViewport({ ratio: 1 });
  }
});

/** Where the page could have kept a secret. */
const kept = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.cookie]),
  );

for (const look of eachLook(LOOKS, 1)) {
  const { locale, width } = look;
  const t = textsOf(locale, "api-keys");
  const { violations } = textsOf(locale, "rules");
  const { codes } = textsOf(locale, "problems");
  const { actions } = textsOf(locale, "common");

  test(`keys are listed, and revoked after a question: ${locale}`, async ({ page, origin }) => {
    const world = new ApiKeysWorld();
    const section = await openSettings(page, origin, { ...look, world });
    const rows = section.getByRole("list", { name: t.title }).locator("> li");
    await expect(rows).toHaveCount(KEYS.length);
    await expect(section.getByRole("link", { name: t.docs })).toHaveAttribute("href", "/docs/api");
    await expect(rows.nth(0)).toContainText("Архів <b>редакції</b>");
    await expect(rows.nth(0)).toContainText("slovo_…AbCd");
    await expect(rows.nth(0)).toContainText("2001:db8:85a3::8a2e:370:7334");
    await expect(rows.nth(0).getByRole("listitem")).toHaveText([t.scopes.read.name, t.scopes.transcribe.name]);
    await expect(rows.nth(0)).toContainText(untilParameter(t.expiry.until));
    await expect(rows.nth(1)).toContainText(untilParameter(t.expiry.soon));
    await expect(rows.nth(2)).toContainText(untilParameter(t.expiry.expired));
    await expect(rows.nth(2)).toContainText(t.used.never);
    await expect(rows.nth(3)).toContainText(t.expiry.never);
    await expectNarrow(page);
    await expectAccessible(page);

    const name = "Home Assistant";
    const button = section.getByRole("button", { name: filled(t.revoke.named, { name }), exact: true });
    const question = page.getByRole("alertdialog", { name: filled(t.revoke.question, { name }) });
    await button.press("Enter");
    await expect(question).toContainText(t.revoke.text);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    expect(world.asked).toEqual([]);

    world.refusals.DELETE = { code: "unavailable", status: 503 };
    await button.click();
    await question.getByRole("button", { name: t.revoke.action }).click();
    await expect(page.getByText(t.revoke.failed)).toBeVisible();
    await expect(rows).toHaveCount(KEYS.length);

    await button.click();
    await question.getByRole("button", { name: t.revoke.action }).click();
    await expect(rows).toHaveCount(KEYS.length - 1);
    await expect(page.getByText(t.revoke.done)).toBeVisible();
    await expect(section.getByRole("heading", { name: t.title })).toBeFocused();

    // One that was revoked elsewhere is gone, too.
    const old = { name: "Стара програма" };
    world.keys = world.keys.filter((key) => key.name !== old.name);
    world.refusals.DELETE = { code: "not_found", status: 404 };
    await section.getByRole("button", { name: filled(t.revoke.named, old) }).click();
    await expect(page.getByRole("alertdialog")).toContainText(t.revoke.text_expired);
    await page.getByRole("alertdialog").getByRole("button", { name: t.revoke.action }).click();
    await expect(rows).toHaveCount(KEYS.length - 2);
    expect(world.asked.map(({ method, path }) => method + path)).toEqual(["DELETE/k-soon", "DELETE/k-soon", "DELETE/k-old"]);
  });

  test(`a key is created by keyboard, and its secret shown once: ${locale}`, async ({ page, origin, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const world = new ApiKeysWorld();
    world.keys = [];
    const section = await openSettings(page, origin, { ...look, world });
    await expect(section).toContainText(t.empty);
    await expectAccessible(page);
    const open = section.getByRole("button", { name: t.new.open });
    await open.press("Enter");
    const dialog = page.getByRole("dialog", { name: t.new.title });
    const name = dialog.getByRole("textbox", { name: t.new.name });
    const password = dialog.getByLabel(t.new.password, { exact: true });
    const scope = (which: "read" | "transcribe") => dialog.getByRole("checkbox", { name: startingWith(t.scopes[which].name) });
    await expect(name).toBeFocused();
    await expect(dialog.getByRole("checkbox")).toHaveCount(3);
    await expect(scope("read")).toBeChecked();
    await expect(dialog.getByRole("combobox", { name: t.new.lifetime })).toHaveValue("90");
    await expectAccessible(page);

    // What the server refuses stands at its field.
    await scope("read").press("Space");
    world.refusals.POST = {
      code: "validation_failed",
      status: 422,
      errors: [
        { field: "name", code: "group_name_required", params: {} },
        { field: "scopes", code: "list_empty", params: {} },
        { field: "expires_in_days", code: "figure_out_of_range", params: { min: 1, max: 3650 } },
      ],
    };
    await name.press("Enter");
    await expect(name).toHaveAccessibleDescription(containing(violations.group_name_required));
    await expect(name).toBeFocused();
    await expect(scope("read")).toHaveAccessibleDescription(t.scopes.none);
    await expect(dialog.getByRole("combobox")).toHaveAccessibleDescription(containing("3650"));
    await expectAccessible(page);
    await page.keyboard.type("Розклад уроків");
    await expect(name).not.toHaveAccessibleDescription(containing(violations.group_name_required));

    world.refusals.POST = { code: "wrong_password", status: 403 };
    await scope("transcribe").press("Space");
    await name.press("Enter");
    await expect(password).toBeFocused();
    await expect(password).toHaveAccessibleDescription(containing(codes.wrong_password));
    await page.keyboard.type("Correct-horse-7");
    world.refusals.POST = { code: "too_many_api_keys", status: 409, params: { max: 50 } };
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText("50");
    await expectAccessible(page);

    await dialog.getByRole("combobox").selectOption("365");
    await dialog.getByRole("button", { name: t.new.submit }).press("Enter");
    const shown = page.getByRole("dialog", { name: t.created.title });
    const copy = shown.getByRole("button", { name: t.created.copy });
    await expect(copy).toBeFocused();
    await expect(copy).toHaveAccessibleDescription(t.created.once);
    const secret = shown.getByRole("textbox", { name: t.created.secret });
    await expect(secret).toHaveValue(SECRET);
    await expect(secret).not.toBeEditable();
    // A key that cannot read has no example that reads.
    await expect(shown).not.toContainText("curl");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(page.getByText(t.created.copied)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(SECRET);
    expect(world.asked.at(-1)?.body).toEqual({
      name: "Розклад уроків",
      scopes: ["transcribe"],
      expires_in_days: 365,
      password: "Correct-horse-7",
    });

    // It is nowhere but in this dialog, which a click beside it does not close.
    if (width === 1280) await page.mouse.click(20, 400);
    await expect(secret).toHaveValue(SECRET);
    expect(await kept(page)).not.toContain(SECRET);
    await shown.getByRole("button", { name: t.created.done }).press("Enter");
    await expect(shown).toBeHidden();
    await expect(open).toBeFocused();
    await expect(section).toContainText("Розклад уроків");
    await expect(section).toContainText(`slovo_…${SECRET.slice(-4)}`);
    expect(await page.content()).not.toContain(SECRET);
    expect(await kept(page)).not.toContain(SECRET);
    await open.click();
    await expect(name).toHaveValue("");
    await expect(password).toHaveValue("");
    await expect(page.getByText(SECRET)).toHaveCount(0);
  });

  test(`an administrator's key without a password and without an end, with an example: ${locale}`, async ({
    page,
    origin,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const world = new ApiKeysWorld();
    const { user, ...rest } = sessionOf({ signedIn: true, jobs: [], hasPassword: false });
    const session = { ...rest, user: { ...user, role: ADMIN.user.role } };
    const section = await openSettings(page, origin, { ...look, world, session });
    await section.getByRole("button", { name: t.new.open }).click();
    const dialog = page.getByRole("dialog", { name: t.new.title });
    await expect(dialog.getByLabel(t.new.password, { exact: true })).toHaveCount(0);
    await dialog.getByRole("textbox", { name: t.new.name }).fill("curl");
    await dialog.getByRole("checkbox", { name: startingWith(t.scopes.admin.name) }).click();
    await dialog.getByRole("combobox").selectOption(t.lifetimes.never);
    await dialog.getByRole("button", { name: t.new.submit }).click();
    const shown = page.getByRole("dialog", { name: t.created.title });
    const command = `curl -H "Authorization: Bearer ${SECRET}" ${origin}/api/v1/jobs`;
    await expect(shown).toContainText(command);
    await expectNarrow(page);
    await expectAccessible(page);
    await shown.getByRole("button", { name: t.created.copy_example }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    expect(world.asked.at(-1)?.body).toEqual({ name: "curl", scopes: ["read", "admin"], expires_in_days: null });
    await page.keyboard.press("Escape");
    await expect(shown).toBeHidden();
  });

  test(`without the API in the plan, keys can only be revoked: ${locale}`, async ({ page, origin }) => {
    const world = new ApiKeysWorld();
    world.inPlan = false;
    const section = await openSettings(page, origin, { ...look, world });
    await expect(section).toContainText(t.not_in_plan);
    const plans = section.getByRole("link", { name: textsOf(locale, "common").compare_plans });
    await expect(plans).toHaveAttribute("href", "/subscription#plans");
    await expect(section.getByRole("button", { name: t.new.open })).toBeDisabled();
    await expectAccessible(page);
    await section.getByRole("button", { name: filled(t.revoke.named, { name: "Home Assistant" }) }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: t.revoke.action }).click();
    await expect(section.getByText("Home Assistant")).toHaveCount(0);
  });

  test(`a list that cannot be loaded says so: ${locale}`, async ({ page, origin }) => {
    const world = new ApiKeysWorld();
    world.refusals.GET = { code: "internal", status: 500 };
    const section = await openSettings(page, origin, { ...look, world });
    await expect(section.getByRole("alert")).toContainText(t.load_failed);
    await expectAccessible(page);
    await section.getByRole("button", { name: actions.try_again }).click();
    await expect(section).toContainText("Home Assistant");
  });

  test(`an administrator finds and revokes anybody's key: ${locale}`, async ({ page, origin }) => {
    const world = new ApiKeysWorld();
    world.owned = KEYS.map((key, at) => ({ user_id: `u-${at}`, email: at < 3 ? "olena@example.org" : "t@e.org", key }));
    await page.setViewportSize({ width, height: 844 });
    await openAsAdmin(page, `${origin}/admin`, { "sign-ins": { items: [], counts: [], next_cursor: null } }, look);
    await world.mock(page);
    await page.goto(`${origin}/admin/sign-ins`);
    const signIns = textsOf(locale, "admin-sign-ins");
    await page.getByRole("tab", { name: signIns.tabs["api-keys"] }).click();
    await expect(page).toHaveURL(/\/admin\/sign-ins\?tab=api-keys$/);
    const list = page.getByRole(width === 1280 ? "table" : "list", { name: t.title, exact: true });
    const rows = list.locator(width === 1280 ? "tbody > tr" : "> li");
    await expect(rows).toHaveCount(2);
    await page.getByRole("button", { name: t.admin.more }).click();
    await expect(rows).toHaveCount(4);
    expect(world.queries.at(-1)).toEqual({ cursor: "2" });
    await expect(rows.nth(0)).toContainText("olena@example.org");
    await expect(rows.nth(0)).toContainText("slovo_…AbCd");
    await expect(rows.nth(3)).toContainText(t.scopes.admin.name);
    await expectNarrow(page);
    await expectAccessible(page);

    await page.getByRole("searchbox", { name: t.admin.search }).fill("t@e");
    await expect(rows).toHaveCount(1);
    await expect(page).toHaveURL(/tab=api-keys&q=t%40e$/);
    await page.reload();
    await expect(rows).toHaveCount(1);
    await list.getByRole("button").press("Enter");
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText("t@e.org");
    await expectAccessible(page);
    await question.getByRole("button", { name: t.revoke.action }).click();
    await expect(page.getByText(t.admin.nothing, { exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: t.title, exact: true })).toBeFocused();
    expect(world.asked.map(({ method, path }) => method + path)).toEqual(["DELETE/k-admin"]);
    await expectAccessible(page);
    await page.getByRole("main").getByRole("button", { name: t.admin.clear_search }).last().click();
    await expect(rows).toHaveCount(2);
    await page.getByRole("tab", { name: signIns.tabs["sign-ins"] }).click();
    await expect(page).toHaveURL(/\/admin\/sign-ins$/);
    await expect(page.getByText(signIns.empty, { exact: true })).toBeVisible();
  });

  test(`the audit log names the key of a program: ${locale}`, async ({ page, origin }) => {
    const entry = (n: number, api_key: string | null): AuditEntry => ({
      id: `01981d3e-0000-7000-8000-${String(n).padStart(12, "0")}`,
      action: "user.revoke_key",
      actor_email: "olena@example.org",
      actor_id: null,
      api_key,
      before: { name: apiKey("k", "Home Assistant").name },
      after: null,
      created_at: `2026-11-21T08:4${n}:00Z`,
      target_id: "u-1",
      target_kind: "user",
      target_name: "t@e.org",
    });
    const items = [entry(1, "Нічна <i>перевірка</i>"), entry(2, null)];
    await page.setViewportSize({ width, height: 844 });
    await openAsAdmin(page, `${origin}/admin`, { audit: { items, next_cursor: null } satisfies AuditPage }, look);
    await page.goto(`${origin}/admin/audit`);
    const via = textsOf(locale, "admin-audit").via_key;
    await expect(page.getByText(filled(via, { name: "Нічна <i>перевірка</i>" }))).toHaveCount(1);
    await expect(page.getByText(untilParameter(via))).toHaveCount(1);
    await expectAccessible(page);
  });
}
