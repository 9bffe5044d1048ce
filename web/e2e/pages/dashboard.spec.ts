/** The dashboard's cards and ways, and the palette over it. The API is mocked; the page is the built one. */
import type { Page } from "@playwright/test";
import commonEn from "../../src/locales/en/common.json" with { type: "json" };
import textsEn from "../../src/locales/en/dashboard.json" with { type: "json" };
import shellEn from "../../src/locales/en/shell.json" with { type: "json" };
import commonUk from "../../src/locales/uk/common.json" with { type: "json" };
import textsUk from "../../src/locales/uk/dashboard.json" with { type: "json" };
import shellUk from "../../src/locales/uk/shell.json" with { type: "json" };
import { test } from "../built-page";
import { JOBS, MINUTES, mockApi, SESSION, SUBSCRIPTION } from "../mock-api";
import { expect, expectAccessible } from "../test";

type Locale = "uk" | "en";
const TEXTS = {
  uk: { ...textsUk, common: commonUk, shell: shellUk },
  en: { ...textsEn, common: commonEn, shell: shellEn },
} as const;

async function open(page: Page, origin: string, locale: Locale = "uk") {
  await page.addInitScript(
    ([session, language]) => {
      if (sessionStorage.getItem("seen")) return;
      sessionStorage.setItem("seen", "1");
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(SESSION), locale] as const,
  );
  await page.goto(`${origin}/dashboard`);
}

test.beforeEach(async ({ page }) => mockApi(page, { signedIn: true, jobs: JOBS }));

for (const locale of ["uk", "en"] as const) {
  const t = TEXTS[locale];
  test(`minutes, plan, the newest and the ways from here (${locale})`, async ({ page, origin }) => {
    await open(page, origin, locale);
    const left = page.getByRole("region", { name: t.left.title });
    await expect(left).toContainText("187");
    await expect(left.getByRole("progressbar", { name: t.left.bar })).toHaveAttribute("aria-valuenow", "412.4");
    const plan = page.getByRole("region", { name: t.plan.title });
    await expect(plan).toContainText("Студія");
    await expect(plan).toContainText("199");
    await expect(plan.getByRole("link", { name: t.plan.upgrade })).toHaveAttribute("href", "/subscription#plans");
    const recent = page.getByRole("region", { name: t.recent });
    await expect(recent.getByRole("listitem")).toHaveCount(10);
    await expect(recent.getByRole("link", { name: JOBS[5]?.original_filename ?? "" })).toHaveAttribute(
      "href",
      `/transcription/${JOBS[5]?.my_job_id}`,
    );
    const ways = page.getByRole("navigation", { name: t.ways.label });
    await expect(ways.getByRole("link", { name: t.common.new_transcription })).toHaveAttribute("href", "/upload");
    await expect(ways.getByRole("link", { name: t.ways.settings })).toHaveAttribute("href", "/profile");
    await expectAccessible(page);
    await ways.getByRole("button", { name: t.ways.sign_out }).click();
    await expect(page).toHaveURL(/\/login$/);
  });

  test(`the palette reaches pages, actions and what was said (${locale})`, async ({ page, origin }) => {
    // The transcript's page is not looked at here: one without its job would lead back.
    await page.route(/\/api\/v1\/jobs\/[\w-]{36}/, () => undefined);
    await open(page, origin, locale);
    await expect(page.getByRole("heading", { name: t.recent })).toBeVisible();
    await page.keyboard.press("Control+k");
    const box = page.getByRole("combobox", { name: t.shell.palette.placeholder });
    await expect(box).toBeFocused();
    await expectAccessible(page);
    await box.fill(t.shell.nav.presets);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/presets$/);

    await page.keyboard.press("Control+k");
    await box.fill("музей");
    const said = page.getByRole("option").filter({ hasText: "0:12" }).first();
    await expect(said.locator("mark")).toHaveText("музей");
    await said.click();
    await expect(page).toHaveURL(/\/transcription\/[\w-]+\?t=12$/);

    await page.keyboard.press("Control+k");
    await box.fill(t.common.theme.dark);
    await page.keyboard.press("Enter");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    await expect(box).toBeHidden();
  });
}

test("without a plan it is Demo, free and without a limit", async ({ page, origin }) => {
  const minutes = { ...MINUTES, plan: null, limit: null, left: null, used: 0 };
  await page.route("**/api/v1/me/subscription", (route) =>
    route.fulfill({ json: { ...SUBSCRIPTION, plan: null, minutes } satisfies typeof SUBSCRIPTION }),
  );
  await open(page, origin);
  const plan = page.getByRole("region", { name: textsUk.plan.title });
  await expect(plan).toContainText("Demo");
  await expect(plan).toContainText(textsUk.plan.free);
  const used = page.getByRole("region", { name: textsUk.left.used });
  await expect(used).toContainText("0");
  await expect(used).toContainText(textsUk.left.no_limit);
});

test("a failure to load is named, and can be tried again", async ({ page, origin }) => {
  let broken = true;
  await page.route("**/api/v1/jobs?**", (route) =>
    broken ? route.fulfill({ status: 500, json: { code: "internal", status: 500 } }) : route.fallback(),
  );
  await open(page, origin);
  await expect(page.getByRole("heading", { name: "Не вдалося завантажити дані" })).toBeVisible();
  broken = false;
  await page.getByRole("button", { name: commonUk.actions.try_again }).click();
  await expect(page.getByRole("heading", { name: textsUk.recent })).toBeVisible();
});
