/** Titles, tags and folders of transcripts. The API is mocked; the page is the built one. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import type { Job, JobGroup, JobPage, Problem } from "../../src/api/schema";
import { test as built } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale, eachWidth, shoot } from "../looks";
import { JOBS, mockApi, SESSION } from "../mock-api";
import { expectAccessible } from "../test";
import { type Locale, textsOf } from "../texts";
import { expect, picture, test } from "../workplace";

const answer = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { "content-type": status < 400 ? "application/json" : "application/problem+json" });
  response.end(JSON.stringify(body));
};

const REFUSAL: Problem = {
  type: "about:blank",
  title: "validation failed",
  status: 422,
  code: "validation_failed",
  request_id: "picture",
  errors: [{ field: "title", code: "too_long", params: { max: 200, length: 201 } }],
};

/** Stores titles; a long one is refused, like on the server. */
function titled(job: Job, titles: string[]) {
  return (request: IncomingMessage, response: ServerResponse, of: string, body: unknown): boolean => {
    if (request.method !== "PUT" || of !== "/title") return false;
    const { title } = body as { title: string };
    titles.push(title);
    if (title.length > 200) answer(response, 422, REFUSAL);
    else answer(response, 200, Object.assign(job, { title: title || null }));
    return true;
  };
}

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

