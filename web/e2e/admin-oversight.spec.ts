/** Pages for administrators: the overview, the audit log, all transcriptions, and data from public forms. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Job, Overview, Session } from "../src/api/schema";
import users from "../src/locales/uk/admin.json" with { type: "json" };
import audit from "../src/locales/uk/admin-audit.json" with { type: "json" };
import jobs from "../src/locales/uk/admin-jobs.json" with { type: "json" };
import messages from "../src/locales/uk/admin-messages.json" with { type: "json" };
import nocodb from "../src/locales/uk/admin-nocodb.json" with { type: "json" };
import overview from "../src/locales/uk/admin-overview.json" with { type: "json" };
import common from "../src/locales/uk/common.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import shell from "../src/locales/uk/shell.json" with { type: "json" };
import transcript from "../src/locales/uk/transcript.json" with { type: "json" };
import { finishedJob, signIn, signUp } from "./accounts";
import { eachLook, PICTURES, shoot } from "./looks";
import { recording, SHORT } from "./recordings";
import type { Server } from "./server";
import { expect, expectAccessible, test } from "./test";

const LOOKS = eachLook([
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
  { locale: "en", theme: "dark", width: 1280 },
  { locale: "uk", theme: "light", width: 390 },
  { locale: "uk", theme: "dark", width: 1920 },
] as const);

async function ask(server: Server, path: string, method: string, body: object, session?: Session): Promise<Response> {
  const answer = await fetch(server.origin + path, {
    method,
    headers: {
      "content-type": "application/json",
      ...(session && { authorization: `Bearer ${session.access_token}` }),
    },
    body: JSON.stringify(body),
  });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return answer;
}

async function write(server: Server, first: string, text: string) {
  const form = { first_name: first, last_name: "Шевченко", email: "reader@example.com", message: text, locale: "uk" };
  await ask(server, "/api/v1/contact", "POST", { ...form, website: "" });
}

/** Another user's job, and its owner. */
let other: { session: Session; job: Job } | undefined;
async function somebodys(server: Server) {
  if (!other) {
    const session = await signUp(server);
    const settings = { transcription_type: "full", language_code: "en" } as const;
    other = { session, job: await finishedJob(server, session, recording("other.mp3", SHORT), settings) };
  }
  return other;
}

const picture = async (page: Page, name: string, { locale, theme, width }: (typeof LOOKS)[number]) => {
  if (!PICTURES) return;
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
  await shoot(page, `e2e/shots/oversight/${name}-${width}-${theme}-${locale}.png`, { fullPage: true });
};

/** A month of a busy server. */
function busy(): Overview {
  const days = Array.from({ length: 30 }, (_, at) => {
    const weekend = at % 7 > 4;
    const completed = weekend ? 4 + (at % 3) : 22 + ((at * 7) % 19);
    return {
      day: new Date(Date.UTC(2026, 9, 24 + at)).toISOString().slice(0, 10),
      completed,
      failed: (at * 5) % 4,
      cancelled: at % 5 === 0 ? 2 : 0,
      under_way: at === 29 ? 6 : 0,
      minutes: completed * 13.4,
      words: completed * 1790,
      waited_median: weekend ? 2.1 : 14 + ((at * 11) % 30),
      waited_p95: weekend ? 11 : 95 + ((at * 37) % 240),
      queue_peak: weekend ? 2 : 5 + ((at * 13) % 14),
    };
  });
  const now = Date.now();
  const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  const worker = { version: "0.1.0", running: 2, silent: false, pid: 4211, started_at: ago(400_000) };
  return {
    days,
    totals: { users: 12_480, users_active: 12_391, users_blocked: 89, jobs: 98_214, jobs_today: 31, jobs_week: 203 },
    queue: { waiting: 4, running: 2, downloads: 1, oldest: ago(312) },
    failures: [
      { code: "damaged", jobs: 18 },
      { code: "url_unreachable", jobs: 11 },
      { code: "no_speech", jobs: 9 },
      { code: "from_the_future", jobs: 2 },
      { code: "", jobs: 1 },
    ],
    workers: [
      { ...worker, id: "0197a", host: "slovo-worker-1", seen_at: ago(4) },
      { ...worker, id: "0197b", host: "slovo-worker-2", seen_at: ago(9), pid: 512 },
      { ...worker, id: "0197c", host: "slovo-worker-3", seen_at: ago(5_200), silent: true, running: 0 },
    ],
    storage: {
      media: 412_316_860_416,
      avatars: 73_400_320,
      database: 5_905_580_032,
      free: 824_633_720_832,
      space: "enough",
      has_folder: true,
      is_shared: false,
      stores: true,
    },
    version: "0.1.0",
    uptime: 402_113,
  };
}

