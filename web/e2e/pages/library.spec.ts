/** The library: search, filters, selection and bulk actions. The API is mocked; the page is the built one. */
import type { Page } from "@playwright/test";
import type { HitPage, Job, SearchPage } from "../../src/api/schema";
import commonEn from "../../src/locales/en/common.json" with { type: "json" };
import textsEn from "../../src/locales/en/transcripts.json" with { type: "json" };
import commonUk from "../../src/locales/uk/common.json" with { type: "json" };
import textsUk from "../../src/locales/uk/transcripts.json" with { type: "json" };
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale, eachLook, shoot } from "../looks";
import { foundIn, hitAt, JOBS, mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { anyCount, textsOf } from "../texts";

type Locale = "uk" | "en";
const TEXTS = { uk: { ...textsUk, common: commonUk }, en: { ...textsEn, common: commonEn } } as const;
const MANY = 1_200;
const PAGE = 50;

/** Opens the library with these jobs. */
async function open(page: Page, origin: string, { locale = "uk", query = "" }: { locale?: Locale; query?: string } = {}) {
  await page.addInitScript(
    ([session, language]) => {
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(SESSION), locale] as const,
  );
  await page.goto(`${origin}/transcriptions${query}`);
}

const rows = (page: Page) => page.locator("[data-row-link]");
const boxes = (page: Page) => page.getByRole("checkbox");

test.beforeEach(async ({ page }) => mockApi(page, { signedIn: true, jobs: JOBS }));

for (const locale of eachLocale("uk")) {
  const t = TEXTS[locale];
  test(`names and texts are searched together, and a passage opens at its second (${locale})`, async ({ page, origin }) => {
    await open(page, origin, { locale });
    await expect(rows(page).first()).toBeVisible();
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: t.search })).toBeFocused();
    await page.keyboard.type("музе");
    await expect(page).toHaveURL(/q=/);
    const passages = page.getByRole("region", { name: t.said.title });
    await expect(passages.locator("mark").first()).toHaveText("музей");
    await expect(page.getByRole("heading", { name: t.named })).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await expectAccessible(page);
    const passage = passages.getByRole("link", { name: /30:34/ }).first();
    await expect(passage).toHaveAttribute("href", /\/transcription\/[\w-]+\?t=1834\.2$/);
    await expect(passage).toContainText("S2");
  });
}

/** The first recording has this many matches, in pages like those of the server. */
async function withPlaces(page: Page, count: number) {
  await intercept(page, "**/api/v1/search?**", async (route) => {
    const [first, ...rest] = foundIn(JOBS);
    const items = first ? [{ ...first, hit_count: count }, ...rest] : [];
    await route.fulfill({ json: { items, next_cursor: null } satisfies SearchPage });
  });
  await intercept(page, "**/api/v1/search/*?**", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [from, limit] = [Number(query.get("cursor") ?? 0), Number(query.get("limit"))];
    const items = Array.from({ length: Math.min(limit, count - from) }, (_, at) => hitAt(from + at));
    const next_cursor = from + limit < count ? String(from + limit) : null;
    await route.fulfill({ json: { items, count, next_cursor } satisfies HitPage });
  });
}

for (const locale of eachLocale("uk")) {
  const t = textsOf(locale, "transcripts");
  test(`all matches of a recording can be listed, and each opens at its second (${locale})`, async ({ page, origin }) => {
    const count = 70;
    await withPlaces(page, count);
    await open(page, origin, { locale, query: `?q=${encodeURIComponent("музеї")}` });
    const passages = page.getByRole("region", { name: t.said.title });
    await expect(passages.getByText(t.said.hint)).toBeVisible();
    const places = passages.getByRole("listitem").first().getByRole("listitem");
    await expect(places).toHaveCount(2);
    const all = passages.getByRole("button", { name: anyCount(t.said, "all") });
    await expect(all).toHaveAttribute("aria-expanded", "false");
    await all.focus();
    await page.keyboard.press("Enter");
    await expect(places).toHaveCount(50);
    const less = passages.getByRole("button", { name: t.said.fewer });
    await expect(less).toBeFocused();
    await expect(less).toHaveAttribute("aria-expanded", "true");
    await passages.getByRole("button", { name: t.load_more }).click();
    await expect(places).toHaveCount(count);
    await expect(passages.getByRole("button", { name: t.load_more })).toBeHidden();
    await expect(places.nth(count - 1).getByRole("link")).toHaveAttribute("href", /\/transcription\/[\w-]+\?t=124234\.2$/);
    await expect(places.nth(count - 1).locator("mark")).toHaveText("музей");
    await expectAccessible(page);
    await less.click();
    await expect(places).toHaveCount(2);
  });
}

