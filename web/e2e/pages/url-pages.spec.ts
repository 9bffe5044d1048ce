/** Recordings from an address where the server cannot look into pages: no promise of them, and the reason. The API is mocked. */
import type { Page } from "@playwright/test";
import type { Session } from "../../src/api/schema";
import { EVERYTHING } from "../../src/api/test-capabilities";
import { ADMIN } from "../admin-world";
import { test } from "../built-page";
import { mockConfigure, RECOGNITION_ONLY } from "../configure-world";
import { mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { beginning, LOCALES, type Locale, textsOf } from "../texts";

interface As {
  session: Session;
  locale: Locale;
  capabilities?: typeof EVERYTHING;
}

async function open(page: Page, origin: string, { session, locale, capabilities = RECOGNITION_ONLY }: As) {
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

for (const locale of LOCALES) {
  const { url } = textsOf(locale, "upload");
  const field = (page: Page) => page.getByRole("textbox", { name: url.label });

  test(`a reader is told why, and no page is promised (${locale})`, async ({ page, origin }) => {
    await open(page, origin, { session: SESSION, locale });
    await expect(page.getByText(url.no_pages)).toBeInViewport();
    await expect(field(page)).toHaveAccessibleDescription(url.hint_files);
    // An address of it is not marked as one that is known, either.
    await field(page).fill("https://www.youtube.com/watch?v=jNQXAC9IVRw");
    await expect(page.locator("body")).not.toContainText(/youtube/i);
    await expect(page.getByRole("img", { name: /youtube/i })).toHaveCount(0);
    await expect(page.getByText(/SLOVO_YT_DLP/)).toHaveCount(0);
    await expectAccessible(page);
  });

  test(`an administrator is told the way, too (${locale})`, async ({ page, origin }) => {
    await open(page, origin, { session: ADMIN, locale });
    await expect(page.getByText(url.no_pages)).toBeInViewport();
    const way = page.getByText(beginning(url.no_pages_way.replace("<way>", "{{")));
    await expect(way).toBeInViewport();
    const link = way.getByRole("link", { name: "yt-dlp" });
    await expect(link).toBeInViewport();
    await expect(link).toHaveAttribute("href", "https://github.com/yt-dlp/yt-dlp/wiki/Installation");
    await expectAccessible(page);
  });

  test(`where pages are looked into, they are offered (${locale})`, async ({ page, origin }) => {
    await open(page, origin, { session: ADMIN, locale, capabilities: { ...EVERYTHING, media_pages: true } });
    await expect(field(page)).toHaveAccessibleDescription(/YouTube/);
    await expect(page.getByText(url.no_pages)).toHaveCount(0);
  });
}
