/** The life of an account, from sign-up to deletion, as used by its owner. */

import enSettings from "../src/locales/en/settings.json" with { type: "json" };
import admin from "../src/locales/uk/admin.json" with { type: "json" };
import auth from "../src/locales/uk/auth.json" with { type: "json" };
import common from "../src/locales/uk/common.json" with { type: "json" };
import problems from "../src/locales/uk/problems.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import settings from "../src/locales/uk/settings.json" with { type: "json" };
import shell from "../src/locales/uk/shell.json" with { type: "json" };
import { freshEmail, PASSWORD, signIn, signUp } from "./accounts";
import { lastMail } from "./mailbox";
import { enterCode, fillSignUp, logIn, register } from "./register";
import { expect, expectAccessible, test } from "./test";

const NEW_PASSWORD = "Another-horse-8-battery";

/** An image of 60 by 40 pixels, red on the left and blue on the right, drawn by the browser. */
const picture = () => {
  const canvas = document.createElement("canvas");
  canvas.width = 600;
  canvas.height = 400;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.fillStyle = "#c00";
  pen.fillRect(0, 0, 300, 400);
  pen.fillStyle = "#00c";
  pen.fillRect(300, 0, 300, 400);
  return canvas.toDataURL("image/png").split(",")[1] ?? "";
};

test("signs up with a code and completes the profile with a photo", async ({ page, server }) => {
  const email = freshEmail();
  await page.goto(`${server.origin}/signup`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await fillSignUp(page, email);

  await test.step("a wrong code is reported, the right one continues, also after a reload", async () => {
    await page.reload();
    await expect(page.getByText(email)).toBeVisible();
    await expect(page.getByText(auth.outbox), "without a mail server one is told where the letter is").toBeVisible();
    await expect(page.getByRole("button", { name: auth.verify.submit })).toBeDisabled();
    await page.getByLabel(auth.verify.code).fill("22222");
    await page.getByRole("button", { name: auth.verify.submit }).click();
    await expect(page.getByText(problems.codes.invalid_code)).toBeVisible();
    await expect(page.getByRole("button", { name: auth.verify.resend })).toBeDisabled();
    await expectAccessible(page);
    const { code } = await lastMail(server, email);
    await page.getByLabel(auth.verify.code).fill(` ${code?.toLowerCase()} `);
    await expect(page.getByText(problems.codes.invalid_code)).toBeHidden();
    await page.getByRole("button", { name: auth.verify.submit }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });

  await test.step("the profile asks for a name but not for the terms, and accepts a cropped photo", async () => {
    await page.getByRole("button", { name: auth.profile.submit }).click();
    await expect(page.getByText(rules.violations.fullname_required)).toBeVisible();
    const chooser = page.locator("input[type=file]");
    await chooser.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
    await expect(page.getByText(rules.violations.avatar_not_image)).toBeVisible();
    const drawn = await page.evaluate(picture);
    await chooser.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from(drawn, "base64") });
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: auth.avatar.apply }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.getByLabel(auth.profile.fullname).fill("Олена Пчілка");
    await page.getByLabel(auth.profile.usage).selectOption("transcription");
    await expect(page.getByRole("checkbox"), "the terms were agreed to at sign-up").toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole("button", { name: auth.profile.submit }).click();
    await expect(page).toHaveURL(/\/success$/);
  });

  await test.step("the shell shows the user", async () => {
    await expectAccessible(page);
    await page.getByRole("link", { name: auth.success.start }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    const menu = page.getByRole("button", { name: shell.account.label.replace("{{name}}", "Олена Пчілка") });
    await expect(menu.locator("img")).toBeVisible();
  });
});

