/**
 * Analyses of a real recording by a real OpenAI-compatible endpoint: all parts, the assistant, and failures. `cargo xtask
 * llm` starts one; its model is small, so its answers are poor and sometimes unusable. Then a part shows a failure, which
 * is accepted here: these tests check the protocol and the page.
 */
import { readFileSync } from "node:fs";
import type { Page, Response } from "@playwright/test";
import type { Analysis, AnalysisOverview, EditedTranscript, Job, Part } from "../src/api/schema";
import en from "../src/locales/en/analysis.json" with { type: "json" };
import uk from "../src/locales/uk/analysis.json" with { type: "json" };
import problems from "../src/locales/uk/problems.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import transcript from "../src/locales/uk/transcript.json" with { type: "json" };
import { finishedJob, logIn, signIn } from "./accounts";
import { LlmRelay } from "./llm-relay";
import { eachLook, shoot } from "./looks";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";
import { test as base, expect, expectAccessible, playerState } from "./test";
import { LOOKS, picture } from "./workplace";

const URL_OF_LLM = process.env.SLOVO_TEST_LLM_URL;
/** A small model on a busy machine writes a few words per second. */
const TIMEOUT = 1_800_000;
/** Limits of subtitles: characters per line, and lines. */
const COLUMNS = 42;
const LINES = 2;
const LABELS = ["cooking", "telephone"];
const PROMPT = "List what the caller is told.";

const test = base.extend<{ told: JobApi }, { relay: LlmRelay; job: Job }>({
  relay: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const relay = await LlmRelay.start(URL_OF_LLM ?? "http://127.0.0.1:9/v1");
      await use(relay);
      await relay.stop();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ relay }, use) => {
      const server = await Server.start({
        ANALYSIS_URL: relay.url,
        ANALYSIS_MODEL: "small",
        ANALYSIS_API_KEY: process.env.SLOVO_TEST_LLM_KEY ?? "",
        ANALYSIS_CONTEXT: "2048",
        ANALYSIS_TIMEOUT: "300",
      });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  job: [
    async ({ server, reader }, use) => {
      const settings = {
        transcription_type: "full",
        language_code: "en",
        summarize: 15,
        overall_sentiment_analysis: true,
        overall_classification: true,
        custom_prompt: PROMPT,
        llm_translation: "spanish, german",
        srt_translation: "french",
      } as const;
      await use(
        await finishedJob(server, reader, recording("short.mp3", SHORT), { ...settings, classification_labels: [...LABELS] }),
      );
    },
    { scope: "worker", timeout: 240_000 },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  told: async ({ page, context, server, reader, job }, use) => {
    // Each test has its own session: a session refreshed by two contexts is ended.
    await signIn(context, await logIn(server, reader.user.email));
    await page.goto(`/transcription/${job.my_job_id}?tab=analysis`);
    await use(new JobApi(page, job));
  },
});

test.describe.configure({ mode: "serial" });
test.skip(!URL_OF_LLM, "needs a real endpoint: SLOVO_TEST_LLM_URL and SLOVO_TEST_LLM_KEY, as `cargo xtask llm` prints them");
test.setTimeout(3_000_000);
// The model and the page compete for the same cores.
test.use({ actionTimeout: 60_000 });

const PARTS = ["summary", "chapters", "sentiment", "classification", "prompt", "translation", "subtitle_translation"] as const;

const part = (page: Page, name: Part | "statistics") => page.getByTestId(`part-${name}`);
const repeatButton = (page: Page, name: Part) =>
  part(page, name).getByRole("button", { name: new RegExp(`^${uk.result.again}`) });

/** Fetches the job with the page's session, because the test takes longer than an access token is valid. */
class JobApi {
  constructor(
    readonly page: Page,
    readonly job: Job,
  ) {}

