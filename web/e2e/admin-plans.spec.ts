/** /admin/subscriptions with the real server: plans are created, changed and deleted; requests are answered. */
import type { Page } from "@playwright/test";
import en from "../src/locales/en/admin-plans.json" with { type: "json" };
import commonEn from "../src/locales/en/common.json" with { type: "json" };
import audit from "../src/locales/uk/admin-audit.json" with { type: "json" };
import uk from "../src/locales/uk/admin-plans.json" with { type: "json" };
import common from "../src/locales/uk/common.json" with { type: "json" };
import problems from "../src/locales/uk/problems.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import subscription from "../src/locales/uk/subscription.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { eachLook, shoot } from "./looks";
import { clearPlans, givePlan, makePlan, PRO, STARTER, send, setDemo } from "./plans";
import { expect, expectAccessible, test } from "./test";

const TEXTS = { uk, en } as const;
const LOOKS = eachLook(
  [
    { locale: "uk", theme: "light", width: 1280 },
    { locale: "en", theme: "dark", width: 390 },
    { locale: "uk", theme: "dark", width: 390 },
    { locale: "en", theme: "light", width: 1280 },
  ] as const,
  1,
);

const dialog = (page: Page) => page.getByRole("dialog");
const card = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
const picture = async (page: Page, name: string, { locale, theme, width }: (typeof LOOKS)[number]) => {
  // Sticky elements would be in the wrong place in a screenshot of the whole page.
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, `e2e/shots/admin-plans/${name}-${locale}-${theme}-${width}.png`, { fullPage: true });
};

test.beforeEach(async ({ server, reader }) => clearPlans(server, reader));
// The server is shared with other tests.
test.afterEach(async ({ server, reader }) => clearPlans(server, reader));

