/** From the landing page of a newly installed server to the text of a first recording: in few clicks, without errors. */
import { fileURLToPath } from "node:url";
import { test as base, expect, type Page } from "@playwright/test";
import { freshEmail, PASSWORD } from "./accounts";
import { eachLocale } from "./looks";
import { lastMail } from "./mailbox";
import { Server } from "./server";
import { BROWSER_LOCALE, LOCALE_NAMES, textsOf } from "./texts";

const MAX_CLICKS = 10;

/** The recordings of the landing page. Small models do not understand the synthetic Ukrainian one; any Ukrainian words pass. */
const SPOKEN = {
  uk: { file: "slovo-uk.mp3", text: /([а-яґєіїʼ’]{2,}[^а-яґєії]+){8}/i, preset: "Нарада з мовцями" },
  en: { file: "inaugural-1961.mp3", text: /country/i, preset: "Meeting with speakers" },
} as const;

const test = base.extend<{ plain: Server }>({
  plain: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      // No edition, language model or mail server is configured.
      const server = await Server.start({ SLOVO_EDITION: undefined });
      await use(server);
      await server.stop();
    },
    { timeout: 120_000 },
  ],
});

interface PageRecord {
  /** The labels of pressed elements. */
  clicks: string[];
  /** Failed requests, console errors, and alerts. */
  wrong: string[];
}

/** Counts mouse presses and records errors on all following pages. */
async function notice(page: Page): Promise<PageRecord> {
  const noticed: PageRecord = { clicks: [], wrong: [] };
  page.on("response", (answer) => {
    if (answer.status() >= 400) noticed.wrong.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });
  page.on("console", (message) => message.type() === "error" && noticed.wrong.push(message.text()));
  page.on("pageerror", (error) => noticed.wrong.push(String(error)));
  await page.exposeFunction("noticeClick", (on: string) => noticed.clicks.push(on));
  await page.exposeFunction("noticeAlert", (text: string) => noticed.wrong.push(text));
  await page.addInitScript(() => {
    const observer = window as unknown as { noticeClick: (on: string) => void; noticeAlert: (text: string) => void };
    const pressed = ({ isTrusted, target }: Event) => {
      if (isTrusted && target instanceof Element) observer.noticeClick(`${target.tagName} ${target.textContent?.trim()}`);
    };
    // Not on the window, where Playwright suppresses clicks that would miss their target, and retries.
    document.addEventListener("pointerdown", pressed, true);
    const seen = new Set<string>();
    new MutationObserver(() => {
      for (const alert of document.querySelectorAll("[role=alert]")) {
        const text = alert.textContent?.trim() ?? "";
        if (text === "" || seen.has(text)) continue;
        seen.add(text);
        observer.noticeAlert(text);
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return noticed;
}

/** Uses the keyboard from the current focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await expect(field).toBeVisible();
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return field.evaluate((element) => element === document.activeElement);
    })
    .toBe(true);
}

for (const locale of eachLocale("en")) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale: BROWSER_LOCALE[locale] });

    test("a new visitor gets the text of a recording in ten clicks without errors", async ({ page, plain }) => {
      const auth = textsOf(locale, "auth");
      const { file, text, preset } = SPOKEN[locale];
      const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
      const email = freshEmail();
      const noticed = await notice(page);

      await page.goto(plain.origin);
      // Pages start in Ukrainian, regardless of the browser's language.
      if (locale !== "uk") await page.getByRole("banner").getByRole("link", { name: LOCALE_NAMES[locale] }).first().click();
      await expect(page.locator("html")).toHaveAttribute("lang", locale);
      await page
        .getByRole("main")
        .getByRole("link", { name: textsOf(locale, "home").hero.start })
        .first()
        .click();
      // The newsletter form of the previous page has a field of the same name.
      await expect(page).toHaveURL(/\/signup/);

      await test.step("sign up with the mailed code", async () => {
        await page.getByLabel(auth.email, { exact: true }).click();
        await page.keyboard.type(email);
        await tabTo(page, auth.password);
        await page.keyboard.type(PASSWORD);
        await tabTo(page, auth.confirm_password);
        await page.keyboard.type(PASSWORD);
        await page.getByRole("checkbox").click();
        await press(auth.signup.submit);
        await expect(page).toHaveURL(/\/verify$/);
        const { code } = await lastMail(plain, email);
        await tabTo(page, auth.verify.code);
        await page.keyboard.type(code ?? "");
        await page.keyboard.press("Enter");
        await expect(page).toHaveURL(/\/profile$/);
        await tabTo(page, auth.profile.fullname);
        await page.keyboard.type("Levko");
        await page.keyboard.press("Enter");
      });

      await test.step("choose a recording and the first preset", async () => {
        await page.getByRole("link", { name: auth.success.start }).click();
        await page
          .getByRole("banner")
          .getByRole("link", { name: textsOf(locale, "common").new_transcription })
          .click();
        // The dashboard has a button of the same name, which disappears when the next page is loaded.
        await expect(page.getByRole("tablist", { name: textsOf(locale, "upload").sources })).toBeVisible();
        const choosing = page.waitForEvent("filechooser");
        await press(textsOf(locale, "upload").drop.choose);
        await (await choosing).setFiles(fileURLToPath(new URL(`../public/demo/${file}`, import.meta.url)));
        const configure = textsOf(locale, "configure");
        const tile = page.getByRole("group", { name: configure.presets.tiles }).getByRole("button").first();
        await expect(tile).toContainText(preset);
        await tile.click();
        await expect(tile).toHaveAttribute("aria-pressed", "true");
        await expect(page.getByLabel(configure.language.label)).toHaveValue(locale);
        await expect(page.getByText(textsOf(locale, "upload").transfer.ready)).toBeVisible();
        await press(configure.actions.start);
      });

      await expect(page).toHaveURL(/\/transcription\/[0-9a-f-]{36}$/);
      await expect(page.getByTestId("transcript-text")).toContainText(text, { timeout: 200_000 });
      await expect(page.locator("html")).toHaveAttribute("lang", locale);
      expect(noticed.wrong).toEqual([]);
      expect(noticed.clicks.length, noticed.clicks.join("\n")).toBeLessThanOrEqual(MAX_CLICKS);
      expect(noticed.clicks.length, "the clicks are counted").toBeGreaterThan(5);
    });
  });
}
