/** With a real SMTP server and a real OpenID provider, started by `services/`. */
import { test as base, expect, type Page } from "@playwright/test";
import { freshEmail } from "./accounts";
import { eachLocale } from "./looks";
import { fillSignUp } from "./register";
import { freePort, Server } from "./server";
import { startOidc } from "./services/oidc.mjs";
import { startSmtp } from "./services/smtp.mjs";
import { expectAccessible } from "./test";
import { BROWSER_LOCALE, setLanguage, textsOf } from "./texts";

const CLIENT = { clientId: "slovo", clientSecret: "a secret of the tests" };
const SMTP = { user: "slovo", password: "p@ss/word" };

/** The provider's users: for each language, one without an account. */
const KNOWN = {
  uk: { email: "ivan@example.com", name: "Іван Франко" },
  en: { email: "ada@example.com", name: "Ada Lovelace" },
};

/** The name of the provider that replaces Google. */
const PROVIDER = "Облік";
const named = (text: string) => text.replaceAll("{{name}}", PROVIDER);

const test = base.extend<object, { outside: { server: Server; smtp: Awaited<ReturnType<typeof startSmtp>> } }>({
  outside: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const smtp = await startSmtp({ tls: "implicit", ...SMTP });
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const oidc = await startOidc({
        ...CLIENT,
        redirectUri: `${origin}/api/v1/auth/google/callback`,
        accounts: [
          { sub: "1", ...KNOWN.uk, email_verified: true },
          { sub: "2", email: "stranger@example.com", email_verified: false, name: "Хтось" },
          { sub: "3", ...KNOWN.en, email_verified: true },
        ],
      });
      const server = await Server.start(
        {
          SLOVO_SMTP_URL: `smtps://${SMTP.user}:${encodeURIComponent(SMTP.password)}@localhost:${smtp.port}`,
          SLOVO_SMTP_CA: smtp.ca,
          SLOVO_OPENID_ISSUER: oidc.issuer,
          SLOVO_OPENID_NAME: PROVIDER,
          SLOVO_OPENID_CLIENT_ID: CLIENT.clientId,
          SLOVO_OPENID_CLIENT_SECRET: CLIENT.clientSecret,
        },
        port,
      );
      await use({ server, smtp });
      await server.stop();
      await oidc.stop();
      await smtp.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** On the provider's page; our page, which is left for it, has fields, too. */
async function signInAs(page: Page, login: string): Promise<void> {
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await page.getByRole("textbox").fill(login);
  await page.getByRole("button", { name: "Sign in" }).click();
}

for (const locale of eachLocale("uk")) {
  const auth = textsOf(locale, "auth");
  const settings = textsOf(locale, "settings");
  const known = KNOWN[locale];

  test.describe(locale, () => {
    test.use({ locale: BROWSER_LOCALE[locale] });
    test.beforeEach(({ context, outside }) => setLanguage(context, outside.server.origin, locale));

    test("the code is sent by SMTP with TLS", async ({ page, outside: { server, smtp } }) => {
      const email = freshEmail();
      await page.goto(`${server.origin}/signup`);
      await fillSignUp(page, email, locale);
      const mail = () => smtp.mails.at(-1) as { text: string } | undefined;
      await expect.poll(mail).toMatchObject({ envelope: { to: [email] }, secure: true });
      const code = /^ {4}(\w{5})\s*$/m.exec(mail()?.text ?? "")?.[1];
      await page.getByLabel(auth.verify.code).fill(code ?? "");
      await page.getByRole("button", { name: auth.verify.submit }).click();
      await expect(page).toHaveURL(/\/profile$/);
    });

    test("signing in with Google creates an account, and uses it the next time", async ({
      page,
      context,
      outside: { server, smtp },
    }) => {
      await page.goto(`${server.origin}/signup`);
      await page.evaluate(() => localStorage.setItem("slovo.theme", "dark"));
      for (const path of ["/signup", "/login"]) {
        await page.goto(server.origin + path);
        await page
          .getByRole("link", { name: named(auth.google.button) })
          .or(page.getByRole("button", { name: named(auth.google.button) }))
          .click();
        await signInAs(page, known.email);
        if (path === "/signup") {
          await expect(page).toHaveURL(/\/profile$/);
          await page.getByRole("checkbox").check();
          await page.getByRole("button", { name: auth.profile.submit }).click();
        }
        await expect(page).toHaveURL(path === "/login" ? /\/success$/ : /\/dashboard$/);
        await page.goto(`${server.origin}/settings`);
        await expect(page.getByLabel(settings.profile.fullname)).toHaveValue(known.name);
        // First the guest's choice; the second time it comes from the account.
        await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
        await page.getByRole("tab", { name: settings.tabs.security }).click();
        await expect(page.getByRole("button", { name: settings.password.send_link })).toBeVisible();
        if (path === "/signup") {
          await page.evaluate(() => localStorage.clear());
          await context.clearCookies();
          await setLanguage(context, server.origin, locale);
        }
      }
      await expect(page.locator("input[type=password]")).toHaveCount(0);
      await expectAccessible(page);
      await page.getByRole("button", { name: settings.password.send_link }).click();
      await expect(page.getByText(settings.password.link_sent)).toBeVisible();
      const mails = () => smtp.mails as { text: string; envelope: { to: string[] } }[];
      const links = () =>
        mails().filter(({ text, envelope: { to } }) => to.includes(known.email) && text.includes("/reset-password#token="))
          .length;
      await expect.poll(links).toBe(1);
    });

    test("an unverified email address is refused, and cancelling returns to the page", async ({ page, outside: { server } }) => {
      await page.goto(`${server.origin}/login`);
      const button = page
        .getByRole("link", { name: named(auth.google.button) })
        .or(page.getByRole("button", { name: named(auth.google.button) }));
      await button.click();
      await signInAs(page, "stranger@example.com");
      await expect(page.getByText(named(auth.google.unverified))).toBeVisible();
      await expect(page).toHaveURL(/\/login$/);

      await page.context().clearCookies();
      await setLanguage(page.context(), server.origin, locale);
      await button.click();
      await page.getByRole("button", { name: "Cancel" }).click();
      await expect(page.getByText(named(auth.google.login_failed))).toBeVisible();
    });
  });
}