test("a plan is created, changed and deleted", async ({ page, context, server, reader }) => {
  await signIn(context, reader);
  await page.goto(`${server.origin}/admin/subscriptions`);
  await expect(page.getByRole("heading", { name: "Управління підписками" })).toBeVisible();
  await expect(page.getByText("Підписки відсутні")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Створити тариф" }).click();
  const submit = dialog(page).getByRole("button", { name: uk.editor.create, exact: true });
  await dialog(page).getByLabel(uk.editor.price).fill("-1");
  await submit.click();
  await expect(dialog(page).getByText("Назва підписки обов’язкова")).toBeVisible();
  await expect(dialog(page).getByText(rules.violations.number_too_small.replace("{{min}}", "0"))).toBeVisible();
  await expect(dialog(page).getByLabel(uk.editor.name)).toBeFocused();
  await expect(dialog(page).getByLabel(uk.editor.currency)).toHaveAttribute("placeholder", "UAH");
  await expectAccessible(page);

  await dialog(page).getByLabel(uk.editor.name).fill("Студія");
  await dialog(page).getByLabel(uk.editor.description).fill("Для подкастів");
  await dialog(page).getByLabel(uk.editor.price).fill("199");
  await dialog(page).getByLabel(uk.editor.monthly).fill("600");
  await dialog(page).getByRole("checkbox", { name: rules.comparison_row.translation }).check();
  await dialog(page).getByLabel(uk.editor.speed).selectOption("ultra_fast");
  await submit.click();
  await expect(page.getByText("Підписку створено")).toBeVisible();
  await expect(card(page, "Студія")).toContainText(uk.active);
  await expect(card(page, "Студія")).toContainText("199");
  await expect(card(page, "Студія")).toContainText(rules.comparison.unlimited);

  await card(page, "Студія").getByRole("button", { name: uk.edit }).click();
  await expect(dialog(page).getByLabel(uk.editor.monthly)).toHaveValue("600");
  await expect(dialog(page).getByLabel(uk.editor.longest)).toHaveValue("");
  await dialog(page).getByLabel(uk.editor.monthly).fill("");
  await dialog(page).getByLabel(uk.editor.longest).fill("90");
  await dialog(page).getByRole("switch").click();
  await dialog(page).getByRole("button", { name: uk.editor.update }).click();
  await expect(page.getByText("Підписку оновлено")).toBeVisible();
  await expect(card(page, "Студія")).toContainText(uk.inactive);
  await expect(card(page, "Студія")).toContainText("90");

  await card(page, "Студія").getByRole("button", { name: uk.delete }).click();
  const question = page.getByRole("alertdialog", { name: "Видалити підписку?" });
  await expect(question).toContainText("Цю дію неможливо скасувати");
  await expectAccessible(page);
  await question.getByRole("button", { name: common.actions.cancel }).click();
  await expect(card(page, "Студія")).toBeVisible();
  await card(page, "Студія").getByRole("button", { name: uk.delete }).click();
  await question.getByRole("button", { name: uk.delete }).click();
  await expect(page.getByText("Підписку видалено")).toBeVisible();
  await expect(page.getByText("Підписки відсутні")).toBeVisible();
});

test("Escape asks before input is lost", async ({ page, context, server, reader }) => {
  await signIn(context, reader);
  await page.goto(`${server.origin}/admin/subscriptions`);
  const create = page.getByRole("button", { name: uk.create });
  await create.click();
  await dialog(page).getByLabel(uk.editor.name).fill("Недописане");
  await page.keyboard.press("Escape");
  await dialog(page).getByRole("button", { name: common.unsaved.stay }).click();
  await expect(dialog(page).getByLabel(uk.editor.name)).toHaveValue("Недописане");
  await page.keyboard.press("Escape");
  await dialog(page).getByRole("button", { name: common.unsaved.discard }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(create).toBeFocused();
});

const demoPanel = (page: Page, name = uk.demo.title) => page.getByRole("region", { name, exact: true });
const tooSmall = rules.violations.number_too_small.replace("{{min}}", "0");

/** /subscription of a user without a plan. */
const expectDemo = async (page: Page) => {
  const region = (name: string) => page.getByRole("region", { name, exact: true });
  const present = region(subscription.present.title);
  await expect(present).toContainText("Demo");
  await expect(present).toContainText("60\u00a0хв");
  await expect(present.getByText(rules.comparison.unlimited)).toHaveCount(1);
  await expect(present.getByRole("listitem").filter({ hasText: rules.comparison_row.translation })).toContainText(
    rules.comparison.no,
  );
  await expect(region(subscription.usage.title)).toContainText("60\u00a0хв");
};

test("limits without a plan are edited by keyboard, validated at their fields, and apply at once", async ({
  page,
  context,
  server,
  reader,
}) => {
  const user = await signUp(server);
  await signIn(context, reader);
  // It is also shown without any plans.
  await page.goto(`${server.origin}/admin/subscriptions`);
  await expect(page.getByText("Підписки відсутні")).toBeVisible();
  const unlimited = demoPanel(page).getByText(rules.comparison.unlimited);
  await expect(unlimited).toHaveCount(2);
  const edit = demoPanel(page).getByRole("button", { name: uk.edit });
  await edit.press("Enter");
  const monthly = dialog(page).getByLabel(uk.editor.monthly);
  const longest = dialog(page).getByLabel(uk.editor.longest);
  await expect(monthly).toBeFocused();
  await expectAccessible(page);

  // The server's refusal is shown at the field only.
  await page.keyboard.type("60");
  await page.keyboard.press("Tab");
  await page.keyboard.type("-1");
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/v1/admin/demo-plan"));
  await page.keyboard.press("Enter");
  expect((await answered).status()).toBe(422);
  await expect(longest).toBeFocused();
  await expect(longest).toHaveAccessibleDescription(new RegExp(tooSmall));
  await expect(page.getByText(tooSmall)).toHaveCount(1);
  await expect(monthly).not.toHaveAttribute("aria-invalid");
  await expectAccessible(page);
  await shoot(page, "e2e/shots/admin-plans/demo-refused.png");
  // An invalid number does not mean unlimited.
  await longest.fill("година");
  await page.keyboard.press("Enter");
  await expect(page.getByText(tooSmall)).toHaveCount(1);

  // Escape asks before input is lost.
  await page.keyboard.press("Escape");
  await expect(dialog(page).getByRole("button", { name: common.unsaved.stay })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(monthly).toHaveValue("60");
  await longest.fill("12,5");
  await page.keyboard.press("Tab");
  // Diarization stays, translation is removed.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(dialog(page).getByRole("checkbox", { name: rules.comparison_row.translation })).not.toBeChecked();
  await longest.press("Enter");
  await expect(page.getByText(uk.demo.saved)).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect(edit).toBeFocused();
  await expect(unlimited).toHaveCount(0);
  await expect(demoPanel(page)).toContainText("60\u00a0хв");
  await expect(demoPanel(page)).toContainText("12,5\u00a0хв");
  await expect(demoPanel(page).getByRole("listitem").filter({ hasText: rules.comparison_row.translation })).toContainText(
    rules.comparison.no,
  );

  // The next change keeps everything, and an empty field means unlimited.
  await edit.click();
  await expect(longest).toHaveValue("12.5");
  await longest.fill("");
  await dialog(page).getByRole("button", { name: uk.demo.save }).click();
  await expect(unlimited).toHaveCount(1);
  await shoot(page, "e2e/shots/admin-plans/demo-no-plans.png", { fullPage: true });
  expect(await send(server, reader, "GET", "/admin/demo-plan")).toEqual({
    monthly_minutes_limit: 60,
    max_file_duration_minutes: null,
    features: ["diarization", "realtime", "analytics", "api", "export_formats"],
  });

  // The administrator has no plan either; their own page is updated at once.
  await page.goto(`${server.origin}/subscription`);
  await expectDemo(page);
  await page.goto(`${server.origin}/admin/audit?action=plan.demo`);
  const entry = page.getByRole("row").filter({ hasText: uk.demo.title }).first();
  await expect(entry).toContainText(audit.actions.plan.demo);
  await expect(entry).toContainText(audit.targets.plan.demo);
  await expect(entry.locator("del")).toHaveText("12,5");
  // For a list, only the removed entries are shown.
  const earlier = page.getByRole("row").filter({ hasText: uk.demo.title }).nth(1);
  await expect(earlier.locator("del")).toHaveText(rules.comparison_row.translation);
  await expect(earlier.locator("ins")).toHaveText(["12,5", "60"]);
  await shoot(page, "e2e/shots/admin-plans/demo-audit.png");
  await expectAccessible(page);

  const other = await context.browser()?.newContext({ locale: "uk-UA" });
  if (!other) throw new Error("no browser");
  await signIn(other, user);
  const otherPage = await other.newPage();
  await otherPage.goto(`${server.origin}/subscription`);
  await expectDemo(otherPage);
  await expectAccessible(otherPage);
  await shoot(otherPage, "e2e/shots/admin-plans/demo-subscription.png", { fullPage: true });
  await other.close();
});

test("failures are explained", async ({ page, context, server, reader }) => {
  const user = await signUp(server);
  const plan = await makePlan(server, reader, PRO);
  await givePlan(server, reader, user, plan.id);
  await signIn(context, reader);
  await page.goto(`${server.origin}/admin/subscriptions`);
  const pro = card(page, PRO.name as string);
  await pro.getByRole("button", { name: uk.delete }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText(uk.delete_dialog.in_use_one.replace("{{count}}", "1"));
  await question.getByRole("button", { name: uk.delete }).click();
  await expect(page.getByText(`Помилка видалення: ${problems.codes.plan_in_use}`)).toBeVisible();
  await expect(pro).toBeVisible();

  // The response of a server with an external database.
  let refusal: object = {
    code: "validation_failed",
    status: 422,
    errors: [{ field: "", code: "plan_external_id_missing", params: {} }],
  };
  await page.route("**/api/v1/admin/plans/*", (route) => route.fulfill({ status: 422, json: refusal }));
  await pro.getByRole("button", { name: uk.edit }).click();
  await dialog(page).getByRole("button", { name: uk.editor.update }).click();
  await expect(dialog(page).getByText("Підписка не має NocoDB ID")).toBeVisible();
  refusal = { code: "plan_raced", status: 409 };
  await dialog(page).getByRole("button", { name: uk.editor.update }).click();
  await expect(dialog(page).getByText(`Помилка: ${problems.codes.plan_raced}`)).toBeVisible();

  await page.keyboard.press("Escape");
  const broken = { status: 500, json: { code: "internal", status: 500 } };
  await page.route("**/api/v1/admin/demo-plan", (route) => route.fulfill(broken));
  await demoPanel(page).getByRole("button", { name: uk.edit }).click();
  await dialog(page).getByRole("button", { name: uk.demo.save }).click();
  await expect(dialog(page).getByText(`Помилка: ${problems.codes.internal}`)).toBeVisible();

  await page.route("**/api/v1/admin/plans", (route) => route.fulfill(broken));
  await page.reload();
  await expect(page.getByRole("heading", { name: uk.demo.load_failed })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Помилка завантаження підписок" })).toBeVisible();
});

for (const look of LOOKS) {
  const t = TEXTS[look.locale];
  test(`plans and requests (${look.locale}, ${look.theme}, ${look.width})`, async ({ page, context, server, reader }) => {
    const [first, second] = [await signUp(server), await signUp(server)];
    const starter = await makePlan(server, reader, { ...STARTER, is_active: true });
    const pro = await makePlan(server, reader, PRO);
    await makePlan(server, reader, { ...PRO, name: "Архів 2025", description: "", price: 0, is_active: false, features: [] });
    await givePlan(server, reader, second, starter.id);
    await setDemo(server, reader, { monthly_minutes_limit: 60, max_file_duration_minutes: 15, features: ["realtime", "api"] });
    await send(server, first, "POST", "/me/plan-request", { plan_id: starter.id });
    await send(server, second, "POST", "/me/plan-request", { plan_id: pro.id, message: "Пишемо подкаст, потрібні мовці." });
    await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 800 });
    await signIn(context, reader, look);
    await page.goto(`${server.origin}/admin/subscriptions`);
    const list = page.getByRole("list", { name: t.title });
    await expect(list.getByRole("heading", { level: 3 })).toHaveText(["Архів 2025", PRO.name as string, STARTER.name as string]);
    const open = t === uk ? uk.open_requests_few : en.open_requests_other;
    await expect(page.getByRole("link", { name: open.replace("{{count}}", "2") })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await picture(page, "page", look);

    await page.getByRole("button", { name: t.create }).click();
    await expectAccessible(page);
    await shoot(page, `e2e/shots/admin-plans/editor-${look.locale}-${look.theme}-${look.width}.png`);
    await page.keyboard.press("Escape");
    await demoPanel(page, t.demo.title).getByRole("button", { name: t.edit }).click();
    await dialog(page).getByLabel(t.editor.longest).fill("-1");
    await dialog(page).getByRole("button", { name: t.demo.save }).click();
    await expect(dialog(page).getByLabel(t.editor.longest)).toBeFocused();
    await expectAccessible(page);
    await shoot(page, `e2e/shots/admin-plans/demo-${look.locale}-${look.theme}-${look.width}.png`);
    await page.keyboard.press("Escape");
    await dialog(page)
      .getByRole("button", { name: (t === uk ? common : commonEn).unsaved.discard })
      .click();

    const requestOf = (email: string) => page.getByRole("listitem").filter({ hasText: email });
    await expect(requestOf(second.user.email)).toContainText("Пишемо подкаст");
    await expect(requestOf(second.user.email)).toContainText(STARTER.name as string);
    await requestOf(second.user.email).getByLabel(t.requests.answer).fill("Прошу");
    await requestOf(second.user.email).getByRole("button", { name: t.requests.approve }).click();
    await expect(page.getByText(t.requests.approved)).toBeVisible();
    await expect(requestOf(second.user.email)).toContainText(t.requests.status.approved);
    await requestOf(first.user.email).getByRole("button", { name: t.requests.decline }).click();
    await expect(page.getByText(t.requests.nothing)).toBeVisible();
    await expect(requestOf(first.user.email)).toContainText(t.requests.status.declined);
    const { plan } = await send<{ plan: { name: string } | null }>(server, second, "GET", "/me/subscription");
    expect(plan?.name).toBe(PRO.name);
    await expectAccessible(page);
    await picture(page, "decided", look);
  });
}
