/** An upload that continues on other pages: the header shows its progress, with a link back. The API is mocked. */
import type { Page } from "@playwright/test";
import { test } from "../built-page";
import { mockConfigure } from "../configure-world";
import { type Interception, intercept } from "../intercept";
import { eachLocale } from "../looks";
import { JOBS, mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { type Locale, textsOf } from "../texts";

/** The size of a chunk. */
const PIECE = 8 * 1024 * 1024;
const NAME = "розмова.mp3";

/** A server that accepts chunks only when the test allows it. */
async function slowServer(page: Page, origin: string) {
  const waiting: Interception[] = [];
  let taken = 0;
  const tus = { "tus-resumable": "1.0.0" };
  await intercept(page, "**/api/v1/uploads", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 201, headers: { ...tus, location: `${origin}/api/v1/uploads/01981d3e-up` } })
      : route.fulfill({ json: { uploads: [] } }),
  );
  await intercept(page, "**/api/v1/uploads/*", (route) => {
    if (route.request().method() === "PATCH") waiting.push(route);
    else return route.fulfill({ status: 204, headers: tus });
  });
  return {
    takePiece: async () => {
      await expect.poll(() => waiting.length).toBe(1);
      taken += PIECE;
      await waiting.shift()?.fulfill({ status: 204, headers: { ...tus, "upload-offset": String(taken) } });
    },
  };
}

async function open(page: Page, origin: string, locale: Locale) {
  await mockApi(page, { signedIn: true, jobs: JOBS });
  await mockConfigure(page);
  const server = await slowServer(page, origin);
  await page.addInitScript(
    ([session, language]) => {
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(SESSION), locale] as const,
  );
  await page.goto(`${origin}/upload`);
  return server;
}

for (const locale of eachLocale("uk")) {
  test(`the header of other pages shows the progress of an upload, with a link back (${locale})`, async ({ page, origin }) => {
    const { nav, under_way } = textsOf(locale, "shell");
    const { items } = textsOf(locale, "upload");
    const server = await open(page, origin, locale);
    const file = { name: NAME, mimeType: "audio/mpeg", buffer: Buffer.concat([Buffer.from("ID3"), Buffer.alloc(2 * PIECE - 3)]) };
    await page.locator("input[type=file]").first().setInputFiles(file);
    await expect(page.getByText(NAME).first()).toBeVisible();
    const sign = page.getByRole("banner").getByTestId("in-progress");
    await expect(sign, "on the page of the upload itself").toHaveCount(0);

    await page.getByRole("navigation").getByRole("link", { name: nav.dashboard, exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(sign).toBeInViewport();
    await expect(sign).toHaveText(/^0\s?%$/);
    const signName = (percent: string) =>
      new RegExp(
        under_way.uploads.sending_one.replace("{{count}}", "1").replace("{{percent}}", percent).replaceAll(/\s/g, "\\s"),
      );
    await expect(sign).toHaveAccessibleName(signName("0\\s?%"));
    await expectAccessible(page);

    await server.takePiece();
    await expect(sign).toHaveText(/^50\s?%$/);
    await expect(sign).toHaveAccessibleName(signName("50\\s?%"));
    // It is visible on a phone, too, where it leaves little space for the title.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(sign).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 800 });

    await sign.click();
    await expect(page).toHaveURL(/\/upload$/);
    await expect(page.getByRole("region", { name: items.label }).getByText(NAME).first()).toBeVisible();
    await expect(sign).toHaveCount(0);
  });
}
