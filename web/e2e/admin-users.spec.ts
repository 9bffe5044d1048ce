/** /admin/users with the real server: search, filters, plans, minutes and roles. */
import type { Page } from "@playwright/test";
import { signIn, signUp } from "./accounts";
import { eachLocale, eachLook, shoot } from "./looks";
import type { Server } from "./server";
import { expect, expectAccessible, test } from "./test";
import { textsOf, untilParameter } from "./texts";

const row = (page: Page, email: string) => page.getByRole("row").filter({ hasText: email });
const dialog = (page: Page) => page.getByRole("dialog");
const open = (page: Page, action: string, email: string) =>
  page.getByRole("button", { name: `${action}: ${email}`, exact: true }).click();

async function asAdmin(server: Server, token: string, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${server.origin}/api/v1/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Creates it once; the tests of a worker share a server. */
async function plan(server: Server, token: string) {
  const form = { name: "Читацький", price: 250, currency: "UAH", monthly_minutes_limit: 120, max_file_duration_minutes: 60 };
  const { plans } = (await asAdmin(server, token, "GET", "plans")) as { plans: { name: string; id: string }[] };
  const chosenPlan = plans.find(({ name }) => name === form.name);
  return chosenPlan ?? ((await asAdmin(server, token, "POST", "plans", form)) as { name: string; id: string });
}

for (const locale of eachLocale("en")) {
  const texts = textsOf(locale, "admin");
  const point = locale === "uk" ? "," : ".";

  test(`a user is found, filtered, given a plan and a role, and deleted (${locale})`, async ({
    page,
    context,
    server,
    reader,
  }) => {
    const { user } = await signUp(server);
    const { name } = await plan(server, reader.access_token);
    await signIn(context, reader, { locale });
    let dialogs = 0;
    page.on("dialog", (browsers) => {
      dialogs += 1;
      void browsers.dismiss();
    });
    await page.goto(`${server.origin}/admin/users`);
    await page.getByLabel(texts.search).fill(user.email.toUpperCase());
    await expect(page.getByRole("row")).toHaveCount(2);
    await expect(row(page, user.email)).toContainText(texts.no_plan);
    await expect(row(page, user.email)).toContainText(texts.status.active);
    await expectAccessible(page);
    await page.getByLabel(texts.columns.status, { exact: true }).selectOption("blocked");
    await expect(page.getByText(texts.nothing)).toBeVisible();
    await page.reload();
    await expect(page.getByText(texts.nothing)).toBeVisible();
    await page.getByLabel(texts.columns.status, { exact: true }).selectOption("active");
    await page.getByLabel(texts.columns.role, { exact: true }).selectOption("user");
    await expect(row(page, user.email)).toBeVisible();

    await open(page, texts.edit, user.email);
    await expect(dialog(page).getByLabel(texts.columns.email)).toHaveAttribute("readonly", "");
    await dialog(page).getByLabel(texts.columns.plan, { exact: true }).selectOption({ label: "Читацький - 250 UAH" });
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: texts.editor.save }).click();
    await expect(page.getByText(texts.plan_updated)).toBeVisible();
    await expect(row(page, user.email).getByRole("cell").nth(2)).toHaveText(name);
    await page.getByLabel(texts.columns.plan, { exact: true }).selectOption({ label: texts.without_plan });
    await expect(row(page, user.email)).toHaveCount(0);
    await page.getByLabel(texts.columns.plan, { exact: true }).selectOption({ label: name });
    await expect(row(page, user.email)).toBeVisible();

    await open(page, texts.edit, user.email);
    await expect(dialog(page)).toContainText(texts.changes.plan);
    await dialog(page).getByRole("button", { name: texts.make_admin }).click();
    await dialog(page).getByRole("button", { name: texts.make_yes }).click();
    await expect(page.getByText(texts.role_changed)).toBeVisible();
    await page.keyboard.press("Escape");
    // The filter hides administrators.
    await expect(row(page, user.email)).toHaveCount(0);

    await page.getByLabel(texts.columns.role, { exact: true }).selectOption("");
    await open(page, texts.edit, user.email);
    await dialog(page)
      .getByRole("button", { name: `${texts.account.delete}: ${user.email}`, exact: true })
      .click();
    const question = page.getByRole("alertdialog", { name: texts.account.delete_question });
    await expect(question).toContainText(user.email);
    await expect(question.getByRole("button", { name: texts.account.archive })).toBeVisible();
    await expectAccessible(page);
    await question.getByRole("button", { name: texts.account.delete_yes }).click();
    await expect(page.getByText(texts.account.deleted)).toBeVisible();
    await expect(row(page, user.email)).toHaveCount(0);
    expect(dialogs, "by the product, never by the browser").toBe(0);
  });

  test(`minutes are corrected with a reason (${locale})`, async ({ page, context, server, reader }) => {
    const { user } = await signUp(server);
    const { id } = await plan(server, reader.access_token);
    await asAdmin(server, reader.access_token, "PUT", `users/${user.id}/plan`, { plan_id: id });
    await signIn(context, reader, { locale });
    await page.goto(`${server.origin}/admin/users?q=${user.email}`);
    await open(page, texts.balance.open, user.email);
    await expect(dialog(page).getByRole("heading", { name: texts.balance.title })).toBeVisible();
    const apply = dialog(page).getByRole("button", { name: texts.balance.apply });
    await expect(apply).toBeDisabled();
    await expectAccessible(page);
    await dialog(page).getByLabel(texts.balance.reason).fill("Збій минулого тижня");
    await dialog(page).getByLabel(texts.balance.minutes).fill("-1");
    await apply.click();
    await expect(dialog(page).getByLabel(texts.balance.minutes)).toBeFocused();
    await expect(dialog(page).getByText(untilParameter(textsOf(locale, "rules").violations.number_too_small))).toBeVisible();
    await dialog(page).getByLabel(texts.balance.minutes).fill("12.5");
    await expect(dialog(page).getByText(`120 → 132${point}5`)).toBeVisible();
    await expect(dialog(page).getByText(untilParameter(texts.balance.lapses))).toBeVisible();
    await apply.click();
    await expect(page.getByText(texts.balance.updated)).toBeVisible();
    await open(page, texts.edit, user.email);
    await expect(dialog(page).getByRole("listitem").filter({ hasText: "Збій минулого тижня" })).toContainText(`+12${point}5`);
  });
}

const LOOKS = [
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
  { locale: "en", theme: "light", width: 1920 },
  { locale: "uk", theme: "dark", width: 390 },
] as const;

for (const { locale, theme, width } of eachLook(LOOKS, 1)) {
  test(`screenshots: ${locale} ${theme} ${width}`, async ({ page, context, server, reader }) => {
    const t = textsOf(locale, "admin");
    const shot = (name: string) => shoot(page, `e2e/shots/admin-users/${name}-${locale}-${theme}-${width}.png`);
    await plan(server, reader.access_token);
    const { user } = await signUp(server);
    await page.setViewportSize({ width, height: width < 500 ? 844 : 800 });
    await signIn(context, reader, { locale, theme });
    await page.goto(`${server.origin}/admin/users`);
    await expect(page.getByText(user.email, { exact: true })).toBeVisible();
    await expectAccessible(page);
    await shot("list");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await open(page, t.balance.open, user.email);
    await expect(dialog(page).getByText(t.minutes.left)).toBeVisible();
    await expectAccessible(page);
    await shot("balance");
    await page.keyboard.press("Escape");
    await open(page, t.edit, user.email);
    await expect(dialog(page).getByText(t.history.title)).toBeVisible();
    await expectAccessible(page);
    await shot("edit");
  });
}
