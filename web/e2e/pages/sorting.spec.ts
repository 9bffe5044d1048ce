/** Sorting the library: by column headings, and on a phone by a menu. The API is mocked; the page is the built one. */
import type { Page } from "@playwright/test";
import type { Job, JobPage } from "../../src/api/schema";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale } from "../looks";
import { JOBS, mockApi, SESSION } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { type Locale, textsOf } from "../texts";

/** From the oldest to the newest: name, length, state. */
const RECORDINGS: readonly (readonly [string, number | null, Job["status"]])[] = [
  ["Їжак.mp3", 120, "completed"],
  ["zoom.mp4", 3600, "cancelled"],
  ["Ґанок.wav", null, "completed"],
  ["інтерв’ю.ogg", 5, "error"],
];
/** Sorts like the server. */
const ORDERS: Record<string, readonly string[]> = {
  "-date": ["інтерв’ю.ogg", "Ґанок.wav", "zoom.mp4", "Їжак.mp3"],
  date: ["Їжак.mp3", "zoom.mp4", "Ґанок.wav", "інтерв’ю.ogg"],
  name: ["Ґанок.wav", "інтерв’ю.ogg", "Їжак.mp3", "zoom.mp4"],
  "-name": ["zoom.mp4", "Їжак.mp3", "інтерв’ю.ogg", "Ґанок.wav"],
  length: ["Ґанок.wav", "інтерв’ю.ogg", "Їжак.mp3", "zoom.mp4"],
  "-length": ["zoom.mp4", "Їжак.mp3", "інтерв’ю.ogg", "Ґанок.wav"],
  state: ["Ґанок.wav", "Їжак.mp3", "інтерв’ю.ogg", "zoom.mp4"],
  "-state": ["zoom.mp4", "інтерв’ю.ogg", "Ґанок.wav", "Їжак.mp3"],
};

/** Two per page; a cursor of another order is refused, like on the server. */
async function serve(page: Page) {
  const [base] = JOBS;
  if (!base) throw new Error("no jobs");
  const jobs = RECORDINGS.map(([original_filename, duration, status], at) => ({
    ...base,
    my_job_id: `01981d3e-0000-7000-8000-00000000000${at}`,
    created_at: `2026-11-2${at}T10:00:00Z`,
    original_filename,
    duration,
    status,
  }));
  await mockApi(page, { signedIn: true, jobs });
  await intercept(page, /\/api\/v1\/jobs\?/, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const sort = query.get("sort") ?? "-date";
    const [of = sort, from = "0"] = (query.get("cursor") ?? "").split(" ").filter(Boolean);
    const order = ORDERS[sort];
    if (!order || of !== sort) return route.fulfill({ status: 400 });
    const status = query.get("status");
    const all = order
      .flatMap((name) => jobs.filter((job) => job.original_filename === name))
      .filter((job) => !status || job.status === status);
    const end = Number(from) + 2;
    const next_cursor = end < all.length ? `${sort} ${end}` : null;
    return route.fulfill({ json: { items: all.slice(Number(from), end), next_cursor } satisfies JobPage });
  });
}

async function open(page: Page, origin: string, locale: Locale, width: number, query = "") {
  await page.setViewportSize({ width, height: 900 });
  await page.addInitScript(
    ([session, language]) => {
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(SESSION), locale] as const,
  );
  await serve(page);
  await page.goto(`${origin}/transcriptions${query}`);
}

/** The names in order of their vertical position. */
const visibleTitles = (page: Page) =>
  page.locator("[data-row-link]").evaluateAll((links) =>
    links
      .map((link) => ({ name: link.textContent ?? "", top: link.getBoundingClientRect().top }))
      .sort((one, other) => one.top - other.top)
      .map(({ name }) => name),
  );

const expectOrder = (page: Page, sort: string) => expect.poll(() => visibleTitles(page)).toEqual(ORDERS[sort]);

const expectWidth = async (page: Page, width: number) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

for (const locale of eachLocale("en")) {
  const t = textsOf(locale, "transcripts");
  const completed = textsOf(locale, "rules").job_status.completed;

  test(`column headings sort in both directions, which survives a reload (1280 ${locale})`, async ({ page, origin }) => {
    await open(page, origin, locale, 1280);
    await expectOrder(page, "-date");
    for (const [column, first, then] of [
      ["filename", "name", "-name"],
      ["status", "state", "-state"],
      ["duration", "-length", "length"],
    ] as const) {
      const head = page.getByRole("columnheader", { name: t.columns[column] });
      const button = head.getByRole("button");
      await expect(head).toHaveAttribute("aria-sort", "none");
      const before = await button.boundingBox();
      await button.click();
      await expectOrder(page, first);
      await expect(head).toHaveAttribute("aria-sort", first.startsWith("-") ? "descending" : "ascending");
      await expect(page.locator("[aria-sort=ascending], [aria-sort=descending]")).toHaveCount(1);
      expect(await button.boundingBox(), "the head stays where it was pressed").toEqual(before);
      await expect(button).toBeFocused();
      await page.keyboard.press("Enter");
      await expectOrder(page, then);
      await expect(head).toHaveAttribute("aria-sort", then.startsWith("-") ? "descending" : "ascending");
    }
    await page.reload();
    await expectOrder(page, "length");
    await expect(page.getByRole("columnheader", { name: t.columns.duration })).toHaveAttribute("aria-sort", "ascending");
    await expectWidth(page, 1280);
    await expectAccessible(page);
  });

  test(`a menu sorts on a phone, also with a filter (390 ${locale})`, async ({ page, origin }) => {
    await open(page, origin, locale, 390);
    await expectOrder(page, "-date");
    const menu = page.getByRole("combobox", { name: t.sort.label, exact: true });
    await expect(menu).toBeInViewport({ ratio: 1 });
    for (const sort of Object.keys(ORDERS)) {
      await menu.selectOption({ label: t.sort[sort as keyof typeof t.sort] });
      await expectOrder(page, sort);
    }
    await menu.selectOption("name");
    await page.getByRole("button", { name: completed, exact: true }).click();
    await expect.poll(() => visibleTitles(page)).toEqual(["Ґанок.wav", "Їжак.mp3"]);
    await page.reload();
    await expect.poll(() => visibleTitles(page)).toEqual(["Ґанок.wav", "Їжак.mp3"]);
    await expect(menu).toHaveValue("name");
    await page.getByRole("button", { name: t.all, exact: true }).click();
    await expectOrder(page, "name");
    await expectWidth(page, 390);
    await expectAccessible(page);
  });
}

test("an unknown order in the URL is ignored", async ({ page, origin }) => {
  await open(page, origin, "uk", 1280, "?sort=%22%3E%3Cscript%3E");
  await expectOrder(page, "-date");
});
