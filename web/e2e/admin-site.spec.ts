/** The edition and the public pages: chosen on the first page, edited with a preview, shown to visitors. */
import { test as base } from "@playwright/test";
import type { Session } from "../src/api/schema";
import { signIn, signUp } from "./accounts";
import { eachLocale } from "./looks";
import { Server } from "./server";
import { expect, expectAccessible } from "./test";
import { BROWSER_LOCALE, textsOf, untilParameter } from "./texts";

const test = base.extend<{ server: Server; admin: Session }>({
  // A separate server for each test, because the edition is global and asked for only once.
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      // The edition is not chosen yet.
      const server = await Server.start({ SLOVO_EDITION: undefined });
      await use(server);
      await server.stop();
    },
    { timeout: 120_000 },
  ],
  admin: async ({ server }, use) => use(await signUp(server)),
});

/** The text of the edition, in each language. */
const PURPOSE = { uk: "Записи архіву стають текстом.", en: "The archive’s recordings become text." };

for (const locale of eachLocale("uk")) {
  const config = textsOf(locale, "admin-config");
  const texts = textsOf(locale, "admin-site");
  const rules = textsOf(locale, "rules");
  const site = textsOf(locale, "site");

  test.describe(locale, () => {
    test.use({ locale: BROWSER_LOCALE[locale] });

    test("the edition is asked for once, and texts are previewed, validated and published", async ({
      page,
      context,
      server,
      admin,
    }) => {
      await signIn(context, admin, { locale });
      await page.goto(`${server.origin}/admin/overview`);
      const question = page.getByRole("region", { name: texts.edition.question });
      await expect(question).toBeVisible();
      await expectAccessible(page);
      await question.getByRole("button", { name: texts.edition.organisation.choose }).click();
      await expect(question).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(question).toHaveCount(0);

      const visitor = await context.newPage();
      await visitor.goto(server.origin);
      await expect(visitor.getByRole("link", { name: site.nav.pricing })).toHaveCount(0);
      expect((await visitor.goto(`${server.origin}/pricing`))?.status()).toBe(404);

      await page.goto(`${server.origin}/admin/config?section=site`);
      const card = page.getByRole("region", { name: texts.title, exact: true });
      const missing = card.getByText(untilParameter(texts.missing));
      await expect(missing).toContainText(texts.fields.phone.label);
      await card.getByLabel(texts.fields.server_name.label).fill("Архів слів");
      await card.getByLabel(texts.fields.email.label).fill("hello@slovo.example");
      await card.getByRole("button", { name: config.save, exact: true }).click();
      await expect(card.getByText(rules.violations.email_invalid)).toBeVisible();
      await expect(card.getByLabel(texts.fields.email.label)).toBeFocused();
      await card.getByLabel(texts.fields.email.label).fill("arkhiv@slova.org.ua");
      await card.getByLabel(`${texts.fields.purpose.label}, ${texts.in[locale]}`).fill(PURPOSE[locale]);
      await expectAccessible(page);

      await test.step("a preview shows the draft and is marked as a preview", async () => {
        await card.getByRole("button", { name: texts.preview.make }).click();
        const opened = context.waitForEvent("page");
        await card.getByRole("link", { name: texts.preview.open }).click();
        const preview = await opened;
        await expect(preview.getByRole("note")).toHaveText(site.preview);
        await expect(preview.locator(".hero .lead")).toHaveText(PURPOSE[locale]);
        await expectAccessible(preview);
        await visitor.goto(server.origin);
        await expect(visitor.locator(".hero .lead")).not.toHaveText(PURPOSE[locale]);
        await preview.close();
      });

      await card.getByRole("button", { name: config.save, exact: true }).click();
      await expect(page.getByText(config.saved)).toBeVisible();
      await expect(missing).not.toContainText(texts.fields.email.label);
      await visitor.goto(`${server.origin}/contact`);
      await expect(visitor.getByRole("link", { name: "arkhiv@slova.org.ua" })).toHaveAttribute(
        "href",
        "mailto:arkhiv@slova.org.ua",
      );
      await expect(visitor).toHaveTitle(/Архів слів/);
    });
  });
}
