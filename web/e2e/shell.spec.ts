/** The shell: access to pages, signing in and out, the sidebar, the list and its undo. */
import auth from "../src/locales/uk/auth.json" with { type: "json" };
import common from "../src/locales/uk/common.json" with { type: "json" };
import problems from "../src/locales/uk/problems.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import shell from "../src/locales/uk/shell.json" with { type: "json" };
import site from "../src/locales/uk/site.json" with { type: "json" };
import transcripts from "../src/locales/uk/transcripts.json" with { type: "json" };
import { freshEmail, PASSWORD, signIn, signUp } from "./accounts";
import { enterCode, logIn, register } from "./register";
import { expect, expectAccessible, test } from "./test";

test("a guest is redirected to sign in, and afterwards to the requested page", async ({ page, server }) => {
  const email = freshEmail();
  await page.goto(`${server.origin}/transcriptions?status=error`);
  await expect(page).toHaveURL(/\/login$/);
  await expectAccessible(page);
  await page.getByRole("link", { name: auth.login.to_signup }).click();
  // Both pages have a field of that name; the other page's must not be filled in.
  await expect(page).toHaveURL(/\/signup$/);
  await expect(page.getByRole("heading", { level: 1, name: auth.signup.title })).toBeVisible();

  await test.step("the form reports missing values by the shared rules", async () => {
    await page.getByLabel(auth.email).fill("olena@");
    await page.getByLabel(auth.password, { exact: true }).fill("Слово2026");
    await page.getByRole("button", { name: auth.signup.submit }).click();
    await expect(page.getByText(rules.violations.email_invalid)).toBeVisible();
    await expect(page.getByText(rules.violations.password_too_short.replace("{{min}}", "12"))).toBeVisible();
    await expect(page.getByRole("listitem").getByText(rules.violations.terms_required)).toBeVisible();
    await expect(page.getByRole("checkbox")).toHaveAccessibleDescription(rules.violations.terms_required);
    await expectAccessible(page);
  });

  await test.step("an error disappears when its field is edited, and the checklist is updated", async () => {
    await page.getByLabel(auth.email).fill(`  ${email.toUpperCase()} `);
    await expect(page.getByText(rules.violations.email_invalid)).toBeHidden();
    await page.getByLabel(auth.password, { exact: true }).fill(PASSWORD);
    await expect(page.getByRole("list", { name: auth.signup.checklist }).getByText(auth.unmet)).toHaveCount(0);
    await page.getByLabel(auth.confirm_password).fill(PASSWORD);
    await page.getByRole("checkbox").check();
  });

  await page.getByRole("button", { name: auth.signup.submit }).click();
  await expect(page).toHaveURL(/\/verify$/);
  await enterCode(page, server, email);
  await expect(page).toHaveURL(/\/profile$/);
  await page.goto(`${server.origin}/login`);
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.evaluate(() => localStorage.clear());
  await page.goto(`${server.origin}/transcriptions?status=error`);
  await logIn(page, email);
  await expect(page).toHaveURL(/\/transcriptions\?status=error$/);
});

test("wrong credentials and an existing email address are reported", async ({ page, server }) => {
  const { user } = await signUp(server);
  await page.goto(`${server.origin}/login`);
  await page.getByLabel(auth.email).fill(user.email);
  await page.getByLabel(auth.password, { exact: true }).fill("wrong");
  await page.getByRole("button", { name: auth.login.submit }).click();
  await expect(page.getByText(problems.codes.invalid_credentials)).toBeVisible();

  await page.goto(`${server.origin}/signup`);
  await page.getByLabel(auth.email).fill(user.email);
  await page.getByLabel(auth.password, { exact: true }).fill(PASSWORD);
  await page.getByLabel(auth.confirm_password).fill(PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: auth.signup.submit }).click();
  await expect(page.getByText(problems.codes.email_taken)).toBeVisible();
});

test("signing out ends the session in all tabs, and the next user does not get the previous user's page", async ({
  page,
  context,
  server,
}) => {
  const email = freshEmail();
  await register(page, server, email);
  await page.goto(`${server.origin}/dashboard`);

  const tab = await context.newPage();
  await tab.goto(`${server.origin}/transcriptions`);
  await tab.getByRole("button", { name: shell.account.label.replace("{{name}}", email.split("@")[0] ?? "") }).click();
  await tab.getByRole("menuitem", { name: shell.account.sign_out }).click();
  for (const openPage of [tab, page]) await expect(openPage).toHaveURL(/\/login$/);
  expect(await tab.evaluate(() => localStorage.getItem("slovo.session"))).toBeNull();

  await tab.getByLabel(auth.email).fill(email);
  await tab.getByLabel(auth.password, { exact: true }).fill(PASSWORD);
  await tab.getByRole("button", { name: auth.login.submit }).click();
  for (const openPage of [tab, page]) await expect(openPage).toHaveURL(/\/dashboard$/);
});

test("the sidebar is collapsed by keyboard and stays collapsed; on a phone it slides in", async ({
  page,
  context,
  server,
  reader,
}) => {
  await signIn(context, reader);
  await page.goto(`${server.origin}/dashboard`);
  await expect(page.getByRole("button", { name: shell.sidebar.collapse })).toBeVisible();
  await page.keyboard.press("Control+b");
  await expect(page.getByRole("button", { name: shell.sidebar.expand })).toBeVisible();
  const cookie = (await context.cookies()).find(({ name }) => name === "slovo.sidebar");
  expect(cookie?.value).toBe("collapsed");
  await page.reload();
  await expect(page.getByRole("button", { name: shell.sidebar.expand })).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: shell.sidebar.open }).click();
  // Administrators have a second item of that name.
  const menu = page.getByRole("dialog").getByRole("list", { name: shell.menu });
  await menu.getByRole("link", { name: shell.nav.transcriptions }).click();
  await expect(page).toHaveURL(/\/transcriptions$/);
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("deleting a recording can be undone", async ({ page, context, server, reader, finished }) => {
  await signIn(context, reader);
  await page.goto(`${server.origin}/transcriptions`);
  const row = page.getByRole("row").filter({ hasText: finished.original_filename }).first();
  await row.getByRole("button", { name: common.actions.delete }).click();
  await expect(row).toBeHidden();
  await page.getByRole("button", { name: common.actions.undo }).click();
  await expect(row).toBeVisible();

  await page.getByLabel(transcripts.search).fill("немає такого");
  await expect(page.getByText(transcripts.nothing.named)).toBeVisible();
  await expect(page.getByText(transcripts.said.nothing)).toBeVisible();
  await page.getByRole("button", { name: transcripts.nothing.reset }).click();
  await expect(row).toBeVisible();
});

test("an unknown URL shows an error with a link to the home page", async ({ page, server }) => {
  const answer = await page.goto(`${server.origin}/nowhere/at/all`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: site.not_found.title })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: site.not_found.home }).click();
  await expect(page).toHaveURL(`${server.origin}/`);
});