test("loading matches can be retried, and they fit on a phone", async ({ page, origin }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await withPlaces(page, 9);
  let broken = true;
  await intercept(page, "**/api/v1/search/*?**", (route) => (broken ? route.abort() : route.fallback()));
  await open(page, origin, { query: `?q=${encodeURIComponent("музей")}` });
  const t = textsOf("uk", "transcripts");
  const passages = page.getByRole("region", { name: t.said.title });
  await passages.getByRole("button", { name: anyCount(t.said, "all") }).click();
  const alert = passages.getByRole("alert");
  await expect(alert).toBeVisible();
  broken = false;
  await alert.getByRole("button", { name: textsOf("uk", "common").actions.try_again }).click();
  await expect(passages.getByRole("listitem").first().getByRole("listitem")).toHaveCount(9);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("an empty search result is reported, and a failed search can be retried", async ({ page, origin }) => {
  let broken = true;
  await intercept(page, "**/api/v1/search?**", (route) => (broken ? route.abort() : route.fallback()));
  await open(page, origin, { query: `?q=${encodeURIComponent("зебра")}` });
  await expect(page.getByText(textsUk.nothing.named)).toBeVisible();
  const alert = page.getByRole("alert").filter({ hasText: textsUk.said.failed.split(":")[0] ?? "" });
  await expect(alert).toBeVisible();
  broken = false;
  await alert.getByRole("button", { name: commonUk.actions.try_again }).click();
  await expect(page.getByText(textsUk.said.nothing)).toBeVisible();
  await page.getByRole("button", { name: textsUk.nothing.reset }).click();
  await expect(rows(page)).toHaveCount(JOBS.length);
});

test("filters are in the URL and are sent in the reader's time zone", async ({ page, origin }) => {
  const queries: URLSearchParams[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/api/v1/jobs") queries.push(url.searchParams);
  });
  await open(page, origin);
  await page.getByRole("button", { name: textsUk.filters }).click();
  await page.getByLabel(textsUk.mode, { exact: true }).selectOption("lite");
  await page.getByLabel(textsUk.language).selectOption("en");
  await page.getByLabel(textsUk.from).fill("2026-11-01");
  await page.getByLabel(textsUk.to).fill("2026-11-30");
  await expect(page).toHaveURL(/mode=lite&language=en&from=2026-11-01&to=2026-11-30$/);
  await expect.poll(() => queries.at(-1)?.get("to")).toMatch(/T\d\d:00:00\.000Z$/);
  const last = queries.at(-1);
  const days = (Date.parse(last?.get("to") ?? "") - Date.parse(last?.get("from") ?? "")) / 86_400_000;
  expect(days).toBe(30);
  expect([last?.get("mode"), last?.get("language")]).toEqual(["lite", "en"]);
  await page.reload();
  await expect(page.getByLabel(textsUk.from)).toHaveValue("2026-11-01");
  await expectAccessible(page);
  await page.getByRole("button", { name: textsUk.clear_filters }).click();
  await expect(page).toHaveURL(/\/transcriptions$/);
});

test("rows are focused, selected with Shift and opened by keyboard", async ({ page, origin }) => {
  await open(page, origin);
  await rows(page).first().focus();
  await page.keyboard.press("ArrowDown");
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+Space");
  await expect(page.getByText(textsUk.bulk.chosen_few.replace("{{count}}", "3"))).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: textsUk.bulk.label })).toBeHidden();
  await page.keyboard.press("End");
  await expect(rows(page).last()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/transcription\/[\w-]+$/);
});

