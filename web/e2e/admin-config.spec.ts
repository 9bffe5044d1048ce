/** /admin/config with a separate server: models, the analysis endpoint, mail, limits and switches, the checklist. */
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, type Page } from "@playwright/test";
import type { Session } from "../src/api/schema";
import en from "../src/locales/en/admin-config.json" with { type: "json" };
import uk from "../src/locales/uk/admin-config.json" with { type: "json" };
import setup from "../src/locales/uk/admin-setup.json" with { type: "json" };
import auth from "../src/locales/uk/auth.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { listen } from "./built-page";
import { eachLook, shoot } from "./looks";
import { freePort, MODELS, Server } from "./server";
import { expect, expectAccessible } from "./test";

const KEY = "sk-secret-of-the-test";
/** An unused model. */
const MODEL = "tiny";
/** Prefix of the titles of tests that choose language and theme themselves. */
const LOOK = "the page is readable";

interface ConfigFixtures {
  /** Sends models byte by byte until it is stopped. */
  hub: Hub;
  /** Responds like a chat endpoint with one model. */
  llm: string;
  server: Server;
  admin: Session;
}

interface Hub {
  url: string;
  /** Aborts all transfers from now on. */
  refuse: () => void;
}

/** A copy of the machine's folder of models, so that an aborted download does not change the original. */
function borrowedModels(): string {
  const folder = mkdtempSync(join(tmpdir(), "slovo-models-"));
  const completeFiles = existsSync(MODELS) ? readdirSync(MODELS).filter((name) => !name.endsWith(".part")) : [];
  for (const name of completeFiles) symlinkSync(join(MODELS, name), join(folder, name));
  return folder;
}

const test = base.extend<object, ConfigFixtures>({
  hub: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      let refused = false;
      const http = createServer((_request, response) => {
        if (refused) return response.writeHead(503).end();
        response.writeHead(200, { "content-type": "application/octet-stream", "content-length": 77_000_000 });
        response.write(Buffer.alloc(9_000_000));
      });
      await use({
        url: await listen(http),
        refuse: () => {
          refused = true;
          http.closeAllConnections();
        },
      });
      http.closeAllConnections();
      http.close();
    },
    { scope: "worker" },
  ],
  llm: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const http = createServer((request, response) => {
        response.setHeader("content-type", "application/json");
        if (request.url === "/v1/models") return response.end(JSON.stringify({ data: [{ id: "llama-3" }] }));
        let body = "";
        request.on("data", (piece) => (body += piece));
        request.on("end", () => {
          const known = JSON.parse(body).model === "llama-3";
          response.writeHead(known ? 200 : 404).end(JSON.stringify({ choices: [{ message: { content: "H" } }] }));
        });
      });
      await use(`${await listen(http)}/v1`);
      http.close();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ hub }, use) => {
      const models = borrowedModels();
      const server = await Server.start({
        SLOVO_MODELS: models,
        HF_ENDPOINT: hub.url,
        SLOVO_MODELS_SOURCE: "hub",
        ANALYSIS_URL: `http://127.0.0.1:${await freePort()}/v1`,
        ANALYSIS_MODEL: "configured",
        ANALYSIS_API_KEY: KEY,
      });
      await use(server);
      await server.stop();
      rmSync(models, { recursive: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],
  admin: [async ({ server }, use) => use(await signUp(server)), { scope: "worker", auto: true }],
});

const card = (page: Page, title: string) => page.getByRole("region", { name: title, exact: true });
const model = (page: Page) =>
  card(page, uk.models.title)
    .getByRole("listitem")
    .filter({ hasText: new RegExp(`^${MODEL}[^.-]`) });

const open = async (page: Page, server: Server, texts: { settings: { title: string } }) => {
  await page.goto(`${server.origin}/admin/config?section=settings`);
  await expect(card(page, texts.settings.title).getByRole("checkbox").first()).toBeVisible();
};

const go = async (page: Page, section: keyof typeof uk.sections) =>
  page.getByRole("navigation", { name: uk.nav }).getByRole("link", { name: uk.sections[section], exact: true }).click();

