/** The layout on a phone: nothing is cut, and similar elements are aligned. The API is mocked; the page is the built one. */
import type { Locator, Page } from "@playwright/test";
import { openAsAdmin, USERS } from "../admin-world";
import { test } from "../built-page";
import { mockConfigure } from "../configure-world";
import { intercept } from "../intercept";
import { JOBS, mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { LOCALES, type Locale, textsOf } from "../texts";

// Touch makes controls larger, which leaves less space for text.
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

async function open(page: Page, address: string, locale: Locale) {
  await mockApi(page, { signedIn: true, jobs: JOBS.map((job, at) => ({ ...job, is_sample: at === 2 })) });
  await mockConfigure(page);
  await page.addInitScript(
    ([session, language]) => {
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(SESSION), locale] as const,
  );
  await page.goto(address);
}

/** Texts that are partly cut off. */
const cut = (parts: Locator) =>
  parts.evaluateAll((all) =>
    all
      .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
      .map((part) => part.textContent),
  );

const boxes = (parts: Locator) =>
  parts.evaluateAll((all) =>
    all.map((part) => {
      const { left, top, right, bottom } = part.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );

/** The number of elements in each row. */
async function perLine(parts: Locator): Promise<number[]> {
  const tops = (await boxes(parts)).map(({ top }) => Math.round(top));
  return [...new Set(tops)].map((line) => tops.filter((top) => top === line).length);
}

for (const locale of LOCALES) {
  const t = textsOf(locale, "transcripts");

  test(`the library cuts neither titles nor times, and no filter is alone in a row (${locale})`, async ({ page, origin }) => {
    await open(page, `${origin}/transcriptions`, locale);
    const rows = page.locator("main time");
    await expect(rows.first()).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    expect(await cut(page.getByRole("heading", { level: 1 }))).toEqual([]);
    // Inline text has no overflow of its own, so its block is checked.
    expect(await cut(rows.locator("xpath=.."))).toEqual([]);
    for (const { right } of await boxes(rows)) expect(right, "px from the left edge").toBeLessThanOrEqual(390);
    const filters = page.getByRole("group", { name: t.filter, exact: true }).getByRole("button");
    await expect(filters).toHaveCount(5);
    expect(await perLine(filters)).toEqual([3, 2]);
    await expectAccessible(page);
  });

  test(`titles of preset tiles are aligned (${locale})`, async ({ page, origin }) => {
    const { presets } = textsOf(locale, "configure");
    await open(page, `${origin}/upload`, locale);
    await intercept(page, "**/api/v1/uploads**", () => undefined);
    const file = { name: "розмова.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("ID3") };
    await page.locator("input[type=file]").first().setInputFiles(file);
    const tiles = page.getByRole("group", { name: presets.tiles }).getByRole("button");
    await expect(tiles).toHaveCount(4);
    await page.evaluate(() => document.fonts.ready);
    const titles = await boxes(tiles.locator("> span:first-child"));
    expect(await perLine(tiles)).toEqual([2, 2]);
    expect(titles[0]?.top).toBeCloseTo(titles[1]?.top ?? 0, 0);
    expect(titles[2]?.top).toBeCloseTo(titles[3]?.top ?? 0, 0);
  });

  test(`the state of an account is in the corner of its card, also with a long address (${locale})`, async ({ page, origin }) => {
    const { status, table, you } = textsOf(locale, "admin");
    await openAsAdmin(page, `${origin}/admin/users`, { users: USERS, plans: { plans: [] } }, { locale });
    const cards = page.getByRole("list", { name: table }).getByRole("listitem");
    await expect(cards).toHaveCount(USERS.users.length);
    await page.evaluate(() => document.fonts.ready);
    const states = cards.getByText(new RegExp(`^(${status.active}|${status.blocked})$`));
    await expect(states).toHaveCount(USERS.users.length);
    const corners = await boxes(cards);
    for (const [at, { right, top }] of (await boxes(states)).entries()) {
      expect(right).toBeCloseTo(corners[at]?.right ?? 0, 0);
      expect(top - (corners[at]?.top ?? 0), "px from the top of the card").toBeCloseTo(12, 0);
    }
    // The own card has a mark beside the name.
    const ownCard = cards.filter({ hasText: you });
    await expect(ownCard).toHaveCount(1);
    const [badge] = await boxes(ownCard.getByText(you, { exact: true }));
    const [name] = await boxes(ownCard.getByText(USERS.users[0]?.fullname ?? "", { exact: true }));
    expect(((badge?.top ?? 0) + (badge?.bottom ?? 0)) / 2).toBeCloseTo(((name?.top ?? 0) + (name?.bottom ?? 0)) / 2, -1);
    await expectAccessible(page);
  });
}
