/** Several recordings at once: adding, configuring and starting them. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Page, Request } from "@playwright/test";
import type { Job, Session } from "../src/api/schema";
import common from "../src/locales/uk/common.json" with { type: "json" };
import configure from "../src/locales/uk/configure.json" with { type: "json" };
import mediaFacts from "../src/locales/uk/media-facts.json" with { type: "json" };
import problems from "../src/locales/uk/problems.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import upload from "../src/locales/uk/upload.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { LONG, largeRecording, recording, SHORT } from "./recordings";
import type { Server } from "./server";
import { expect, expectAccessible, test } from "./test";

const FILES = () => [recording("tray-one.mp3", SHORT), recording("tray-two.mp3", SHORT), recording("tray-three.wav", SHORT)];

/** Limits the upload rate, in bytes per second. */
const SLOW = 3_000_000;

let session: Session;

test.beforeEach(async ({ context, server }) => {
  session = await signUp(server);
  await signIn(context, session);
});

const rows = (page: Page) => page.getByRole("region", { name: upload.items.label }).getByRole("listitem");
const choose = (page: Page, files: string | string[]) => page.locator("input[type=file]").first().setInputFiles(files);
const start = (page: Page) =>
  page
    .getByRole("button", { name: configure.actions.start, exact: true })
    .or(page.getByRole("button", { name: configure.actions.startWhenReady }))
    .click();

async function jobsOf(server: Server): Promise<Job[]> {
  const answer = await fetch(`${server.origin}/api/v1/jobs`, { headers: { authorization: `Bearer ${session.access_token}` } });
  return ((await answer.json()) as { items: Job[] }).items;
}

/** Returns what lifts the limit. */
async function slowDown(page: Page): Promise<() => Promise<unknown>> {
  const network = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: SLOW };
  await network.send("Network.emulateNetworkConditions", conditions);
  return () => network.send("Network.emulateNetworkConditions", { ...conditions, uploadThroughput: -1 });
}

test("three files become three jobs with shared settings; a fourth is refused by name", async ({ page, server }) => {
  const note = test.info().outputPath("slovo-e2e-tray-note.pdf");
  writeFileSync(note, "%PDF-1.4");
  await page.goto(`${server.origin}/upload`);
  await choose(page, [...FILES(), note]);
  await expect(rows(page)).toHaveCount(3);
  const refusal = page.getByRole("alert").filter({ hasText: "slovo-e2e-tray-note.pdf" });
  await expect(refusal).toContainText(rules.violations.file_unsupported.split("{{")[0] ?? "");
  await expectAccessible(page);
  await page.getByLabel(configure.language.label).selectOption("en");
  await start(page);
  await expect(page).toHaveURL(/\/transcriptions$/);
  await expect(page.getByText(upload.news.startedMany_few.replace("{{count}}", "3"))).toBeVisible();
  const jobs = await jobsOf(server);
  expect(jobs.map((job) => job.original_filename).sort()).toEqual(["tray-one.mp3", "tray-three.wav", "tray-two.mp3"]);
  expect(new Set(jobs.map((job) => job.settings.language_code))).toEqual(new Set(["en"]));
});

test("each recording can have separate settings", async ({ page, server }) => {
  await page.goto(`${server.origin}/upload`);
  await choose(page, FILES().slice(0, 2));
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel(configure.language.label).selectOption("en");
  await page.getByRole("checkbox", { name: upload.items.same }).uncheck();
  await page.getByRole("radio", { name: "tray-two.mp3" }).check();
  // It starts with the shared settings.
  await expect(page.getByLabel(configure.language.label)).toHaveValue("en");
  await page.getByLabel(configure.language.label).selectOption("pl");
  await expectAccessible(page);
  await page.reload();
  await page.getByRole("radio", { name: "tray-one.mp3" }).check();
  await expect(page.getByLabel(configure.language.label)).toHaveValue("en");
  await page.getByRole("radio", { name: "tray-two.mp3" }).check();
  await expect(page.getByLabel(configure.language.label)).toHaveValue("pl");
  await start(page);
  await expect(page).toHaveURL(/\/transcriptions$/);
  const languages = (await jobsOf(server)).map((job) => [job.original_filename, job.settings.language_code]);
  expect(Object.fromEntries(languages)).toEqual({ "tray-one.mp3": "en", "tray-two.mp3": "pl" });
});