for (const locale of eachLocale("en")) {
  const { naming } = textsOf(locale, "shell");
  const common = textsOf(locale, "common");

  for (const wide of eachWidth(locale)) {
    test(`a transcript gets a title in its header (${wide} ${locale})`, async ({ page, open, world }) => {
      const titles: string[] = [];
      world.also = titled(world.job, titles);
      await open({ locale, width: wide });
      const file = world.job.original_filename;
      const heading = page.getByRole("heading", { level: 1 });
      const pencil = page.getByRole("button", { name: naming.open });
      const box = page.getByRole("textbox", { name: naming.label });
      await picture(page, "title", { locale, width: wide, theme: "light" });

      await pencil.click();
      await expect(box).toBeFocused();
      await expect(box).toHaveValue(file);
      expect(await width(page)).toBe(wide);
      await picture(page, "title-form", { locale, width: wide, theme: "light" });
      await page.keyboard.press("Escape");
      await expect(box).toBeHidden();
      await expect(pencil).toBeFocused();
      await expect(heading).toHaveText(file);
      expect(titles).toEqual([]);

      // The default title is selected, so that typing replaces it.
      await page.keyboard.press("Enter");
      await expect(box).toBeFocused();
      await page.keyboard.type("Розмова <b>v1.2</b>");
      await page.keyboard.press("Enter");
      await expect(heading).toHaveText("Розмова <b>v1.2</b>");
      await expect(pencil).toBeFocused();
      await expect(page).toHaveTitle(/^Розмова <b>v1\.2<\/b> · /);
      if (wide === 1280) {
        await expect(page.getByRole("listitem").filter({ hasText: "Розмова <b>v1.2</b>" })).toBeVisible();
        // The details still show the file's name.
        await expect(page.getByRole("region", { name: textsOf(locale, "transcript").card.label })).toContainText(file);
      }
      await page.reload();
      await expect(heading).toHaveText("Розмова <b>v1.2</b>");
      await expectAccessible(page);

      await pencil.click();
      await box.fill("");
      await box.press("Enter");
      await expect(heading).toHaveText(file);
      expect(titles).toEqual(["Розмова <b>v1.2</b>", ""]);
    });

    test(`a refused title stays in its field, with the reason (${wide} ${locale})`, async ({ page, open, world }) => {
      world.also = titled(world.job, []);
      await open({ locale, width: wide });
      await page.getByRole("button", { name: naming.open }).click();
      const box = page.getByRole("textbox", { name: naming.label });
      const long = "ї".repeat(201);
      await box.fill(long);
      await page.getByRole("button", { name: naming.save }).click();
      await expect(box).toHaveAttribute("aria-invalid", "true");
      await expect(box).toBeFocused();
      await expect(box).toHaveValue(long);
      await expect(box).toHaveAccessibleDescription(/200/);
      await expect(page.getByText(/200/).first()).toBeInViewport({ ratio: 1 });
      expect(await width(page)).toBe(wide);
      await picture(page, "title-refused", { locale, width: wide, theme: "light" });
      await expectAccessible(page);
      await page.getByRole("button", { name: common.actions.cancel, exact: true }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(world.job.original_filename);
    });
  }
}

test("another user’s transcript cannot be renamed", async ({ page, open, world }) => {
  Object.assign(world.job, { title: "Чужа назва", owner: { id: "b", email: "b@example.org", fullname: null } });
  await open({}, "admin");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Чужа назва");
  await expect(page.getByRole("button", { name: textsOf("uk", "shell").naming.open })).toHaveCount(0);
});

const TAGS: JobGroup[] = [
  { id: "01981d3e-0000-7000-8000-0000000000a1", name: "<i>Терміново</i>", color: 3 },
  { id: "01981d3e-0000-7000-8000-0000000000a2", name: "їжаки", color: 5 },
];
const FOLDERS: JobGroup[] = [{ id: "01981d3e-0000-7000-8000-0000000000f1", name: "Музей", color: 1 }];

/** The library with stored tags and folders, and one job. */
async function library(page: Page, origin: string, locale: Locale) {
  const jobs = structuredClone([...JOBS]);
  const [first] = jobs;
  if (first) Object.assign(first, { title: "Розмова з директоркою", tags: [TAGS[0]?.id], folder: FOLDERS[0]?.id });
  const groups = { tags: [...TAGS], folders: [...FOLDERS] };
  await mockApi(page, { signedIn: true, jobs });
  await intercept(page, /\/api\/v1\/(tags|folders)(\/[\w-]+)?$/, async (route) => {
    const [, kind, id] = /\/(tags|folders)(?:\/([\w-]+))?$/.exec(new URL(route.request().url()).pathname) ?? [];
    const all = groups[kind as keyof typeof groups];
    const method = route.request().method();
    if (method === "GET") return route.fulfill({ json: all });
    const at = all.findIndex((entry) => entry.id === id);
    if (method === "DELETE") {
      all.splice(at, 1);
      return route.fulfill({ status: 204 });
    }
    const group = { id: id ?? crypto.randomUUID(), ...(route.request().postDataJSON() as Omit<JobGroup, "id">) };
    all.splice(at < 0 ? all.length : at, at < 0 ? 0 : 1, group);
    return route.fulfill({ status: method === "POST" ? 201 : 200, json: group });
  });
  await intercept(page, /\/api\/v1\/jobs\?/, (route) => {
    const { searchParams } = new URL(route.request().url());
    const [tag, folder] = [searchParams.get("tag"), searchParams.get("folder")];
    const items = jobs.filter((job) => (!tag || job.tags.includes(tag)) && (!folder || job.folder === folder));
    return route.fulfill({ json: { items, next_cursor: null } satisfies JobPage });
  });
  await intercept(page, /\/api\/v1\/jobs\/bulk\/(tag|folder)$/, (route) => {
    const requested = route.request().postDataJSON() as { jobs: string[]; tag?: string; on?: boolean; folder?: string | null };
    const chosen = jobs.filter((job) => requested.jobs.includes(job.my_job_id));
    for (const job of chosen) {
      if (requested.tag === undefined) job.folder = requested.folder ?? null;
      else job.tags = [...job.tags.filter((tag) => tag !== requested.tag), ...(requested.on ? [requested.tag] : [])];
    }
    return route.fulfill({ json: { results: chosen.map((job) => ({ id: job.my_job_id, code: null, job })) } });
  });
  await page.addInitScript(
    ([session, language]) => {
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(SESSION), locale] as const,
  );
  await page.goto(`${origin}/transcriptions`);
}

for (const locale of eachLocale("en")) {
  const t = textsOf(locale, "transcripts");
  const named = (text: string, name: string) => text.replace("{{name}}", name);

  for (const wide of eachWidth(locale)) {
    built.describe(`the library (${wide} ${locale})`, () => {
      built.use({ viewport: { width: wide, height: 844 } });
      const rows = (page: Page) => page.locator("[data-row-link]");

      built("shows titles, tags and folders, and is narrowed by them", async ({ page, origin }) => {
        await library(page, origin, locale);
        await expect(rows(page).first()).toHaveText("Розмова з директоркою");
        const chips = page.getByRole("list", { name: t.groups.of_row });
        await expect(chips).toHaveCount(1);
        await expect(chips.getByRole("listitem")).toHaveText(["Музей", "<i>Терміново</i>"]);
        await page.getByRole("button", { name: t.filters }).click();
        await page.getByRole("combobox", { name: t.groups.tags.filter }).selectOption("<i>Терміново</i>");
        await expect(rows(page)).toHaveCount(1);
        await expect(page).toHaveURL(new RegExp(`tag=${TAGS[0]?.id}`));
        await page.getByRole("combobox", { name: t.groups.tags.filter }).selectOption("їжаки");
        await expect(page.getByText(t.nothing.title)).toBeVisible();
        await page.getByRole("button", { name: t.clear_filters }).click();
        await expect(rows(page)).toHaveCount(JOBS.length);
        expect(await width(page)).toBe(wide);
        await shoot(page, `e2e/shots/titles-library-${wide}-${locale}.png`);
        await expectAccessible(page);
      });

      built("sorts many at once", async ({ page, origin }) => {
        await library(page, origin, locale);
        await page.getByRole("checkbox", { name: named(t.choose, "Розмова з директоркою") }).click();
        await page.getByRole("checkbox", { name: named(t.choose, JOBS[1]?.original_filename ?? "") }).click();
        const bar = page.getByRole("region", { name: t.bulk.label });
        await bar.getByRole("button", { name: t.groups.tags.title, exact: true }).click();
        await shoot(page, `e2e/shots/titles-menu-${wide}-${locale}.png`);
        await page.getByRole("menuitem", { name: named(t.groups.give_tag, "<i>Терміново</i>") }).click();
        const chips = page.getByRole("list", { name: t.groups.of_row });
        await expect(chips).toHaveCount(2);
        await bar.getByRole("button", { name: t.groups.tags.title, exact: true }).click();
        await page.getByRole("menuitem", { name: named(t.groups.take_tag, "<i>Терміново</i>") }).click();
        await expect(chips.getByRole("listitem")).toHaveText(["Музей"]);
        await bar.getByRole("button", { name: t.groups.folders.move }).click();
        await page.getByRole("menuitem", { name: "Музей" }).click();
        await expect(chips.getByRole("listitem")).toHaveText(["Музей", "Музей"]);
        await bar.getByRole("button", { name: t.groups.folders.move }).click();
        await page.getByRole("menuitem", { name: t.groups.folders.none }).click();
        await expect(chips).toHaveCount(0);
        expect(await width(page)).toBe(wide);
      });

      built("keeps tags and folders in one sheet", async ({ page, origin }) => {
        await library(page, origin, locale);
        await page.getByRole("button", { name: t.filters }).click();
        await page.getByRole("button", { name: t.groups.manage }).click();
        const sheet = page.getByRole("dialog", { name: t.groups.title });
        const tags = sheet.getByRole("region", { name: t.groups.tags.title });
        await tags.getByRole("textbox", { name: t.groups.tags.name }).fill("Новий");
        await tags.getByRole("radio", { name: t.groups.color_number.replace("{{number}}", "4") }).check();
        await page.keyboard.press("Enter");
        await expect(tags.getByRole("listitem").filter({ hasText: "Новий" })).toBeVisible();
        await shoot(page, `e2e/shots/titles-sheet-${wide}-${locale}.png`);
        await expectAccessible(page);
        await tags.getByRole("button", { name: named(t.groups.change, "їжаки") }).click();
        const form = tags.getByRole("listitem").filter({ has: page.getByRole("button", { name: t.groups.save }) });
        await form.getByRole("textbox").fill("Ґудзики");
        await form.getByRole("button", { name: t.groups.save }).click();
        await expect(tags.getByRole("button", { name: named(t.groups.change, "Ґудзики") })).toBeFocused();
        await tags.getByRole("button", { name: named(t.groups.delete, "Новий") }).click();
        await tags.getByRole("button", { name: textsOf(locale, "common").actions.delete, exact: true }).click();
        await expect(tags.getByRole("listitem").filter({ hasText: "Новий" })).toHaveCount(0);
        await page.keyboard.press("Escape");
        await expect(sheet).toBeHidden();
      });
    });
  }
}