test.beforeEach(async ({ context, reader }) => signIn(context, reader));

test("the overview shows current numbers", async ({ page, server }) => {
  const { job } = await somebodys(server);
  await page.goto(`${server.origin}/admin/overview`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(shell.titles.admin_overview);
  for (const figure of ["users", "users_active", "jobs", "jobs_today", "jobs_week"]) {
    await expect(page.getByTestId(figure)).not.toHaveText("0");
  }
  // Other tests, which share the server, may have blocked an account.
  await expect(page.getByTestId("users_blocked")).toHaveText(/^\d+$/);
  await expect(page.getByRole("table").getByText(overview.workers.alive)).toBeVisible();
  const chart = page.getByRole("figure", { name: overview.charts.jobs });
  await expect(chart.getByRole("img")).toHaveAccessibleName(/Транскрипції за днями: Разом/);
  await chart.getByText(common.chart.table).click();
  await expect(chart.getByRole("row")).toHaveCount(2);
  await expect(chart.getByRole("columnheader", { name: overview.charts.completed, exact: true })).toBeVisible();
  await page.getByRole("button", { name: overview.days_7 }).click();
  await expect(page).toHaveURL(/days=7/);
  await page.getByRole("button", { name: nocodb.sync }).click();
  await expect(page.getByText(/Зовнішню базу даних не налаштовано/)).toBeVisible();
  await expectAccessible(page);
  expect(job.status).toBe("completed");
});

test("the overview reports a failure to load, and retries", async ({ page, server }) => {
  await page.route("**/api/v1/admin/overview*", (route) => route.fulfill({ status: 500, body: "{}" }));
  await page.goto(`${server.origin}/admin/overview`);
  await expect(page.getByText("Помилка завантаження статистики")).toBeVisible();
  await page.unroute("**/api/v1/admin/overview*");
  await page.getByRole("button", { name: common.actions.try_again }).click();
  await expect(page.getByTestId("users")).toBeVisible();
});

test("storage problems are shown first", async ({ page, server }) => {
  let storage = busy().storage;
  await page.route("**/api/v1/admin/overview*", (route) => route.fulfill({ json: { ...busy(), storage } }));
  const troubles = [
    ["full", { space: "full" }],
    ["low", { space: "low" }],
    ["folder", { has_folder: false }],
    ["store", { has_folder: false, is_shared: true, media: null, avatars: null }],
    ["database", { stores: false }],
  ] as const;
  for (const [trouble, part] of troubles) {
    storage = { ...busy().storage, ...part };
    await page.goto(`${server.origin}/admin/overview`);
    const note = page.getByRole("alert").filter({ hasText: overview.trouble[trouble].title });
    await expect(note).toContainText(overview.trouble[trouble].text);
    await expect(note).toBeInViewport();
  }
  await expectAccessible(page);
});

test("another user's transcription is found and read but cannot be changed, and the log records it", async ({
  page,
  server,
  reader,
}) => {
  const { session, job } = await somebodys(server);
  const id = job.my_job_id;
  await page.goto(`${server.origin}/admin/transcriptions`);
  await page.getByRole("searchbox", { name: jobs.search, exact: true }).fill(id.slice(4, 23));
  const row = page.getByRole("row").filter({ hasText: id });
  await expect(row).toContainText(session.user.email);
  await expect(row).toContainText(jobs.full);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);

  await row.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/transcription/${id}$`));
  const note = page.getByRole("region", { name: transcript.foreign.label });
  await expect(note).toContainText(session.user.email);
  await expect(page.getByTestId("transcript-text")).toBeVisible();
  await expect(page.getByRole("button", { name: transcript.assistant })).toHaveCount(0);
  await expect(page.getByRole("toolbar").getByRole("button", { name: "Редагувати" })).toHaveCount(0);
  await expectAccessible(page);
  // It is unchanged for the owner.
  await note.getByRole("link").click();
  await expect(page).toHaveURL(/\/admin\/transcriptions$/);

  await page.goto(`${server.origin}/admin/audit?action=job.open`);
  const entry = page.getByRole("row").filter({ hasText: id });
  await expect(entry).toHaveCount(1);
  await expect(entry).toContainText(audit.actions.job.open);
  await expect(entry).toContainText(reader.user.email);
});

test("an administrator cancels, restarts and deletes another user's transcription", async ({ page, server, reader }) => {
  const { session, job } = await somebodys(server);
  await page.goto(`${server.origin}/admin/transcriptions?q=${job.my_job_id}`);
  const row = page.getByRole("row").filter({ hasText: job.my_job_id });
  await expect(row).toBeVisible();
  // It must still be running after the page has reloaded; repeated if recognition is faster.
  await expect(async () => {
    await ask(server, `/api/v1/admin/jobs/${job.my_job_id}/retry`, "POST", {}, reader);
    await page.reload();
    await row.getByRole("button", { name: jobs.cancel }).click({ timeout: 5_000 });
    // It may have ended between the check and the click.
    await expect(page.getByText(jobs.cancelled, { exact: true })).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await row.getByRole("button", { name: jobs.retry }).click();
  await expect(page.getByText(jobs.retried, { exact: true })).toBeVisible();
  await page.goto(`${server.origin}/admin/audit?action=job`);
  const first = page.getByRole("row").nth(1);
  await expect(first).toContainText(audit.actions.job.retry);
  await expect(first.locator("del")).toHaveText(rules.job_status.cancelled);
  await expect(first.locator("ins")).toHaveText(rules.job_status.pending);

  await page.goto(`${server.origin}/admin/transcriptions`);
  await page.getByRole("searchbox", { name: jobs.search_user, exact: true }).fill(session.user.email.toUpperCase());
  await expect(page.getByRole("row")).toHaveCount(2);
  // This test deletes it; the next test that needs one creates a new one.
  other = undefined;
  await row.getByRole("button", { name: jobs.delete }).click();
  const question = page.getByRole("alertdialog", { name: jobs.delete_question });
  await expect(question).toContainText(session.user.email);
  await expectAccessible(page);
  await question.getByRole("button", { name: jobs.delete, exact: true }).click();
  await expect(page.getByText(jobs.deleted, { exact: true })).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.goto(`${server.origin}/admin/transcriptions?q=зебра`);
  await expect(page.getByText("Транскрипції не знайдено")).toBeVisible();
});

test("the log is filtered by the URL, and downloaded as a table", async ({ page, server, reader }) => {
  const somebody = await signUp(server);
  for (const role of ["admin", "user"]) {
    await ask(server, `/api/v1/admin/users/${somebody.user.id}/role`, "PUT", { role }, reader);
  }
  await page.goto(`${server.origin}/admin/audit`);
  await page.getByRole("searchbox").fill(somebody.user.email.toUpperCase());
  const rows = page.getByRole("row").filter({ hasText: somebody.user.email });
  await expect(page.getByRole("row")).toHaveCount(3);
  await expect(rows.first()).toContainText(audit.actions.user.set_role);
  await expect(rows.first().locator("del")).toHaveText(users.role.admin);
  await expect(rows.first().locator("ins")).toHaveText(users.role.user);
  await page.getByLabel(audit.action, { exact: true }).selectOption("user.set_status");
  await expect(page.getByText(audit.nothing, { exact: true })).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: audit.clear }).last().click();
  await expect(page).toHaveURL(/\/admin\/audit$/);
  await expect(page.getByText(audit.nothing, { exact: true })).toHaveCount(0);
  await page.getByLabel(audit.from, { exact: true }).fill("2099-01-01");
  await expect(page.getByText(audit.nothing, { exact: true })).toBeVisible();
  await page.goto(`${server.origin}/admin/audit?q=${somebody.user.email}`);
  await expect(page.getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: audit.export }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  expect(text.startsWith('\ufeff"created_at"')).toBe(true);
  expect(text.trim().split("\r\n")).toHaveLength(3);
});

test("messages are read, marked and deleted, with undo", async ({ page, server }) => {
  await write(server, "Тарас", "Перший рядок\n\n<b>не жирний</b>");
  await write(server, "Леся", Array.from({ length: 30 }, (_, at) => `Рядок ${at + 1}`).join("\n"));
  await page.goto(`${server.origin}/admin/messages`);
  const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await expect(item("Тарас")).toContainText("<b>не жирний</b>");
  await expect(item("Тарас").getByRole("link")).toHaveAttribute("href", /^mailto:reader%40example\.com\?subject=/);
  await item("Леся").getByRole("button", { name: messages.contact.whole }).click();
  await expect(item("Леся").getByRole("button", { name: messages.contact.less })).toBeVisible();
  await item("Тарас").getByRole("button", { name: messages.contact.handle }).click();
  await expect(item("Тарас").getByText(messages.contact.handled)).toBeVisible();
  await expectAccessible(page);
  const remove = item("Тарас").getByRole("button", { name: /Видалити/ });
  await remove.click();
  await expect(item("Тарас")).toHaveCount(0);
  await page.getByRole("button", { name: common.actions.undo }).click();
  const deleted = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await remove.click();
  expect((await deleted).status()).toBe(204);
  await page.reload();
  await expect(item("Леся")).toBeVisible();
  await expect(item("Тарас")).toHaveCount(0);
});

test("subscribers and visits have their own tabs", async ({ page, server }) => {
  await ask(server, "/api/v1/newsletter", "POST", { email: "news@example.com", locale: "uk", website: "" });
  for (const path of ["/", "/about"]) await ask(server, "/api/v1/site/visits", "POST", { page: path, locale: "uk" });
  await page.goto(`${server.origin}/admin/messages?tab=newsletter`);
  await expect(page.getByRole("row").filter({ hasText: "news@example.com" })).toContainText(messages.newsletter.pending);
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: messages.export }).click();
  expect(readFileSync(await (await download).path(), "utf8")).toContain('"news@example.com"');
  await page.getByRole("tab", { name: messages.tabs.visits }).click();
  await expect(page.getByRole("figure", { name: messages.visits.title })).toBeVisible();
  await expect(page.getByRole("table", { name: messages.visits.pages })).toContainText("/about");
  await expectAccessible(page);
});

for (const look of LOOKS) {
  test(`pages fit and are readable: ${look.locale}, ${look.theme}, ${look.width}`, async ({ browser, server, reader }) => {
    const { job } = await somebodys(server);
    await write(server, "Ганна", "Добрий день! Чи можна розшифрувати запис наради на три години?");
    const context = await browser.newContext({ viewport: { width: look.width, height: look.width === 390 ? 844 : 800 } });
    await signIn(context, reader, look);
    const page = await context.newPage();
    await page.route("**/api/v1/admin/overview*", (route) => route.fulfill({ json: busy() }));
    const pages = [
      ["overview", "/admin/overview", page.getByTestId("users")],
      ["jobs", "/admin/transcriptions", page.getByText(job.my_job_id)],
      ["foreign", `/transcription/${job.my_job_id}`, page.getByTestId("transcript-text")],
      // The log contains the opening of the transcription.
      ["audit", "/admin/audit", page.getByRole("main").getByText(reader.user.email).first()],
      ["messages", "/admin/messages", page.getByText("Ганна").first()],
      ["newsletter", "/admin/messages?tab=newsletter", page.getByRole("tabpanel").last()],
      ["visits", "/admin/messages?tab=visits", page.getByRole("tabpanel").last()],
    ] as const;
    for (const [name, path, content] of pages) {
      await test.step(name, async () => {
        await page.goto(server.origin + path);
        await expect(content).toBeVisible();
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, "nothing sticks out to the right").toBeLessThanOrEqual(0);
        await picture(page, name, look);
        await expectAccessible(page);
      });
    }
    await context.close();
  });
}