test("signing in with an unfinished registration asks for the code, and a page without one says so", async ({ page, server }) => {
  const email = freshEmail();
  await page.goto(`${server.origin}/signup`);
  await fillSignUp(page, email);

  await page.goto("about:blank");
  await page.goto(`${server.origin}/login`);
  await logIn(page, email);
  await expect(page).toHaveURL(/\/verify$/);
  await enterCode(page, server, email);
  await expect(page).toHaveURL(/\/profile$/);

  await page.goto(`${server.origin}/login`);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("the code page without a registration links to the sign-up", async ({ page, server }) => {
  await page.goto(`${server.origin}/verify`);
  await expect(page.getByText(auth.verify.lead_unknown)).toBeVisible();
  await page.getByLabel(auth.verify.code).fill("AB2CD");
  await page.getByRole("button", { name: auth.verify.submit }).click();
  await expect(page.getByRole("heading", { name: auth.verify.none_title })).toBeVisible();
  await expectAccessible(page);
});

test("a forgotten password is reset with the mailed link, once", async ({ page, server }) => {
  const { user } = await signUp(server);
  await page.goto(`${server.origin}/login`);
  await page.getByRole("link", { name: auth.login.forgot }).click();
  // The previous page has a field of the same name.
  await expect(page.getByRole("heading", { name: auth.forgot.title })).toBeVisible();
  await page.getByLabel(auth.email).fill(user.email);
  await page.getByRole("button", { name: auth.forgot.submit }).click();
  await expect(page.getByRole("heading", { name: auth.forgot.sent_title })).toBeVisible();
  await expectAccessible(page);

  const { link } = await lastMail(server, user.email, 1);
  await page.goto(link ?? "");
  await expect(page.getByLabel(auth.confirm_password)).toBeVisible();
  await expect(page, "the secret is not left in the address").toHaveURL(/\/reset-password$/);
  await page.reload();
  await page.getByLabel(auth.reset.password, { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel(auth.confirm_password).fill(NEW_PASSWORD);
  await expectAccessible(page);
  await page.getByRole("button", { name: auth.reset.submit }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(auth.reset.done)).toBeVisible();
  await logIn(page, user.email, NEW_PASSWORD);
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto("about:blank");
  await page.goto(link ?? "");
  await page.getByLabel(auth.reset.password, { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel(auth.confirm_password).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: auth.reset.submit }).click();
  await expect(page.getByRole("heading", { name: auth.reset.invalid_title })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(history.state)), "a link that is used up is not kept").not.toContain("token");
  await page.reload();
  await expect(page.getByRole("heading", { name: auth.reset.invalid_title })).toBeVisible();
});

test("a busy button keeps the focus and does not send twice", async ({ page, server }) => {
  const methods: string[] = [];
  let answer = () => {};
  await page.route("**/auth/password/forgot", async (route) => {
    methods.push(route.request().method());
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.continue();
  });
  await page.goto(`${server.origin}/forgot-password`);
  await page.getByLabel(auth.email).fill(freshEmail());
  await page.getByRole("button", { name: auth.forgot.submit }).focus();
  await page.keyboard.press("Enter");
  const busy = page.getByRole("button", { name: auth.forgot.submitting });
  await expect(busy).toBeFocused();
  await expect(busy).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await busy.click({ force: true });
  await page.getByLabel(auth.email).press("Enter");
  // The button is busy before the request arrives.
  await expect.poll(() => methods).toEqual(["POST"]);
  answer();
  await expect(page.getByRole("heading", { name: auth.forgot.sent_title })).toBeVisible();
  expect(methods).toEqual(["POST"]);
});

test("a violation of the password found by the server is shown under its field", async ({ page, server }) => {
  const errors = [{ field: "password", code: "password_weak", params: {} }];
  const problem = { type: "about:blank", title: "", status: 422, code: "validation_failed", request_id: "", errors };
  for (const path of ["signup", "password/reset"]) {
    await page.route(`**/auth/${path}`, (route) =>
      route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify(problem) }),
    );
  }
  for (const path of ["/signup", "/reset-password#token=some"]) {
    await page.goto(server.origin + path);
    if (path === "/signup") {
      await page.getByLabel(auth.email).fill(freshEmail());
      await page.getByRole("checkbox").check();
    }
    await page.locator("[name=password]").fill(PASSWORD);
    await page.locator("[name=confirm_password]").fill(PASSWORD);
    await page.locator("button[type=submit]").click();
    const password = page.locator("[name=password]");
    await expect(password).toHaveAccessibleDescription(rules.violations.password_weak);
    await expect(password).toBeFocused();
  }
});

test("a new account keeps the guest's language and theme, and choices made just before a sign-out", async ({
  page,
  browser,
  server,
}) => {
  const email = freshEmail();
  await page.goto(`${server.origin}/login`);
  await page.evaluate(() => localStorage.setItem("slovo.theme", "dark"));
  await register(page, server, email);

  const themeElsewhere = async () => {
    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(`${server.origin}/login`);
    await logIn(other, email);
    await expect(other).toHaveURL(/\/dashboard$/);
    const theme = await other.evaluate(() => localStorage.getItem("slovo.theme"));
    await context.close();
    return theme;
  };
  expect(await themeElsewhere()).toBe("dark");

  await page.goto(`${server.origin}/settings?tab=preferences`);
  await page.getByRole("checkbox", { name: settings.mail.on_completion }).click();
  await expect(page.getByText(settings.save.saved)).toBeVisible();
  expect(await themeElsewhere(), "another preference takes nothing away").toBe("dark");

  await page.getByRole("main").getByRole("radio", { name: common.theme.light }).click();
  await page.getByRole("button", { name: shell.account.label.replace("{{name}}", email.split("@")[0] ?? "") }).click();
  await page.getByRole("menuitem", { name: shell.account.sign_out }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await themeElsewhere()).toBe("light");
});

test("a session that is not remembered ends with the browser", async ({ page, context, server }) => {
  const { user } = await signUp(server);
  await page.goto(`${server.origin}/login`);
  await page.getByRole("checkbox", { name: auth.login.remember }).uncheck();
  await logIn(page, user.email);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.reload();
  await expect(page).toHaveURL(/\/dashboard$/);
  // Like closing the browser: session cookies are deleted, storage is kept.
  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem("slovo.session"))).toBeNull();
});

