/** Files and links of a transcript, for its owner. The page of a link is tested in shared-page.spec.ts. */
import type { Locator } from "@playwright/test";
import en from "../../src/locales/en/sharing.json" with { type: "json" };
import transcriptEn from "../../src/locales/en/transcript.json" with { type: "json" };
import uk from "../../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../../src/locales/uk/transcript.json" with { type: "json" };
import { intercept } from "../intercept";
import { eachLook } from "../looks";
import { expectAccessible } from "../test";
import { untilParameter } from "../texts";
import { expect, LOOKS, picture, test } from "../workplace";

/** The links, without their expanded details. */
const linksOf = (dialog: Locator, texts: typeof uk | typeof en = uk) =>
  dialog.getByRole("region", { name: texts.share.links }).locator("> ul > li");

test("a file is exported with the chosen options, which are remembered", async ({ page, open }) => {
  await open();
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  const dialog = page.getByRole("dialog", { name: uk.export.title });
  await dialog.getByRole("radio", { name: uk.export.formats.pdf.name }).click();
  // On, as requested with the transcription.
  await dialog.getByRole("checkbox", { name: uk.export.timestamps }).uncheck();
  const requested = page.waitForRequest((request) => request.url().includes("/export?"));
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: uk.export.download, exact: true }).click();
  const query = new URL((await requested).url()).searchParams;
  expect(Object.fromEntries(query)).toEqual({ format: "pdf", speakers: "true", timestamps: "false" });
  expect((await downloading).suggestedFilename()).toBe("interview.pdf");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  await expect(dialog.getByRole("radio", { name: uk.export.formats.pdf.name })).toBeChecked();
  await dialog.getByRole("radio", { name: uk.export.formats.srt.name }).click();
  await expect(dialog.getByText(uk.export.timestampsAlways)).toBeVisible();
});

test("the text is exported as an interview with the chosen interviewer", async ({ page, open }) => {
  await open();
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  const dialog = page.getByRole("dialog", { name: uk.export.title });
  await dialog.getByRole("radio", { name: uk.export.formats.txt.name }).click();
  const layout = dialog.getByLabel(uk.export.layout.label);
  await expect(layout.getByRole("option")).toHaveText(Object.values(uk.export.layout.names));
  await layout.selectOption("questions");
  await expect(dialog.getByText(uk.export.layout.hints.questions)).toBeVisible();
  await dialog.getByLabel(uk.export.asks.label).selectOption("SPEAKER_1");
  await expectAccessible(page);
  const requested = page.waitForRequest((request) => request.url().includes("/export?"));
  await dialog.getByRole("button", { name: uk.export.download, exact: true }).click();
  const query = new URL((await requested).url()).searchParams;
  expect(query.get("layout")).toBe("questions");
  expect(query.get("asks")).toBe("SPEAKER_1");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  await expect(layout).toHaveValue("questions");
  // Subtitles have only one layout.
  await dialog.getByRole("radio", { name: uk.export.formats.srt.name }).click();
  await expect(layout).toBeHidden();
});