test("uploads resume after a reload, and queued jobs start automatically", async ({ page, server }) => {
  const large = ["tray-a.wav", "tray-b.wav", "tray-c.wav"].map((name) => largeRecording(name, 90));
  const pieces: { upload: string; offset: number }[] = [];
  page.on("request", (request: Request) => {
    if (request.method() === "PATCH") {
      pieces.push({ upload: request.url(), offset: Number(request.headers()["upload-offset"]) });
    }
  });
  await page.goto(`${server.origin}/upload`);
  await slowDown(page);
  await choose(page, large);
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText(upload.transfer.next)).toBeVisible();
  await start(page);
  await expect.poll(() => pieces.length).toBeGreaterThanOrEqual(3);
  const before = pieces.length;
  await page.reload();
  await expect(rows(page)).toHaveCount(3);
  // The offsets at which they resume, in any order: one had already sent a chunk.
  const goesOn = () => {
    const after = pieces.slice(before);
    return after
      .filter(({ upload: of }, at) => after.findIndex((candidate) => candidate.upload === of) === at)
      .map(({ offset }) => offset);
  };
  await expect.poll(() => Math.max(0, ...goesOn())).toBeGreaterThan(0);
  await expect(page).toHaveURL(/\/transcriptions$/, { timeout: 120_000 });
  expect(await jobsOf(server)).toHaveLength(3);
});

test("a recording whose job cannot be created is kept with the reason, while the others start", async ({ page, server }) => {
  let refused = false;
  await page.route("**/api/v1/jobs", async (route) => {
    if (route.request().method() === "POST" && !refused) {
      refused = true;
      const body = { type: "about:blank", title: "Full", status: 507, code: "storage_full", request_id: "e2e" };
      await route.fulfill({ status: 507, contentType: "application/problem+json", body: JSON.stringify(body) });
      return;
    }
    await route.continue();
  });
  await page.goto(`${server.origin}/upload`);
  await choose(page, FILES().slice(0, 2));
  await expect(page.getByText(upload.transfer.ready)).toHaveCount(2);
  await start(page);
  await expect(page.getByText(upload.news.started)).toBeVisible();
  await expect(page).toHaveURL(/\/upload$/);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole("alert").filter({ hasText: problems.codes.storage_full })).toBeVisible();
  await start(page);
  await expect(page).toHaveURL(/\/transcription\/[0-9a-f-]{36}$/);
  expect(await jobsOf(server)).toHaveLength(2);
});

test("going back keeps all recordings; a removed one is restored by Undo", async ({ page, server }) => {
  await page.goto(`${server.origin}/upload`);
  await choose(page, FILES().slice(0, 2));
  await expect(page.getByText(upload.transfer.ready)).toHaveCount(2);
  await page.getByRole("button", { name: configure.actions.back }).click();
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  const off = rows(page).getByRole("button", { name: upload.transfer.cancel });
  await off.first().click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: common.actions.undo }).click();
  await expect(rows(page)).toHaveCount(2);
  await off.first().click();
  await expect(rows(page)).toHaveCount(1);
  await off.first().click();
  await expect(rows(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
});

test("files can be dropped anywhere, also while others are being configured", async ({ page, server }) => {
  await page.goto(`${server.origin}/upload`);
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
  const drop = async (path: string, name: string) => {
    const bytes = readFileSync(path).toString("base64");
    const data = await page.evaluateHandle(
      ([text, fileName]) => {
        const transfer = new DataTransfer();
        const content = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([content], fileName, { type: "audio/mpeg", lastModified: 1 }));
        return transfer;
      },
      [bytes, name] as const,
    );
    await page.dispatchEvent("body", "dragenter", { dataTransfer: data });
    await expect(page.getByText(upload.drop.overlay)).toBeVisible();
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
  };
  await drop(FILES()[0] ?? "", "dropped.mp3");
  await expect(rows(page)).toHaveCount(1);
  await drop(FILES()[1] ?? "", "dropped too.mp3");
  await expect(rows(page)).toHaveCount(2);
  await drop(FILES()[0] ?? "", "dropped.mp3");
  await expect(page.getByRole("alert").filter({ hasText: upload.refusals.again })).toBeVisible();
});