  async get<T>(path = "", body?: object): Promise<T> {
    const token = await this.page.evaluate(
      () => JSON.parse(localStorage.getItem("slovo.session") ?? "{}").access_token as string,
    );
    const answer = await fetch(`${new URL(this.page.url()).origin}/api/v1/jobs/${this.job.my_job_id}${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.ok, `${path}: ${answer.status} ${text}`).toBe(true);
    return JSON.parse(text) as T;
  }

  async parts(): Promise<Analysis[]> {
    return (await this.get<AnalysisOverview>("/analysis")).parts;
  }

  /** Waits until nothing is pending; the only accepted failure is an unusable answer of the model. */
  async settled(): Promise<Analysis[]> {
    const idle = async () => (await this.parts()).every(({ status }) => status === "done" || status === "failed");
    await expect.poll(idle, { timeout: TIMEOUT, intervals: [1000] }).toBe(true);
    const parts = await this.parts();
    const wrong = parts.filter(({ error }) => error != null && error !== "analysis_bad_answer" && error !== "analysis_refused");
    expect(wrong).toEqual([]);
    return parts;
  }

  /** Requests a part on the page; resolves when the server has completed the request. */
  async ask(click: () => Promise<void>): Promise<Analysis[]> {
    const isWish = (answer: Response) => answer.request().method() === "POST" && answer.url().endsWith("/analysis");
    await Promise.all([this.page.waitForResponse(isWish), click()]);
    return this.settled();
  }

  async made(name: Part, target = ""): Promise<Analysis | undefined> {
    return (await this.parts()).find(
      (analysis) => analysis.part === name && analysis.target === target && analysis.status === "done",
    );
  }
}

test("the text is shown first; each part has its own progress", async ({ page, told, job }) => {
  await page.goto(`/transcription/${job.my_job_id}`);
  await expect(page.getByTestId("transcript-text")).toContainText("telemarketers");
  const strip = page.getByRole("region", { name: transcript.analysis.strip.running.label });
  const parts = strip.getByRole("listitem");
  await expect(parts.filter({ hasText: uk.parts.summary })).toBeVisible();
  await expect(parts.filter({ hasText: rules.translation_target.german })).toHaveAttribute("data-status", "waiting");
  await expect(strip.locator("[data-status=running]")).toHaveCount(1);
  await shoot(page, "e2e/shots/workplace/endpoint-strip-1280-light-uk.png");
  expect((await told.get<Job>()).status).toBe("completed");
  await strip.getByRole("button", { name: transcript.analysis.open }).click();
});

test("all parts end, using streams and schemas", async ({ told, relay }) => {
  const parts = await told.settled();
  const completed = parts.filter(({ status }) => status === "done");
  console.log(parts.map((analysis) => `${analysis.part} ${analysis.target}: ${analysis.error ?? analysis.status}`).join("\n"));
  expect(completed.length, "most answers of even a small model are good").toBeGreaterThanOrEqual(5);
  expect(relay.passed.every(({ stream }) => stream)).toBe(true);
  expect(relay.passed.some(({ pieces }) => pieces > 5)).toBe(true);
  const shapes = new Set(relay.passed.map(({ shape }) => shape));
  for (const shape of ["summary", "sentiment", "classification", "translation", null]) expect(shapes).toContain(shape);
  for (const analysis of completed) expect(analysis.engine).toEqual({ kind: "endpoint", model: "small" });
});

test("the destination of the text and the engine are shown", async ({ page, told: _, relay }) => {
  await expect(page.getByText(uk.where.outside.replace("{{host}}", relay.host))).toBeVisible();
  const engine = uk.engine.endpoint.replace("{{host}}", relay.host).replace("{{model}}", "small");
  await expect(page.getByText(engine).first()).toBeVisible();
});

test("results are shown: summaries, reasons, safe Markdown", async ({ page, told }) => {
  const summary = (await told.made("summary"))?.outcome;
  if (summary?.part === "summary") {
    expect(summary.extractive).toBe(false);
    await expect(part(page, "summary")).toContainText(uk.summary.abstractive);
    await expect(part(page, "summary")).toContainText(summary.sentences[0]?.text ?? "");
  }
  const sentiment = (await told.made("sentiment"))?.outcome;
  if (sentiment?.part === "sentiment") {
    await expect(part(page, "sentiment")).toContainText(uk.sentiment.mood[sentiment.mood]);
    await expect(part(page, "sentiment")).toContainText(sentiment.reason?.trim() || uk.sentiment.mood[sentiment.mood]);
  }
  const classes = (await told.made("classification"))?.outcome;
  if (classes?.part === "classification") {
    expect(classes.labels.map(({ label }) => label).sort()).toEqual(LABELS);
    for (const { label } of classes.labels) await expect(part(page, "classification")).toContainText(label);
  }
  const answer = part(page, "prompt").getByTestId("markdown");
  await expect(answer).toBeVisible();
  await expect(answer.locator("script, img, iframe, style")).toHaveCount(0);
  await expectAccessible(page);
});

test("chapters are requested, and link to their positions", async ({ page, told }) => {
  await told.ask(() => part(page, "chapters").getByRole("button", { name: uk.ask.chapters }).click());
  const chapters = (await told.made("chapters"))?.outcome;
  if (chapters?.part !== "chapters") {
    await expect(part(page, "chapters").getByRole("alert")).toContainText(problems.codes.analysis_bad_answer);
    return;
  }
  const last = chapters.chapters.at(-1);
  await part(page, "chapters").getByRole("listitem").last().getByRole("button").click();
  await expect.poll(async () => (await playerState(page)).time).toBeGreaterThanOrEqual((last?.start.start ?? 0) - 0.2);
  await expect.poll(async () => (await playerState(page)).paused).toBe(false);
  await page.keyboard.press("Escape");
});

test("a translation is requested; it has all segments with their times", async ({ page, told }) => {
  const translation = part(page, "translation");
  await translation.getByLabel(uk.ask.target).selectOption("italian");
  await told.ask(() => translation.getByRole("button", { name: uk.ask.translation }).click());
  const { segments } = await told.get<EditedTranscript>("/transcript?times=all");
  for (const target of ["spanish", "german", "italian"] as const) {
    await translation.getByRole("button", { name: rules.translation_target[target], exact: true }).click();
    const outcome = (await told.made("translation", target))?.outcome;
    if (outcome?.part !== "translation") {
      await expect(translation.getByRole("alert")).toBeVisible();
      continue;
    }
    expect(outcome.segments.map(({ moment }) => [moment.segment, moment.start])).toEqual(
      segments.map(({ id, start }) => [id, start]),
    );
    await expect(translation).toContainText(outcome.segments[0]?.text ?? "");
  }
});

test("translated subtitles keep times and limits, also in the file", async ({ page, told }) => {
  const outcome = (await told.made("subtitle_translation", "french"))?.outcome;
  const section = part(page, "subtitle_translation");
  if (outcome?.part !== "subtitle_translation") {
    await expect(section.getByRole("alert")).toContainText(problems.codes.analysis_bad_answer);
    return;
  }
  const original = await told.get<EditedTranscript>("/transcript?times=all");
  let before = 0;
  for (const { start, end, lines } of outcome.cues) {
    expect(start).toBeGreaterThanOrEqual(before);
    expect(end).toBeGreaterThan(start);
    expect(lines.length).toBeLessThanOrEqual(LINES);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(COLUMNS);
    before = end - 0.001;
  }
  expect(outcome.cues.at(-1)?.end).toBeLessThanOrEqual((original.segments.at(-1)?.end ?? 0) + 3);
  const downloading = page.waitForEvent("download");
  await section.getByRole("button", { name: /SRT/ }).click();
  const file = readFileSync(await (await downloading).path(), "utf8");
  expect(file.match(/ --> /g)).toHaveLength(outcome.cues.length);
});

test("a part is repeated after an edit, and the older result stays", async ({ page, told }) => {
  const { segments, version } = await told.get<EditedTranscript>("/transcript");
  const [first] = segments;
  const edit = {
    kind: "set_text",
    text: "Welcome to the harbour office.",
    segment: { id: first?.id, revision: first?.revision },
  };
  await told.get("/edits", { version, client: crypto.randomUUID(), edits: [{ edit_id: crypto.randomUUID(), op: edit }] });
  const prompt = part(page, "prompt");
  await expect(prompt).toContainText(uk.result.stale);
  const older = await prompt.getByTestId("markdown").textContent();
  await repeatButton(page, "prompt").click();
  await expect(prompt.getByRole("progressbar")).toBeVisible();
  await expect(prompt.getByTestId("markdown")).toHaveText(older ?? "");
  await told.settled();
  await expect(prompt.getByRole("combobox").getByRole("option")).toHaveCount(2);
  await expect(prompt).not.toContainText(uk.result.stale);
  await prompt.getByRole("combobox").selectOption({ index: 1 });
  await expect(prompt.getByTestId("markdown")).toHaveText(older ?? "");
});

test("a failed part shows the error, keeps the older result, and can be repeated separately", async ({ page, told, relay }) => {
  const prompt = part(page, "prompt");
  relay.refuses = true;
  await told.ask(() => repeatButton(page, "prompt").click());
  await expect(prompt.getByRole("alert")).toContainText(problems.codes.analysis_refused);
  await expect(prompt.getByTestId("markdown")).toBeVisible();
  expect((await told.get<Job>()).status).toBe("completed");
  relay.refuses = false;
  const requestsBefore = relay.passed.length;
  await prompt.getByRole("alert").getByRole("button").click();
  await expect(prompt.getByRole("progressbar")).toBeVisible();
  await told.settled();
  await expect(prompt.getByRole("alert")).toHaveCount(0);
  expect(
    relay.passed.slice(requestsBefore).every(({ shape }) => shape === null),
    "no other part was repeated",
  ).toBe(true);
});

test("the assistant's answer is streamed, with valid time codes, and can be deleted", async ({ page, told, relay }) => {
  await page.getByRole("button", { name: transcript.assistant, exact: true }).click();
  const panel = page.getByRole("region", { name: uk.assistant.title });
  await expect(panel).toContainText(uk.assistant.modes.endpoint.replace("{{host}}", relay.host));
  await panel.getByRole("textbox").fill("What is the caller asked to do? Quote the time.");
  await page.keyboard.press("Enter");
  const pieces = new Set<string>();
  const current = panel.locator("li[aria-busy=true]");
  await expect(current).toBeVisible();
  while ((await current.count()) > 0) {
    pieces.add((await current.textContent({ timeout: 1000 }).catch(() => "")) ?? "");
    await page.waitForTimeout(100);
  }
  expect(pieces.size, "it grows before one's eyes").toBeGreaterThan(2);
  const { duration } = await told.get<EditedTranscript>("/transcript");
  for (const code of await panel.getByRole("button", { name: /\d:\d\d/ }).allTextContents()) {
    const [minutes = "0", seconds = "0"] = code.split(":");
    expect(Number(minutes) * 60 + Number(seconds)).toBeLessThanOrEqual(duration);
  }
  relay.refuses = true;
  await panel.getByRole("textbox").fill("And who answers?");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("alert")).toContainText(problems.codes.analysis_refused);
  relay.refuses = false;
  await page.reload();
  await expect(panel).toContainText("What is the caller asked to do?");
  // The reason of the second failure is not stored.
  await expect(panel).toContainText(uk.assistant.unanswered);
});

for (const look of eachLook(LOOKS)) {
  test(`screenshots: ${look.locale}, ${look.theme}, ${look.width} px`, async ({ page, told: _, relay, job }) => {
    await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 800 });
    await page.addInitScript(({ locale, theme }) => {
      localStorage.setItem("slovo.locale", locale);
      localStorage.setItem("slovo.theme", theme);
    }, look);
    await page.goto(`/transcription/${job.my_job_id}?tab=analysis`);
    const texts = look.locale === "uk" ? uk : en;
    await expect(page.getByText(texts.where.outside.replace("{{host}}", relay.host))).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    for (const name of PARTS) {
      await part(page, name).evaluate((element) => element.scrollIntoView({ block: "start" }));
      await page.evaluate(() => scrollBy(0, -120));
      await picture(page, `endpoint-${name}`, look);
    }
    await page.goto(`/transcription/${job.my_job_id}?assistant=open`);
    await expect(page.getByText(texts.assistant.modes.endpoint.replace("{{host}}", relay.host))).toBeVisible();
    await picture(page, "endpoint-assistant", look);
  });
}

test("the conversation is deleted permanently", async ({ page, told, job }) => {
  await page.goto(`/transcription/${job.my_job_id}?assistant=open`);
  const panel = page.getByRole("region", { name: uk.assistant.title });
  await panel.getByRole("button", { name: uk.assistant.clear }).click();
  await panel.getByRole("button", { name: uk.assistant.clearYes }).click();
  await expect(panel.getByText(uk.assistant.lead)).toBeVisible();
  expect((await told.get<{ messages: unknown[] }>("/assistant")).messages).toEqual([]);
  await page.reload();
  await expect(panel.getByText(uk.assistant.lead)).toBeVisible();
});
