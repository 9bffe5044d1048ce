/** The dashboard and the command palette. The API is mocked; the page is the built one. */
import type { Page } from "@playwright/test";
import commonEn from "../../src/locales/en/common.json" with { type: "json" };
import textsEn from "../../src/locales/en/dashboard.json" with { type: "json" };
import shellEn from "../../src/locales/en/shell.json" with { type: "json" };
import uploadEn from "../../src/locales/en/upload.json" with { type: "json" };
import commonUk from "../../src/locales/uk/common.json" with { type: "json" };
import textsUk from "../../src/locales/uk/dashboard.json" with { type: "json" };
import shellUk from "../../src/locales/uk/shell.json" with { type: "json" };
import uploadUk from "../../src/locales/uk/upload.json" with { type: "json" };
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale } from "../looks";
import { JOBS, MINUTES, mockApi, SESSION, SUBSCRIPTION } from "../mock-api";
import { expect, expectAccessible } from "../test";

type Locale = "uk" | "en";
const TEXTS = {
  uk: { ...textsUk, common: commonUk, shell: shellUk, upload: uploadUk },
  en: { ...textsEn, common: commonEn, shell: shellEn, upload: uploadEn },
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

for (const locale of eachLocale("en")) {
  const t = TEXTS[locale];
  test(`shows the upload, texts to continue, the newest jobs, and usage (${locale})`, async ({ page, origin }) => {
    await open(page, origin, locale);
    const minutesLeft = page.getByRole("region", { name: t.left.title });
    await expect(minutesLeft).toContainText("187");
    await expect(minutesLeft.getByRole("progressbar", { name: t.left.bar })).toHaveAttribute("aria-valuenow", "412.4");
    const plan = page.getByRole("region", { name: t.plan.title });
    await expect(plan).toContainText("Студія");
    await expect(plan).toContainText("199");
    const ways = page.getByRole("navigation", { name: t.ways });
    await expect(ways.getByRole("link", { name: t.plan.upgrade })).toHaveAttribute("href", "/subscription#plans");
    await expect(ways.getByRole("link", { name: t.settings })).toHaveAttribute("href", "/profile");

    const continued = page.getByRole("region", { name: t.continue.title });
    await expect(continued.getByRole("listitem")).toHaveCount(3);
    const unsure = continued.getByRole("link", { name: JOBS[2]?.original_filename ?? "" });
    await expect(unsure).toHaveAttribute("href", `/transcription/${JOBS[2]?.my_job_id}?unsure=first`);
    await expect(unsure).toHaveAccessibleDescription(/14/);
    const sure = continued.getByRole("listitem").filter({ hasText: t.continue.all_sure });
    await expect(sure.getByRole("link")).toHaveAttribute("href", /\/transcription\/[\w-]+$/);

    const recent = page.getByRole("region", { name: t.recent });
    const rows = recent.getByRole("list").first().locator("> li");
    await expect(rows).toHaveCount(10);
    await expect(rows.nth(5).getByRole("link")).toHaveAttribute("href", `/transcription/${JOBS[5]?.my_job_id}`);
    await expect(rows.nth(5)).toContainText("на Холодній горі");
    await expect(rows.nth(5)).toContainText(locale === "uk" ? "2 мовці" : "2 speakers");
    await expect(rows.nth(4).getByRole("list", { name: t.speakers.label })).toContainText("Anna");
    await expect(rows.nth(0).getByRole("progressbar")).toBeVisible();

    const start = page.getByRole("region", { name: t.upload.drop.title });
    await expect(start.getByRole("link", { name: t.upload.start.url })).toHaveAttribute("href", "/upload?source=url");
    await expect(start.getByRole("link", { name: t.upload.start.voice })).toHaveAttribute("href", "/upload?source=voice");
    // No duplicate controls: Upload is in the header, Sign out in the account menu.
    await expect(page.getByRole("link", { name: t.common.new_transcription })).toHaveCount(1);
    await expect(page.getByRole("main").getByRole("button", { name: t.shell.account.sign_out })).toHaveCount(0);
    await expectAccessible(page);
  });

  test(`the palette finds pages, actions and transcripts (${locale})`, async ({ page, origin }) => {
    // The transcript page is not tested here: without its job it would redirect.
    await intercept(page, /\/api\/v1\/jobs\/[\w-]{36}/, () => undefined);
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
    const passage = page.getByRole("option").filter({ hasText: "0:12" }).first();
    await expect(passage.locator("mark")).toHaveText("музей");
    await passage.click();
    await expect(page).toHaveURL(/\/transcription\/[\w-]+\?t=12$/);

    await page.keyboard.press("Control+k");
    await box.fill(t.common.theme.dark);
    await page.keyboard.press("Enter");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.keyboard.press("Control+k");
    await expect(box).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(box).toBeHidden();
  });
}

test("files chosen here continue in the second step, which shows refused ones", async ({ page, origin }) => {
  await open(page, origin);
  const picker = page.getByRole("region", { name: uploadUk.drop.title }).locator("input[type=file]");
  // If all files are refused, the page does not change.
  await picker.setInputFiles({ name: "нотатки.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") });
  await expect(page.getByRole("alert")).toContainText("нотатки.pdf");
  await expect(page).toHaveURL(/\/dashboard$/);
  await picker.setInputFiles([
    { name: "розмова.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("ID3") },
    { name: "ще.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") },
  ]);
  await expect(page).toHaveURL(/\/upload$/);
  await expect(page.getByRole("alert")).toContainText("ще.pdf");
  await expect(page.getByText("розмова.mp3").first()).toBeVisible();
});

test("without a plan it shows Demo, free and unlimited", async ({ page, origin }) => {
  const minutes = { ...MINUTES, plan: null, limit: null, left: null, used: 0 };
  await intercept(page, "**/api/v1/me/subscription", (route) =>
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

test("a failure to load is shown, and can be retried", async ({ page, origin }) => {
  let broken = true;
  await intercept(page, "**/api/v1/me/dashboard", (route) =>
    broken ? route.fulfill({ status: 500, json: { code: "internal", status: 500 } }) : route.fallback(),
  );
  await open(page, origin);
  await expect(page.getByRole("heading", { name: "Не вдалося завантажити дані" })).toBeVisible();
  broken = false;
  await page.getByRole("button", { name: commonUk.actions.try_again }).click();
  await expect(page.getByRole("heading", { name: textsUk.recent })).toBeVisible();
});
