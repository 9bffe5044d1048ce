/** Recordings by URL if the server cannot extract media from web pages: not offered, with the reason. The API is mocked. */
import type { Page } from "@playwright/test";
import type { Session } from "../../src/api/schema";
import { EVERYTHING } from "../../src/api/test-capabilities";
import { ADMIN } from "../admin-world";
import { test } from "../built-page";
import { mockConfigure, RECOGNITION_ONLY } from "../configure-world";
import { eachLocale } from "../looks";
import { mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { type Locale, textsOf, untilParameter } from "../texts";

interface OpenOptions {
  session: Session;
  locale: Locale;
  capabilities?: typeof EVERYTHING;
}

async function open(page: Page, origin: string, { session, locale, capabilities = RECOGNITION_ONLY }: OpenOptions) {
  await mockApi(page, { signedIn: true, jobs: [] });
  await mockConfigure(page, { capabilities });
  await page.addInitScript(
    ([stored, language]) => {
      localStorage.setItem("slovo.session", stored);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(session), locale] as const,
  );
  await page.goto(`${origin}/upload?source=url`);
}

for (const locale of eachLocale("uk")) {
  const { url } = textsOf(locale, "upload");
  const field = (page: Page) => page.getByRole("textbox", { name: url.label });

  test(`a user sees the reason, and web pages are not offered (${locale})`, async ({ page, origin }) => {
    await open(page, origin, { session: SESSION, locale });
    await expect(page.getByText(url.no_pages)).toBeInViewport();
    await expect(field(page)).toHaveAccessibleDescription(url.hint_files);
    // URLs of such pages are not marked as supported either.
    await field(page).fill("https://www.youtube.com/watch?v=jNQXAC9IVRw");
    await expect(page.locator("body")).not.toContainText(/youtube/i);
    await expect(page.getByRole("img", { name: /youtube/i })).toHaveCount(0);
    await expect(page.getByText(/SLOVO_YT_DLP/)).toHaveCount(0);
    await expectAccessible(page);
  });

  test(`an administrator also sees how to enable it (${locale})`, async ({ page, origin }) => {
    await open(page, origin, { session: ADMIN, locale });
    await expect(page.getByText(url.no_pages)).toBeInViewport();
    const way = page.getByText(untilParameter(url.no_pages_way.replace("<way>", "{{")));
    await expect(way).toBeInViewport();
    const link = way.getByRole("link", { name: "yt-dlp" });
    await expect(link).toBeInViewport();
    await expect(link).toHaveAttribute("href", "https://github.com/yt-dlp/yt-dlp/wiki/Installation");
    await expectAccessible(page);
  });

  test(`web pages are offered if supported (${locale})`, async ({ page, origin }) => {
    await open(page, origin, { session: ADMIN, locale, capabilities: { ...EVERYTHING, media_pages: true } });
    await expect(field(page)).toHaveAccessibleDescription(/YouTube/);
    await expect(page.getByText(url.no_pages)).toHaveCount(0);
  });
}