test.beforeEach(async ({ page, context, server, admin }, { title }) => {
  if (title.startsWith(LOOK)) return;
  await signIn(context, admin);
  await open(page, server, uk);
  await expect(page.getByRole("heading", { name: "Налаштування системи" })).toBeVisible();
});

test("limits and switches are saved, apply at once and persist", async ({ page, browser, server }) => {
  const settings = card(page, uk.settings.title);
  await expect(page.getByRole("button", { name: uk.save, exact: true })).toHaveCount(0);
  await settings.getByLabel(uk.settings.max_upload).fill("99999999");
  await expect(settings.getByText(uk.unsaved)).toBeVisible();
  await settings.getByRole("button", { name: uk.save, exact: true }).click();
  await expect(settings.getByText(/^Введіть число, не більше ніж \d+$/)).toBeVisible();
  await expect(settings.getByLabel(uk.settings.max_upload)).toBeFocused();
  await expectAccessible(page);
  await settings.getByLabel(uk.settings.max_upload).fill("20");
  await settings.getByLabel(uk.settings.contact_days).fill("90");
  await expect(settings.getByText(uk.settings.contact_days_warning)).toBeVisible();
  await settings.getByRole("checkbox", { name: uk.settings.switch.sign_up.label }).uncheck();
  await settings.getByRole("checkbox", { name: uk.settings.switch.url_fetch.label }).uncheck();
  await settings.getByRole("button", { name: uk.save, exact: true }).click();
  await expect(page.getByText(uk.saved)).toBeVisible();
  await expect(settings.getByText(uk.unsaved)).toHaveCount(0);
  await page.reload();
  await expect(settings.getByLabel(uk.settings.max_upload)).toHaveValue("20");
  await expect(settings.getByRole("checkbox", { name: uk.settings.switch.sign_up.label })).not.toBeChecked();

  await page.goto(`${server.origin}/upload`);
  await expect(page.getByText("20 МБ")).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText(["Файл", "Голос"]);
  const guest = await browser.newPage({ locale: "uk-UA" });
  await guest.goto(`${server.origin}/signup`);
  await expect(guest.getByRole("heading", { name: auth.signup.closed_title })).toBeVisible();
  await guest.close();

  await page.goto(`${server.origin}/admin/config?section=settings`);
  await settings.getByRole("checkbox", { name: uk.settings.switch.sign_up.label }).check();
  await settings.getByRole("checkbox", { name: uk.settings.switch.url_fetch.label }).check();
  await settings.getByLabel(uk.settings.max_upload).fill("");
  await settings.getByRole("button", { name: uk.save, exact: true }).click();
  await expect(page.getByText(uk.saved)).toBeVisible();
});

test("unsaved changes are confirmed before leaving", async ({ page }) => {
  const settings = card(page, uk.settings.title);
  await settings.getByRole("checkbox", { name: uk.settings.switch.newsletter.label }).uncheck();
  await page
    .getByRole("link", { name: "Аудит" })
    .or(page.getByRole("link", { name: "Користувачі" }))
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(uk.leave.question)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: uk.leave.stay }).click();
  await expect(settings.getByRole("checkbox", { name: uk.settings.switch.newsletter.label })).not.toBeChecked();
  await expect(page).toHaveURL(/\/admin\/config/);
  await settings.getByRole("button", { name: uk.revert }).click();
  await expect(settings.getByRole("checkbox", { name: uk.settings.switch.newsletter.label })).toBeChecked();
  await page.getByRole("link", { name: "Користувачі" }).click();
  await expect(page).toHaveURL(/\/admin\/users/);
});

