/** From the price list to the request of a plan, on a new server that sells plans. */
import { test as base, expect } from "@playwright/test";
import { freshEmail, PASSWORD } from "./accounts";
import { eachLocale } from "./looks";
import { enterCode, fillSignUp, logIn } from "./register";
import { Server } from "./server";
import { expectAccessible } from "./test";
import { BROWSER_LOCALE, setLanguage, textsOf } from "./texts";

const test = base.extend<{ selling: Server }>({
  selling: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const server = await Server.start({ SLOVO_EDITION: "service" });
      await use(server);
      await server.stop();
    },
    { timeout: 120_000 },
  ],
});

for (const locale of eachLocale("uk")) {
  const auth = textsOf(locale, "auth");
  const pricing = textsOf(locale, "pricing");
  const subscription = textsOf(locale, "subscription");

  test.describe(locale, () => {
    test.use({ locale: BROWSER_LOCALE[locale] });

    test("the chosen plan is requested with a new account, and for an existing one", async ({
      page,
      context,
      selling: server,
    }) => {
      await setLanguage(context, server.origin, locale);
      const choose = page.getByRole("link", { name: pricing.plans.starter.choose.replace("{{plan}}", "Starter") });
      const email = freshEmail();
      await page.goto(`${server.origin}/pricing`);
      await choose.click();
      await expect(page.getByText(auth.signup.plan.replace("{{plan}}", "Starter"))).toBeVisible();
      // Switching between sign-in and sign-up keeps the plan.
      await page.getByRole("link", { name: auth.signup.to_login }).click();
      await page.getByRole("link", { name: auth.login.to_signup }).click();
      await fillSignUp(page, email, locale);
      await enterCode(page, server, email, locale);
      await expect(page).toHaveURL(/\/profile$/);

      await page.goto(`${server.origin}/subscription`);
      await expect(page.getByRole("heading", { name: subscription.request.open.replace("{{plan}}", "Starter") })).toBeVisible();
      const present = page.getByRole("region", { name: subscription.present.title, exact: true });
      await expect(present).toContainText("Professional");
      await expect(present).toContainText(subscription.present.trial.split("{{when}}")[0] ?? "");
      await expectAccessible(page);
      await page.getByRole("button", { name: subscription.request.withdraw }).click();
      // Then the server has withdrawn the request.
      await expect(page.getByRole("button", { name: subscription.request.withdraw })).toBeHidden();

      // For signed-in users, the same link opens the request.
      await page.goto(`${server.origin}/pricing`);
      await choose.click();
      await page.getByRole("button", { name: subscription.request.send }).click();
      await expect(page.getByRole("heading", { name: subscription.request.open.replace("{{plan}}", "Starter") })).toBeVisible();
      await expect(page).toHaveURL(/\/subscription$/);

      // So does signing in.
      await page.getByRole("button", { name: subscription.request.withdraw }).click();
      await expect(page.getByRole("button", { name: subscription.request.withdraw })).toBeHidden();
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      await page.goto(`${server.origin}/pricing`);
      await choose.click();
      await page.getByRole("link", { name: auth.signup.to_login }).click();
      await logIn(page, email, PASSWORD, locale);
      await expect(page.getByRole("button", { name: subscription.request.send })).toBeVisible();
    });
  });
}
