/** The administrators' overview: how it is reached, and its empty state. The API is mocked; the page is the built one. */
import type { Page } from "@playwright/test";
import { openAsAdmin, overviewOf } from "../admin-world";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale } from "../looks";
import { mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { textsOf } from "../texts";

const figures = (page: Page) => page.getByRole("main").getByRole("figure");

for (const locale of eachLocale("en")) {
  const t = textsOf(locale, "admin-overview");
  test(`without data it shows a text instead of empty charts (${locale})`, async ({ page, origin }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const answers: Record<string, unknown> = { overview: overviewOf({ jobs: 0, made: 0 }) };
    await openAsAdmin(page, `${origin}/admin/overview`, answers, { locale, theme: locale === "uk" ? "light" : "dark" });
    await expect(page.getByRole("heading", { name: t.nothing.title })).toBeVisible();
    await expect(page.getByText(t.nothing.text)).toBeVisible();
    await expect(figures(page)).toHaveCount(0);
    await expect(page.getByTestId("users")).toHaveText("1");
    await expectAccessible(page);

    // There are jobs, but none in these days.
    answers.overview = overviewOf({ jobs: 12, made: 0 });
    await page.getByRole("button", { name: t.days_7 }).click();
    await expect(page.getByRole("heading", { name: t.nothing.period_title })).toBeVisible();
    await expect(figures(page)).toHaveCount(0);

    answers.overview = overviewOf({ jobs: 12, made: 3 });
    await page.getByRole("button", { name: t.days_90 }).click();
    await expect(figures(page)).toHaveCount(5);
    await expect(page.getByRole("heading", { name: t.nothing.period_title })).toHaveCount(0);
  });
}

test("/admin opens it for administrators", async ({ page, origin }) => {
  const t = textsOf("uk", "shell");
  await openAsAdmin(page, `${origin}/admin`, { overview: overviewOf({ jobs: 0, made: 0 }) });
  await expect(page.getByTestId("users")).toBeVisible();
  await expect(page).toHaveURL(`${origin}/admin/overview`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t.titles.admin_overview);
});

test("/admin redirects other users like all administrators' pages", async ({ page, origin }) => {
  const t = textsOf("uk", "shell");
  await mockApi(page, { signedIn: true, jobs: [] });
  await intercept(page, "**/api/v1/auth/me", (route) => route.fulfill({ json: SESSION.user }));
  await page.addInitScript((session) => {
    localStorage.setItem("slovo.session", session);
    localStorage.setItem("slovo.locale", "uk");
  }, JSON.stringify(SESSION));
  await page.goto(`${origin}/admin`);
  await expect(page.getByText(t.admin.denied)).toBeVisible();
  await expect(page).toHaveURL(`${origin}/dashboard`);
});