test("a link is created, copied and withdrawn", async ({ page, context, open, past }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open();
  await page.getByRole("button", { name: uk.share.open }).click();
  const dialog = page.getByRole("dialog", { name: uk.share.title });
  await expect(linksOf(dialog)).toHaveCount(2);
  await dialog.getByLabel(uk.share.expiry.label).selectOption("date");
  await dialog.getByRole("button", { name: uk.share.create }).click();
  await expect(dialog.getByText(uk.share.expiry.wrong)).toBeVisible();
  await dialog.getByLabel(uk.share.expiry.label).selectOption("never");
  await dialog.getByRole("checkbox", { name: uk.share.withMedia }).uncheck();
  await dialog.getByRole("button", { name: uk.share.create }).click();
  await expect(page.getByText(uk.share.createdCopied)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(past.shares[0]?.url);
  expect(past.asked.at(-1)?.body).toEqual({
    expires_at: null,
    with_media: false,
    with_confidence: false,
    rights: "read",
    password: null,
  });
  const row = linksOf(dialog).first();
  await expect(row).toContainText(uk.share.forever);
  await row.getByRole("button", { name: /^Відкликати посилання/ }).click();
  await row.getByRole("button", { name: uk.share.withdrawYes, exact: true }).click();
  await expect(linksOf(dialog)).toHaveCount(2);
});

test("a link can have a password, which is suggested", async ({ page, open, past }) => {
  await open();
  await page.getByRole("button", { name: uk.share.open }).click();
  const dialog = page.getByRole("dialog", { name: uk.share.title });
  await expect(linksOf(dialog)).toHaveCount(2);
  await dialog.getByRole("checkbox", { name: uk.share.password.ask }).check();
  await dialog.getByRole("button", { name: uk.share.password.suggest }).click();
  const password = await dialog.getByLabel(uk.share.password.label).inputValue();
  expect(password).toMatch(/^\w{4}(-\w{4}){3}$/);
  await dialog.getByLabel(uk.share.rights.label).selectOption("comment");
  await dialog.getByRole("checkbox", { name: uk.share.withConfidence }).check();
  await dialog.getByRole("button", { name: uk.share.create }).click();
  await expect(linksOf(dialog)).toHaveCount(3);
  expect(past.asked.at(-1)?.body).toMatchObject({ rights: "comment", with_confidence: true, with_media: true, password });
  await expect(linksOf(dialog).first()).toContainText(uk.share.withPassword);
  // It is not shown any more.
  await expect(dialog.getByLabel(uk.share.password.label)).toHaveCount(0);
});

test("a link for editing shows a warning, and requires a password or a confirmation", async ({ page, open, past }) => {
  await open();
  await page.getByRole("button", { name: uk.share.open }).click();
  const dialog = page.getByRole("dialog", { name: uk.share.title });
  await expect(linksOf(dialog)).toHaveCount(2);
  const rights = dialog.getByLabel(uk.share.rights.label);
  await expect(dialog.getByText(uk.share.editing.warning)).toHaveCount(0);
  await rights.selectOption("edit");
  await expect(rights).toHaveAccessibleDescription(uk.share.editing.warning);
  await dialog.getByRole("button", { name: uk.share.create }).click();
  await expect(dialog.getByText(uk.share.editing.unprotected)).toBeVisible();
  await expectAccessible(page);
  await expect(linksOf(dialog)).toHaveCount(2);
  const word = dialog.getByRole("checkbox", { name: uk.share.editing.confirm });
  // With a password no confirmation is needed.
  await dialog.getByRole("checkbox", { name: uk.share.password.ask }).check();
  await expect(word).toHaveCount(0);
  await dialog.getByRole("checkbox", { name: uk.share.password.ask }).uncheck();
  await word.check();
  await dialog.getByRole("button", { name: uk.share.create }).click();
  await expect(linksOf(dialog)).toHaveCount(3);
  expect(past.asked.at(-1)?.body).toMatchObject({ rights: "edit", edit_without_password: true, password: null });
  await expect(linksOf(dialog).first()).toContainText(uk.share.editsOn);
  // The next link needs a confirmation again.
  await expect(word).not.toBeChecked();
});

test("an invalid password is reported at its field", async ({ page, open, world }) => {
  await intercept(page, `**/api/v1/jobs/${world.job.my_job_id}/shares`, (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 422,
          contentType: "application/problem+json",
          json: {
            type: "about:blank",
            title: "Validation failed",
            status: 422,
            code: "validation_failed",
            request_id: "short",
            errors: [{ field: "password", code: "password_too_short", params: { min: 8 } }],
          },
        })
      : route.fallback(),
  );
  await open();
  // Later routes take precedence.
  await page.getByRole("button", { name: uk.share.open }).click();
  const dialog = page.getByRole("dialog", { name: uk.share.title });
  await dialog.getByRole("checkbox", { name: uk.share.password.ask }).check();
  const field = dialog.getByLabel(uk.share.password.label);
  await field.fill("1234");
  await dialog.getByRole("button", { name: uk.share.create }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(/8/);
});

test("a link is changed, and its password removed", async ({ page, open, past }) => {
  await open();
  await page.getByRole("button", { name: uk.share.open }).click();
  const row = linksOf(page.getByRole("dialog", { name: uk.share.title })).first();
  await expect(row).toContainText(uk.share.withPassword);
  await row.getByRole("button", { name: untilParameter(uk.share.settings.of) }).click();
  await row.getByLabel(uk.share.rights.label).selectOption("read");
  await row.getByRole("checkbox", { name: uk.share.withMedia }).uncheck();
  await row.getByRole("button", { name: uk.share.settings.save, exact: true }).click();
  await expect(row).toContainText(uk.share.textOnly);
  await expect(row).not.toContainText(uk.share.commentsOn);
  expect(past.asked.at(-1)?.body).toEqual({ rights: "read", with_media: false, with_confidence: false });
  await row.getByLabel(uk.share.password.new).fill("журавель над Россю");
  await row.getByRole("button", { name: uk.share.password.change }).click();
  await expect(page.getByText(uk.share.password.isSet)).toBeVisible();
  expect(past.asked.at(-1)?.body).toEqual({ password: "журавель над Россю", edit_without_password: false });
  await row.getByRole("button", { name: uk.share.password.remove }).click();
  await expect(row.getByText(uk.share.password.off)).toBeVisible();
  expect(past.asked.at(-1)?.body).toEqual({ password: null, edit_without_password: false });
  await expect(row).not.toContainText(uk.share.withPassword);
});

test("the owner sees openings of a link, without identifying data", async ({ page, open }) => {
  await open();
  await page.getByRole("button", { name: uk.share.open }).click();
  const row = linksOf(page.getByRole("dialog", { name: uk.share.title })).first();
  await row.getByRole("button", { name: untilParameter(uk.share.openings.of) }).click();
  const openings = row.getByRole("list", { name: uk.share.openings.list }).getByRole("listitem");
  await expect(openings).toHaveCount(3);
  await expect(openings.nth(0)).toContainText(`Firefox\u00A0· ${uk.share.devices.computer}`);
  await expect(openings.nth(1)).toContainText(`Samsung Internet\u00A0· ${uk.share.devices.phone}`);
  await expect(openings.nth(2)).toContainText(`${uk.share.openings.other}\u00A0· ${uk.share.devices.other}`);
});

test("a comment is answered and deleted; its content is shown as text", async ({ page, open, past }) => {
  const markup = '<img src=x onerror="document.title=1">';
  past.comments = past.comments.map((remark) => ({ ...remark, text: markup }));
  await open();
  await page.getByRole("button", { name: uk.share.open }).click();
  const dialog = page.getByRole("dialog", { name: uk.share.title });
  const comment = dialog.getByRole("listitem", { name: untilParameter(uk.share.comments.of) });
  await expect(comment).toContainText(markup);
  await expect(comment.locator("img")).toHaveCount(0);
  await comment.getByRole("button", { name: untilParameter(uk.share.comments.answerTo) }).click();
  await comment.getByLabel(uk.share.comments.text).fill("Так, виправлю.");
  await comment.getByRole("button", { name: uk.share.comments.send }).click();
  await expect(comment.getByText("Так, виправлю.")).toBeVisible();
  // The text is already visible in its field, before the request; and lists may be read again after it.
  await expect.poll(() => past.asked.map(({ body }) => body)).toContainEqual({ answer: "Так, виправлю." });
  await expect(comment.getByRole("button", { name: uk.share.comments.change })).toBeFocused();
  await comment.getByRole("button", { name: untilParameter(uk.share.comments.deleteThis) }).click();
  await comment.getByRole("button", { name: uk.share.comments.deleteYes, exact: true }).click();
  await expect(comment).toHaveCount(0);
});

for (const look of eachLook(LOOKS)) {
  test(`screenshots: ${look.width} ${look.theme} ${look.locale}`, async ({ page, open }) => {
    const [texts, of] = look.locale === "uk" ? ([uk, transcript] as const) : ([en, transcriptEn] as const);
    await open(look);
    // On a phone both are in the menu.
    const choose = async (wide: string, inMenu: string) => {
      if (look.width !== 390) return page.getByRole("button", { name: wide }).click();
      await page.getByRole("button", { name: of.more, exact: true }).click();
      await page.getByRole("menuitem", { name: inMenu }).click();
    };
    await choose(of.downloads.menu, of.downloads.label);
    await expect(page.getByRole("dialog", { name: texts.export.title })).toBeVisible();
    await picture(page, "export", look);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await choose(texts.share.open, texts.share.open);
    const dialog = page.getByRole("dialog");
    await expect(linksOf(dialog, texts)).toHaveCount(2);
    await picture(page, "share", look);
    await expectAccessible(page);
    const row = linksOf(dialog, texts).first();
    await row.getByRole("button", { name: untilParameter(texts.share.openings.of) }).click();
    await expect(row.getByRole("list", { name: texts.share.openings.list }).getByRole("listitem")).toHaveCount(3);
    await picture(page, "share-openings", look);
    await expectAccessible(page);
    await row.getByRole("button", { name: untilParameter(texts.share.settings.of) }).click();
    await expect(row.getByLabel(texts.share.password.new)).toBeVisible();
    await picture(page, "share-settings", look);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: untilParameter(texts.share.comments.answerTo) }).click();
    await expect(dialog.getByLabel(texts.share.comments.text)).toBeFocused();
    await picture(page, "share-comments", look);
    await expectAccessible(page);
  });
}
