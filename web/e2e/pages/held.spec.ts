/** Held analyses: shown above the list, and started with one click when there is a language model. The API is mocked. */
import type { Page } from "@playwright/test";
import type { HeldParts, RunningParts } from "../../src/api/schema";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale } from "../looks";
import { JOBS, mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { anyCount, type Locale, textsOf } from "../texts";

const WAITING: HeldParts = {
  parts: [
    { part: "summary", is_available: true, recordings: 3 },
    { part: "chapters", is_available: true, recordings: 2 },
    { part: "translation", is_available: false, recordings: 9 },
  ],
};

async function open(page: Page, origin: string, locale: Locale) {
  await page.addInitScript(
    ([session, language]) => {
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(SESSION), locale] as const,
  );
  await page.goto(`${origin}/transcriptions`);
}

test.beforeEach(async ({ page }) => mockApi(page, { signedIn: true, jobs: JOBS }));

for (const locale of eachLocale("en")) {
  const { held } = textsOf(locale, "analysis");

  test(`available held analyses are offered, start for all recordings, and are then hidden (${locale})`, async ({
    page,
    origin,
  }) => {
    let parts = WAITING;
    const requests: unknown[] = [];
    await intercept(page, "**/api/v1/held-analyses", (route) => {
      if (route.request().method() === "GET") return route.fulfill({ json: parts });
      requests.push(route.request().postDataJSON());
      parts = { parts: [] };
      return route.fulfill({ json: { queued: 5 } satisfies RunningParts });
    });
    await open(page, origin, locale);
    const banner = page.getByRole("region", { name: held.all.label });
    await expect(banner).toBeInViewport();
    // Analyses that are still unavailable are not counted.
    await expect(banner.getByText(anyCount(held.all, "ready"))).toContainText("3");
    await expectAccessible(page);
    await banner.getByRole("button", { name: held.all.run }).click();
    await expect(page.getByText(anyCount(held, "started"))).toContainText("5");
    await expect(banner).toHaveCount(0);
    expect(requests).toEqual([{ job_id: null }]);
  });

  test(`a refusal is shown, and can be retried (${locale})`, async ({ page, origin }) => {
    await intercept(page, "**/api/v1/held-analyses", (route) =>
      route.request().method() === "GET"
        ? route.fulfill({ json: WAITING })
        : route.fulfill({ json: { queued: 0 } satisfies RunningParts }),
    );
    await open(page, origin, locale);
    const run = page.getByRole("region", { name: held.all.label }).getByRole("button", { name: held.all.run });
    await run.click();
    await expect(page.getByText(held.nothing)).toBeVisible();
    await expect(run).toBeEnabled();
  });
}

test("unavailable analyses are not offered", async ({ page, origin }) => {
  const parts = WAITING.parts.filter(({ is_available }) => !is_available);
  const answered = page.waitForResponse("**/api/v1/held-analyses");
  await intercept(page, "**/api/v1/held-analyses", (route) => route.fulfill({ json: { parts } satisfies HeldParts }));
  await open(page, origin, "uk");
  await answered;
  await expect(
    page
      .getByText(JOBS[7]?.original_filename ?? "")
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("region", { name: textsOf("uk", "analysis").held.all.label })).toHaveCount(0);
});
