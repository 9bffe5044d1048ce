/** The card of the external database on /admin/config, with a separate server and a fake NocoDB. */
import { test as base, type Page } from "@playwright/test";
import type { Session } from "../src/api/schema";
import en from "../src/locales/en/admin-nocodb.json" with { type: "json" };
import uk from "../src/locales/uk/admin-nocodb.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { eachLook, shoot } from "./looks";
import { BASE, type Nocodb, startNocodb, TOKEN } from "./nocodb-fake";
import { Server } from "./server";
import { expect, expectAccessible } from "./test";

/** Prefix of the titles of tests that choose language and theme themselves. */
const LOOK = "the card is readable";

interface NocodbFixtures {
  nocodb: Nocodb;
  server: Server;
  admin: Session;
}

const test = base.extend<object, NocodbFixtures>({
  nocodb: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const nocodb = await startNocodb();
      await use(nocodb);
      nocodb.stop();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ nocodb: _ }, use) => {
      const server = await Server.start({ SLOVO_NOCODB_TOKEN: TOKEN, SLOVO_NOCODB_REQUESTS_PER_SECOND: "100" });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  admin: [async ({ server }, use) => use(await signUp(server)), { scope: "worker", auto: true }],
});

const card = (page: Page, texts: typeof uk | typeof en = uk) => page.getByRole("region", { name: texts.title, exact: true });
const button = (page: Page, name: string) => card(page).getByRole("button", { name, exact: true });

async function fill(page: Page, url: string, project: string) {
  await card(page).getByLabel(uk.api_url).fill(url);
  await card(page).getByLabel(uk.project_id).fill(project);
}

async function save(page: Page) {
  await button(page, uk.save).click();
  await expect(page.getByText(uk.saved).last()).toBeVisible();
  await expect(card(page).getByText(uk.unsaved)).toHaveCount(0);
}

test("it is configured, tested, prepared and synchronised, and every failure is explained", async ({
  page,
  context,
  server,
  nocodb,
  admin,
}) => {
  await signIn(context, admin);
  await page.goto(`${server.origin}/admin/config?section=nocodb`);
  await expect(card(page).getByText(uk.token_configured)).toBeVisible();
  await expect(card(page).getByText(uk.state.off)).toBeVisible();
  await expect(button(page, uk.save)).toHaveCount(0);
  await expect(button(page, uk.test)).toBeDisabled();
  await expect(button(page, uk.sync)).toBeDisabled();

  await fill(page, "nowhere", "../x");
  await expect(card(page).getByText(uk.unsaved)).toBeVisible();
  await expect(button(page, uk.test)).toBeDisabled();
  await button(page, uk.save).click();
  await expect(card(page).getByLabel(uk.api_url)).toBeFocused();
  await expect(card(page).getByLabel(uk.project_id)).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);

  await fill(page, "http://127.0.0.1:1", BASE);
  await save(page);
  await button(page, uk.test).click();
  await expect(page.getByText(`Помилка з’єднання: ${uk.hints.refused}`)).toBeVisible();
  await expect(card(page).getByText(uk.hints.refused)).toBeVisible();
  await expect(card(page).getByText(uk.state.fails, { exact: true })).toBeVisible();

  await fill(page, `${nocodb.url}/`, BASE);
  await expect(card(page).getByText(uk.hints.refused)).toHaveCount(0);
  await save(page);
  await expect(card(page).getByLabel(uk.api_url)).toHaveValue(nocodb.url);
  await button(page, uk.test).click();
  await expect(card(page).getByText(uk.hints.schema)).toBeVisible();
  await expect(card(page).getByText("synced_users", { exact: false }).first()).toBeVisible();
  await expectAccessible(page);
  await button(page, uk.prepare).click();
  await expect(page.getByText("З’єднання працює: знайдено 7 таблиць")).toBeVisible();
  await expect(button(page, uk.prepare)).toHaveCount(0);

  nocodb.state.pause = 150;
  await button(page, uk.sync).click();
  await expect(card(page).getByRole("button", { name: uk.syncing })).toBeVisible();
  await expect(button(page, uk.test)).toBeDisabled();
  await expect(page.getByText("Синхронізовано. Завдання: 0, результати: 0")).toBeVisible({ timeout: 30_000 });
  nocodb.state.pause = 0;
  await expect(card(page).getByText(uk.status.succeeded)).toBeVisible();

  nocodb.insert("synced_users", { email: "nobody" });
  await button(page, uk.sync).click();
  await expect(page.getByText(`Синхронізація з помилками: ${uk.hints.partial}`)).toBeVisible({ timeout: 30_000 });
  await expect(card(page).getByText(uk.row_problems.invalid)).toBeVisible();
  await expectAccessible(page);
});

test("unsaved changes are confirmed before leaving", async ({ page, context, server, admin }) => {
  await signIn(context, admin);
  await page.goto(`${server.origin}/admin/config?section=nocodb`);
  await card(page).getByLabel(uk.project_id).fill("another");
  await page.getByRole("link", { name: "Користувачі" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/config/);
});

for (const { locale, theme, width } of eachLook(
  [
    { locale: "uk", theme: "light", width: 1280 },
    { locale: "en", theme: "dark", width: 390 },
    { locale: "uk", theme: "dark", width: 1280 },
    { locale: "en", theme: "light", width: 390 },
  ] as const,
  1,
)) {
  test(`${LOOK}: ${locale}, ${theme}, ${width}`, async ({ page, server, context, admin, nocodb }) => {
    await signIn(context, admin, { locale, theme });
    await page.setViewportSize({ width, height: 900 });
    const texts = locale === "uk" ? uk : en;
    const place = { api_url: nocodb.url, project_id: BASE };
    const headers = { authorization: `Bearer ${admin.access_token}` };
    for (const [method, path, data] of [
      ["PUT", "", place],
      ["POST", "/prepare", {}],
      ["POST", "/sync", {}],
    ] as const) {
      await page.request.fetch(`${server.origin}/api/v1/admin/nocodb${path}`, { method, headers, data });
    }
    await page.goto(`${server.origin}/admin/config?section=nocodb`);
    await expect(card(page, texts).getByText(texts.result.success)).toBeVisible();
    await expect(card(page, texts).getByText(texts.run.title)).toBeVisible({ timeout: 30_000 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await shoot(card(page, texts), `test-results/admin-nocodb-${locale}-${theme}-${width}.png`);
  });
}