test("the settings change the password, sign out other devices, and store language and theme", async ({
  page,
  browser,
  server,
}) => {
  const email = freshEmail();
  await register(page, server, email);
  const other = await browser.newContext();
  const phone = await other.newPage();
  await phone.goto(`${server.origin}/login`);
  await logIn(phone, email);
  await expect(phone).toHaveURL(/\/dashboard$/);

  await test.step("one of two sessions is ended", async () => {
    await page.goto(`${server.origin}/settings?tab=security`);
    await expect(page.getByText(settings.sessions.current)).toBeVisible();
    await expectAccessible(page);
    await page
      .getByRole("button", { name: /^Завершити/ })
      .first()
      .click();
    await page.getByRole("button", { name: settings.sessions.end_yes, exact: true }).last().click();
    await expect(page.getByText(settings.sessions.only_one)).toBeVisible();
    await phone.reload();
    await expect(phone).toHaveURL(/\/login$/);
  });

  await test.step("the current password is required", async () => {
    await page.getByLabel(settings.password.current).fill("wrong");
    await page.getByLabel(settings.password.new, { exact: true }).fill("k7-Rosa9-Lypa");
    await page.getByLabel(settings.password.confirm).fill("k7-Rosa9-Lypa");
    await page.getByRole("button", { name: settings.password.change }).click();
    await expect(page.getByText(problems.codes.wrong_password)).toBeVisible();
    await page.getByLabel(settings.password.current).fill(PASSWORD);
    await page.getByRole("button", { name: settings.password.change }).click();
    await expect(page.getByText(settings.password.done)).toBeVisible();
  });

  await test.step("language and theme are stored in the account", async () => {
    await page.getByRole("tab", { name: settings.tabs.preferences }).click();
    await page.getByRole("main").getByRole("radio", { name: "English" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByText(enSettings.save.saved)).toBeVisible();
    await expectAccessible(page);
    await phone.goto(`${server.origin}/login`);
    await logIn(phone, email, "k7-Rosa9-Lypa");
    await expect(phone).toHaveURL(/\/dashboard$/);
    await expect(phone.locator("html")).toHaveAttribute("lang", "en");
  });
  await other.close();
});

test("the user's data is downloaded, and the account is deleted permanently", async ({ page, context, server, reader }) => {
  // The first account, another user, is the administrator.
  expect(reader.user.role).toBe("admin");
  const session = await signUp(server);
  await signIn(context, session);
  await page.goto(`${server.origin}/settings?tab=preferences`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: settings.export.button }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  expect(await download.failure()).toBeNull();

  const tab = await context.newPage();
  await tab.goto(`${server.origin}/transcriptions`);
  await page.getByRole("button", { name: settings.delete.open }).click();
  await expectAccessible(page);
  await page.getByLabel(settings.delete.password).fill("wrong");
  await page.getByRole("button", { name: settings.delete.confirm }).click();
  await expect(page.getByText(problems.codes.wrong_password)).toBeVisible();
  await page.getByLabel(settings.delete.password).fill(PASSWORD);
  await page.getByRole("button", { name: settings.delete.confirm }).click();
  for (const openPage of [page, tab]) {
    await expect(openPage).toHaveURL(/\/login$/);
    await expect(openPage.getByRole("status").getByText(settings.delete.done)).toBeVisible();
  }
  await expectAccessible(page);
  await logIn(page, session.user.email);
  await expect(page.getByText(problems.codes.invalid_credentials)).toBeVisible();
});

test("an administrator blocks a user, whose session ends at once; other users have no access", async ({
  page,
  browser,
  server,
  reader,
}) => {
  const session = await signUp(server);
  const victimContext = await browser.newContext();
  await signIn(victimContext, session);
  const victim = await victimContext.newPage();
  await victim.goto(`${server.origin}/admin/users`);
  await expect(victim).toHaveURL(/\/dashboard$/);
  await expect(victim.getByText(shell.admin.denied)).toBeVisible();

  await signIn(page.context(), reader);
  await page.goto(`${server.origin}/dashboard`);
  await page.getByRole("link", { name: shell.nav.admin_users }).click();
  await page.getByLabel(admin.search).fill(session.user.email.toUpperCase());
  const row = page.getByRole("row").filter({ hasText: session.user.email });
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await row.getByRole("button", { name: admin.block }).click();
  const question = page.getByRole("alertdialog", { name: admin.block_question });
  await expect(question).toContainText(session.user.email);
  await question.getByRole("button", { name: admin.block_yes }).click();
  await expect(page.getByText(admin.blocked)).toBeVisible();
  await expect(row.getByText(admin.status.blocked)).toBeVisible();
  await victim.reload();
  await expect(victim).toHaveURL(/\/login$/);
  await logIn(victim, session.user.email);
  await expect(victim.getByText(problems.codes.account_blocked)).toBeVisible();
  await victimContext.close();
});