test("several jobs are deleted at once, with ten seconds for undo", async ({ page, origin }) => {
  await page.clock.install();
  const deleted: string[][] = [];
  await intercept(page, "**/api/v1/jobs/bulk/delete", async (route) => {
    const { jobs } = route.request().postDataJSON() as { jobs: string[] };
    deleted.push(jobs);
    await route.fulfill({ json: { results: jobs.map((id) => ({ id, code: null, job: null })) } });
  });
  await open(page, origin);
  await boxes(page).nth(1).click();
  await boxes(page)
    .nth(3)
    .click({ modifiers: ["Shift"] });
  const bar = page.getByRole("region", { name: textsUk.bulk.label });
  await bar.getByRole("button", { name: commonUk.actions.delete }).click();
  await expect(rows(page)).toHaveCount(JOBS.length - 3);
  await page.getByRole("button", { name: commonUk.actions.undo }).click();
  await expect(rows(page)).toHaveCount(JOBS.length);
  await page.clock.fastForward(11_000);
  expect(deleted).toEqual([]);

  await boxes(page).nth(1).click();
  await boxes(page).nth(2).click();
  await bar.getByRole("button", { name: commonUk.actions.delete }).click();
  await page.clock.fastForward(11_000);
  await expect.poll(() => deleted).toEqual([JOBS.slice(0, 2).map((job) => job.my_job_id)]);
});

test("failed jobs are restarted together, and a refusal is reported", async ({ page, origin }) => {
  await intercept(page, "**/api/v1/jobs/bulk/retry", async (route) => {
    const { jobs } = route.request().postDataJSON() as { jobs: string[] };
    const results = jobs.map((id, at) => ({ id, code: at === 0 ? "job_under_way" : null, job: null }));
    await route.fulfill({ json: { results } });
  });
  await open(page, origin);
  await page.getByRole("checkbox", { name: textsUk.choose_all }).click();
  const bar = page.getByRole("region", { name: textsUk.bulk.label });
  await bar.getByRole("button", { name: textsUk.bulk.retry_few.replace("{{count}}", "3") }).click();
  await expect(page.getByText(textsUk.bulk.refused_one.replace("{{count}}", "1"))).toBeVisible();
});

for (const { locale, theme } of eachLook([
  { locale: "uk", theme: "light", width: 390 },
  { locale: "en", theme: "dark", width: 390 },
])) {
  const t = TEXTS[locale];
  test(`on a phone all bulk actions are visible (${locale}, ${theme})`, async ({ page, origin }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: theme });
    await open(page, origin, { locale });
    for (const { original_filename: name } of JOBS) {
      await page.getByRole("checkbox", { name: t.choose.replace("{{name}}", name), exact: true }).click();
    }
    const bar = page.getByRole("region", { name: t.bulk.label });
    const buttons = bar.getByRole("button");
    await expect(buttons).toHaveCount(6);
    await expect(bar).toBeInViewport({ ratio: 1 });
    for (const button of await buttons.all()) {
      const { x = -1, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(390);
      // Large enough for touch.
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await shoot(page, `e2e/shots/library-bulk-390-${theme}-${locale}.png`);
    await expectAccessible(page);

    // The last row is visible above the bar.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const overlap = async () => {
      const [last, over] = [await rows(page).last().boundingBox(), await bar.boundingBox()];
      return (last?.y ?? Number.NaN) + (last?.height ?? 0) - (over?.y ?? 0);
    };
    await expect.poll(overlap).toBeLessThanOrEqual(0);

    await bar.getByRole("button", { name: t.bulk.export }).click();
    const sheet = page.getByRole("dialog");
    await expect(sheet).toBeVisible();
    await expect(sheet.getByRole("button", { name: t.common.actions.cancel })).toBeInViewport({ ratio: 1 });
    await sheet.getByRole("button", { name: t.common.actions.cancel }).click();
    await expect(sheet).toBeHidden();
    await bar.getByRole("button", { name: t.bulk.clear }).click();
    await expect(bar).toBeHidden();
  });
}

test("a long library loads while scrolling, and renders only near rows", async ({ page, origin }) => {
  const first = JOBS[2] as Job;
  const all = Array.from({ length: MANY }, (_, at) => ({
    ...first,
    my_job_id: `01981d3e-7c2a-7aa0-9d61-${String(at).padStart(12, "0")}`,
    original_filename: `Запис ${at + 1}.mp3`,
  }));
  await intercept(page, "**/api/v1/jobs?**", async (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0);
    const next = from + PAGE < MANY ? String(from + PAGE) : null;
    await route.fulfill({ json: { items: all.slice(from, from + PAGE), next_cursor: next } });
  });
  await open(page, origin);
  await expect(rows(page).first()).toHaveText("Запис 1.mp3");
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(page.getByRole("link", { name: `Запис ${MANY}.mp3` })).toBeVisible({ timeout: 200 });
    // One poll per page: the intervals of polling would grow to a second.
  }).toPass({ intervals: [50] });
  expect(await rows(page).count()).toBeLessThan(60);
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", String(MANY + 1));
});