test("tabs are independent", async ({ page, server, context }) => {
  await page.goto(`${server.origin}/upload`);
  await choose(page, FILES()[0] ?? "");
  await expect(page.getByText(upload.transfer.ready)).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${server.origin}/upload`);
  await expect(other.getByRole("button", { name: upload.drop.choose })).toBeVisible();
  await choose(other, FILES()[1] ?? "");
  await expect(other.getByText(upload.transfer.ready)).toBeVisible();
  await expect(rows(other)).toHaveCount(1);
  await expect(rows(page)).toHaveCount(1);
});

test("a missing choice is reported with the text of the rules, for each source", async ({ page, server }) => {
  await page.goto(`${server.origin}/upload`);
  const goOn = page.getByRole("button", { name: upload.actions.continue });
  await goOn.click();
  await expect(page.getByRole("alert")).toHaveText(rules.violations.file_required);
  await page.getByRole("tab", { name: rules.source.voice }).click();
  await expect(page).toHaveURL(/\?source=voice$/);
  await goOn.click();
  await expect(page.getByRole("alert")).toHaveText(rules.violations.recording_required);
  await page.getByRole("tab", { name: rules.source.url }).click();
  // Until then, the button belongs to the previous source.
  await expect(page.getByLabel(upload.url.label)).toBeVisible();
  await goOn.click();
  await expect(page.getByText(rules.violations.url_required)).toBeVisible();
  await page.getByRole("tab", { name: rules.source.file }).click();
  const path = test.info().outputPath("slovo-e2e-pretender.mp3");
  writeFileSync(path, `<!doctype html><html><body>${"not sound ".repeat(2_000)}</body></html>`);
  await choose(page, path);
  await expect(page.getByRole("alert")).toContainText(upload.errors.upload);
  await goOn.click();
  await expect(page.getByRole("alert")).toContainText(rules.violations.upload_required);
});

const VIDEO = "https://youtu.be/dQw4w9WgXcQ";

test("a URL is probed, shown, configured and submitted without an upload", async ({ page, server }) => {
  const posted: unknown[] = [];
  await page.route("**/api/v1/urls/probe", async (route) => {
    const probe = {
      kind: "youtube",
      title: "Лекція про фонетику",
      filename: null,
      duration: 754,
      size: null,
      content_type: null,
    };
    await route.fulfill({ json: probe });
  });
  await page.route("**/api/v1/jobs", async (route) => {
    if (route.request().method() !== "POST") {
      return route.continue();
    }
    posted.push(route.request().postDataJSON());
    await route.fulfill({ status: 201, json: { my_job_id: "01981d3e-7c2a-7aa0-9d61-000000000001" } });
  });
  await page.goto(`${server.origin}/upload?source=url`);
  const field = page.getByLabel(upload.url.label);
  await field.fill("ftp://example.org/x");
  await field.press("Enter");
  await expect(page.getByText(rules.violations.url_invalid)).toBeVisible();
  await field.fill(VIDEO);
  await field.press("Enter");
  await expect(page.getByText("Лекція про фонетику")).toBeVisible();
  await expect(page.getByText(upload.url.kind.youtube, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: upload.actions.continue }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toContainText("Лекція про фонетику");
  await start(page);
  await expect(page).toHaveURL(/\/transcription\/01981d3e-7c2a-7aa0-9d61-000000000001$/);
  expect(posted).toHaveLength(1);
  expect(posted[0]).toMatchObject({ settings: { url: VIDEO } });
  expect(posted[0]).not.toHaveProperty("upload_id");
});

test("the server's refusal of a URL is shown before the settings, and probing can be cancelled", async ({ page, server }) => {
  let answer: (() => Promise<void>) | null = null;
  await page.route("**/api/v1/urls/probe", async (route) => {
    const refuse = () =>
      route.fulfill({
        status: 422,
        contentType: "application/problem+json",
        body: JSON.stringify({
          type: "about:blank",
          title: "No",
          status: 422,
          code: "url_not_media",
          params: { found: "html" },
          request_id: "e2e",
        }),
      });
    answer = refuse;
  });
  await page.goto(`${server.origin}/upload?source=url`);
  const field = page.getByLabel(upload.url.label);
  await field.fill("https://example.org/page");
  await page.getByRole("button", { name: upload.url.check }).click();
  await expect(page.getByText(upload.url.asking)).toBeAttached();
  await expect.poll(() => answer !== null).toBe(true);
  answer = null;
  await page.getByRole("button", { name: common.actions.cancel }).click();
  await expect(page.getByRole("button", { name: upload.url.check })).toBeVisible();
  await page.getByRole("button", { name: upload.url.check }).click();
  await expect.poll(() => answer !== null).toBe(true);
  answer = null;
  await page.getByRole("button", { name: common.actions.cancel }).click();
  await field.press("Enter");
  await expect.poll(() => answer !== null).toBe(true);
  await (answer as (() => Promise<void>) | null)?.();
  await expect(page.getByRole("alert")).toContainText(rules.container.html);
  await expect(field).toHaveValue("https://example.org/page");
});

test("one recording of any length fits on a laptop's screen without scrolling", async ({ page, server }) => {
  await page.goto(`${server.origin}/upload`);
  const scrolls = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
  expect(await scrolls()).toBeLessThanOrEqual(0);
  await choose(page, recording("long.mp3", LONG));
  await expect(page.getByText(upload.transfer.ready)).toBeVisible();
  expect(await scrolls()).toBeLessThanOrEqual(0);
});

for (const width of [1280, 390]) {
  test(`nothing moves when a recording has been uploaded: ${width} px`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${server.origin}/upload`);
    const speedUp = await slowDown(page);
    await choose(page, largeRecording("tray-steady.wav", 60));
    const progress = page.getByRole("progressbar", { name: upload.transfer.of.replace("{{name}}", "tray-steady.wav") });
    await expect(progress).toBeVisible();
    // The duration has been read, and the speed is known.
    await expect(rows(page)).not.toContainText(mediaFacts.reading);
    await expect(rows(page)).toContainText(upload.transfer.left.split("{{")[0] ?? "");
    const form = page.locator("form");
    const during = await form.boundingBox();
    await speedUp();
    await expect(page.getByText(upload.transfer.ready)).toBeVisible();
    await expect(progress).toBeHidden();
    expect((await form.boundingBox())?.y).toBe(during?.y);
  });
}