test("the endpoint is saved, tested and explained, and its key is never sent to the page", async ({ page, llm }) => {
  const analysis = card(page, uk.analysis.title);
  await go(page, "analysis");
  await expect(analysis.getByText(uk.endpoint.key.sent, { exact: true })).toBeVisible();
  await analysis.getByRole("button", { name: uk.endpoint.test }).click();
  await expect(analysis.getByText(uk.endpoint.outcome.connection.title)).toBeVisible();
  await analysis.getByLabel(uk.endpoint.url).fill(llm);
  await expect(analysis.getByRole("button", { name: uk.endpoint.test })).toBeDisabled();
  await analysis.getByRole("button", { name: uk.save, exact: true }).click();
  await expect(analysis.getByText(uk.endpoint.key.withheld)).toBeVisible();
  await analysis.getByRole("button", { name: uk.endpoint.test }).click();
  await expect(analysis.getByText(uk.endpoint.outcome.model_unknown.title)).toBeVisible();
  await expect(analysis.getByText("Моделі на сервері: llama-3")).toBeVisible();
  await expectAccessible(page);
  await analysis.getByLabel(uk.endpoint.model).fill("llama-3");
  await analysis.getByRole("button", { name: uk.save, exact: true }).click();
  await analysis.getByRole("button", { name: uk.endpoint.test }).click();
  await expect(analysis.getByText(uk.endpoint.outcome.works.title)).toBeVisible();
  await expect(page.getByText(KEY)).toHaveCount(0);
  await analysis.getByLabel(uk.endpoint.url).fill("ftp://a");
  await analysis.getByRole("button", { name: uk.save, exact: true }).click();
  await expect(analysis.getByLabel(uk.endpoint.url)).toHaveAttribute("aria-invalid", "true");
  await analysis.getByRole("button", { name: uk.revert }).click();
});

test("a test mail shows where it was stored, and the checklist reports that this is not enough", async ({ page, admin }) => {
  const mail = card(page, uk.mail.title);
  await go(page, "mail");
  await mail.getByRole("button", { name: uk.mail.test }).click();
  await expect(mail.getByText(`Лист для ${admin.user.email} збережено в`)).toBeVisible();
  await expect(mail.getByText(/outbox/).first()).toBeVisible();
  await go(page, "setup");
  const steps = card(page, setup.title).getByRole("listitem");
  await expect(steps.filter({ hasText: setup.mail.why })).toContainText(setup.mail.cause.no_server);
  await expect(steps.filter({ hasText: setup.legal.why })).toContainText(setup.state.to_do);
  await expectAccessible(page);
  await steps.filter({ hasText: setup.mail.why }).getByRole("link").click();
  await expect(mail.getByRole("button", { name: uk.mail.test })).toBeFocused();
});

test("a download shows progress, survives a reload, can be cancelled, and its failure is explained", async ({ page, hub }) => {
  const models = card(page, uk.models.title);
  await go(page, "models");
  await models.getByText(/можна завантажити/).click();
  await models.getByRole("button", { name: `${uk.models.pull}: ${MODEL}`, exact: true }).click();
  await expect(model(page).getByRole("progressbar")).toBeVisible();
  await expect(model(page).getByText(/\d\sМБ із\s\d+\sМБ/)).toBeVisible();
  await page.reload();
  await expect(model(page).getByRole("progressbar")).toBeVisible();
  await expectAccessible(page);
  await models.getByRole("button", { name: `${uk.models.cancel}: ${MODEL}` }).click();
  await expect(model(page).getByText(uk.models.cancelled)).toBeVisible();
  await expect(model(page).getByText(/Уже завантажено/)).toBeVisible();
  hub.refuse();
  await models.getByRole("button", { name: `${uk.models.resume}: ${MODEL}` }).click();
  await expect(model(page).getByText(uk.models.failure.refused)).toBeVisible();
  await expectAccessible(page);
});

for (const { locale, theme, width } of eachLook([
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
  { locale: "uk", theme: "dark", width: 1280 },
  { locale: "en", theme: "light", width: 390 },
] as const)) {
  test(`${LOOK}: ${locale}, ${theme}, ${width}`, async ({ page, server, context, admin }) => {
    await signIn(context, admin, { locale, theme });
    await page.setViewportSize({ width, height: 900 });
    const texts = locale === "uk" ? uk : en;
    await open(page, server, texts);
    const settings = card(page, texts.settings.title);
    await settings.getByRole("checkbox").first().uncheck();
    await expect(settings.getByText(texts.unsaved)).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await shoot(page, `test-results/admin-config-${locale}-${theme}-${width}.png`, { fullPage: true });
    await settings.getByRole("button", { name: texts.revert }).click();
  });
}
