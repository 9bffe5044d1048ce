/** Creates an account on the pages, like a new user. */
import { expect, type Page } from "@playwright/test";
import { PASSWORD } from "./accounts";
import { lastMail } from "./mailbox";
import type { Server } from "./server";
import { type Locale, textsOf } from "./texts";

const inWords = (locale: Locale) => textsOf(locale, "auth");

/** Fills in and submits /signup, which must be open. */
export async function fillSignUp(page: Page, email: string, locale: Locale = "uk"): Promise<void> {
  const auth = inWords(locale);
  // The sign-in form has the same first two fields, and may still be visible after following a link.
  await page.getByLabel(auth.confirm_password).fill(PASSWORD);
  await page.getByLabel(auth.email).fill(email);
  await page.getByLabel(auth.password, { exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: auth.signup.submit }).click();
  await expect(page).toHaveURL(/\/verify$/);
}

/** Enters the code of the newest mail on /verify. */
export async function enterCode(page: Page, server: Server, email: string, locale: Locale = "uk"): Promise<void> {
  const auth = inWords(locale);
  const { code } = await lastMail(server, email);
  await page.getByLabel(auth.verify.code).fill(code ?? "");
  await page.getByRole("button", { name: auth.verify.submit }).click();
}

/** The whole registration; afterwards /profile is open. */
export async function register(page: Page, server: Server, email: string): Promise<void> {
  await page.goto(`${server.origin}/signup`);
  await fillSignUp(page, email);
  await enterCode(page, server, email);
  await expect(page).toHaveURL(/\/profile$/);
}

export async function logIn(page: Page, email: string, password = PASSWORD, locale: Locale = "uk"): Promise<void> {
  const auth = inWords(locale);
  // The sign-up form has the same fields.
  await expect(page.getByLabel(auth.confirm_password)).toBeHidden();
  await expect(page.getByRole("button", { name: auth.login.submit, exact: true })).toBeVisible();
  await page.getByLabel(auth.email).fill(email);
  await page.getByLabel(auth.password, { exact: true }).fill(password);
  await page.getByRole("button", { name: auth.login.submit, exact: true }).click();
}
