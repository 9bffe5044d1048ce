/** The log of sign-ins and its filter. The API is mocked. */
import type { Page } from "@playwright/test";
import type { SignIn, SignInPage } from "../../src/api/schema";
import { openAsAdmin } from "../admin-world";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale } from "../looks";
import { expect, expectAccessible } from "../test";
import { type Locale, textsOf } from "../texts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

const signIn = (n: number, change: Partial<SignIn>): SignIn => ({
  id: `01981d3e-0000-7000-8000-${String(n).padStart(12, "0")}`,
  account_id: null,
  address: "192.0.2.17",
  created_at: `2026-11-21T08:4${n}:00Z`,
  email: "olena.kovalenko@example.org",
  last_at: `2026-11-21T08:4${n}:00Z`,
  method: "password",
  outcome: "signed_in",
  times: 1,
  user_agent: FIREFOX,
  ...change,
});

const LOG: readonly SignIn[] = [
  signIn(1, {}),
  signIn(2, { outcome: "wrong_password", email: "t@e.org", address: "2001:db8::17", times: 14 }),
  signIn(3, { outcome: "provider_failed", method: "openid", email: "", address: "198.51.100.4", user_agent: "" }),
  signIn(4, { outcome: "limited", email: "", address: "", times: 320, user_agent: "" }),
];

/** Filters by search and outcome, like the server. */
async function open(page: Page, origin: string, locale: Locale) {
  const queries: Record<string, string>[] = [];
  await openAsAdmin(page, `${origin}/admin`, {}, { locale });
  await intercept(page, /\/api\/v1\/admin\/sign-ins(\?|$)/, (route) => {
    const query = Object.fromEntries(new URL(route.request().url()).searchParams);
    queries.push(query);
    const items = LOG.filter(
      ({ outcome, email }) => (!query.outcome || outcome === query.outcome) && (!query.search || email.includes(query.search)),
    );
    const counts = items.map(({ outcome, times }) => ({ outcome, times }));
    return route.fulfill({ json: { items, counts, next_cursor: null } satisfies SignInPage });
  });
  await page.goto(`${origin}/admin/sign-ins`);
  return queries;
}

for (const locale of eachLocale("uk")) {
  const t = textsOf(locale, "admin-sign-ins");

  test(`rows show user, origin, device and outcome (${locale})`, async ({ page, origin }) => {
    await open(page, origin, locale);
    const rows = page.getByRole("table", { name: t.title }).locator("tbody tr");
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(0)).toContainText("olena.kovalenko@example.org");
    await expect(rows.nth(0)).toContainText(t.outcomes.signed_in);
    await expect(rows.nth(0)).toContainText(t.methods.password);
    await expect(rows.nth(0)).toContainText("192.0.2.17");
    await expect(rows.nth(0)).toContainText("Firefox");
    await expect(rows.nth(1)).toContainText(t.outcomes.wrong_password);
    await expect(rows.nth(1)).toContainText(/14\s/);
    await expect(rows.nth(2)).toContainText(t.outcomes.provider_failed);
    await expect(rows.nth(2)).toContainText(t.unknown);
    await expect(rows.nth(3)).toContainText(t.somebody);
    await expect(rows.nth(3)).toContainText(t.many_addresses);
    for (const row of await rows.all()) await expect(row).toBeInViewport();
    await expect(page.locator("dl", { hasText: t.outcomes.limited })).toContainText("320");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });

  test(`the filter is applied, stored in the URL, and cleared (${locale})`, async ({ page, origin }) => {
    const queries = await open(page, origin, locale);
    const rows = page.getByRole("table", { name: t.title }).locator("tbody tr");
    await expect(rows).toHaveCount(4);
    await page.getByLabel(t.outcome, { exact: true }).selectOption({ label: t.outcomes.wrong_password });
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("t@e.org");
    await expect(page).toHaveURL(/outcome=wrong_password/);
    expect(queries.at(-1)).toMatchObject({ outcome: "wrong_password" });
    await page.reload();
    await expect(rows).toHaveCount(1);
    await expect(page.getByLabel(t.outcome, { exact: true })).toHaveValue("wrong_password");
    await page.getByRole("searchbox", { name: t.search }).fill("olena");
    await expect(page.getByText(t.nothing, { exact: true })).toBeVisible();
    await page.getByRole("main").getByRole("button", { name: t.clear }).last().click();
    await expect(rows).toHaveCount(4);
    await expect(page).toHaveURL(/\/admin\/sign-ins$/);
  });

  test(`on a phone they are cards (${locale})`, async ({ page, origin }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, origin, locale);
    const cards = page.getByRole("list", { name: t.title }).getByRole("listitem");
    await expect(cards).toHaveCount(4);
    await expect(cards.nth(1)).toContainText(t.outcomes.wrong_password);
    await expect(cards.nth(1)).toContainText("2001:db8::17");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });
}
