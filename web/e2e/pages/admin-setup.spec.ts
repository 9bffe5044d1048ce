/** The sections of the configuration, and the setup checklist. The API is mocked; the page is the built one. */
import type { Page } from "@playwright/test";
import type { ServerSettingsView, SiteView } from "../../src/api/schema";
import { SETUP } from "../../src/api/test-setup-steps";
import configEn from "../../src/locales/en/admin-config.json" with { type: "json" };
import setupEn from "../../src/locales/en/admin-setup.json" with { type: "json" };
import config from "../../src/locales/uk/admin-config.json" with { type: "json" };
import setup from "../../src/locales/uk/admin-setup.json" with { type: "json" };
import site from "../../src/locales/uk/admin-site.json" with { type: "json" };
import { openAsAdmin } from "../admin-world";
import { test } from "../built-page";
import { eachLook, shoot } from "../looks";
import { expect, expectAccessible } from "../test";

const NONE = { uk: "", en: "" };
const SITE: SiteView = {
  settings: {
    edition: "organisation",
    server_name: "Архів слів",
    purpose: NONE,
    legal_name: { uk: "ГО «Слова»", en: "" },
    email: "",
    phone: "",
    address: { uk: "Львів, вул. Друкарська, 1", en: "" },
    hours: NONE,
    hosting: NONE,
    imprint: NONE,
    social: [],
    figures: true,
    example_figures: { minutes: NONE, accuracy: NONE, saved: NONE },
    testimonials: true,
    own_testimonials: [],
  },
  edition: "organisation",
  answered: true,
  configured_edition: null,
  missing: ["purpose", "email", "phone", "hours", "hosting", "imprint", "social"],
  figures: null,
};

const SETTINGS: ServerSettingsView = {
  settings: { limits: { max_upload_bytes: null, waiting_jobs: null, contact_days: null }, switches: {} },
  google_configured: false,
  most_upload_bytes: 4_000_000_000,
  usual_upload_bytes: 2_000_000_000,
} as ServerSettingsView;

const ANSWERS: Record<string, unknown> = {
  setup: SETUP,
  site: SITE,
  settings: SETTINGS,
  mail: { carrier: "smtp", place: "smtp.example.org:465", from: "Slovo <slovo@example.org>" },
};

const open = (page: Page, address: string, look?: Parameters<typeof openAsAdmin>[3]) => openAsAdmin(page, address, ANSWERS, look);

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("the checklist links to fields, and a section keeps its input", async ({ page, origin }) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  await open(page, `${origin}/admin/config`);
  const list = card(page, setup.title);
  await expect(list.getByRole("status")).toHaveText("Готово 2 з\u00a05");
  await expect(list.getByRole("listitem").filter({ hasText: new RegExp(`^${setup.mail.title}`) })).toContainText(
    config.mail.failure.sign_in,
  );
  expect(scripts.filter((path) => /webhooks-card|nocodb-card|site-card/.test(path))).toEqual([]);
  await expectAccessible(page);

  await list.getByRole("link", { name: site.fields.imprint.label }).click();
  await expect(page).toHaveURL(/\/admin\/config\?section=site#imprint$/);
  const imprint = card(page, site.title)
    .getByRole("textbox", { name: new RegExp(`^${site.fields.imprint.label}`) })
    .first();
  await expect(imprint).toBeFocused();
  await expect(imprint).toBeInViewport();
  await imprint.fill("ЄДРПОУ 00000000");

  const nav = page.getByRole("navigation", { name: config.nav });
  await nav.getByRole("link", { name: config.sections.mail, exact: true }).click();
  await expect(card(page, config.mail.title)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(nav.getByRole("link", { name: config.sections.site })).toContainText("незбережені");
  await page.goBack();
  await expect(imprint).toHaveValue("ЄДРПОУ 00000000");
  await page.goBack();
  await expect(list).toBeVisible();

  // Leaving with unsaved input asks for confirmation.
  await page.getByRole("link", { name: "Користувачі" }).click();
  await expect(page.getByRole("dialog").getByText(config.leave.question)).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: config.leave.discard }).click();
  await expect(page).toHaveURL(/\/admin\/users/);
});

test("old links to parts of the page still work", async ({ page, origin }) => {
  await open(page, `${origin}/admin/config#mail`);
  await expect(card(page, config.mail.title)).toBeVisible();
  await expect(page.getByRole("navigation", { name: config.nav }).locator("[aria-current=page]")).toHaveText(
    config.sections.mail,
  );
});

const LOOKS = eachLook([
  { locale: "uk", theme: "light", width: 390, height: 844 },
  { locale: "en", theme: "dark", width: 1280, height: 800 },
  { locale: "uk", theme: "light", width: 1920, height: 1080 },
  { locale: "en", theme: "dark", width: 390, height: 844 },
] as const);

for (const { width, height, ...look } of LOOKS) {
  test.describe(`${look.locale}, ${look.theme}, ${width} px`, () => {
    test.use({ viewport: { width, height } });

    test("screenshots", async ({ page, origin }) => {
      const [texts, checklist] = look.locale === "uk" ? [config, setup] : [configEn, setupEn];
      await open(page, `${origin}/admin/config`, look);
      const picture = async (name: string) => {
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, "nothing sticks out to the right").toBeLessThanOrEqual(0);
        await shoot(page, `e2e/shots/admin-setup-${name}-${look.locale}-${look.theme}-${width}.png`, { fullPage: true });
        await expectAccessible(page);
      };
      await expect(card(page, checklist.title).getByRole("list").first()).toBeVisible();
      await picture("list");
      const nav = page.getByRole("navigation", { name: texts.nav });
      if (width < 1024) await nav.getByRole("combobox").selectOption({ label: texts.sections.address });
      else await nav.getByRole("link", { name: texts.sections.address }).click();
      await expect(card(page, checklist.address.title)).toBeVisible();
      await picture("address");
    });
  });
}
