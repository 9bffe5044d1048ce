/** The Analysis tab and the assistant with a fake server: all states of a part, and hostile texts. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Part } from "../../src/api/schema";
import en from "../../src/locales/en/analysis.json" with { type: "json" };
import uk from "../../src/locales/uk/analysis.json" with { type: "json" };
import common from "../../src/locales/uk/common.json" with { type: "json" };
import editor from "../../src/locales/uk/editor.json" with { type: "json" };
import problems from "../../src/locales/uk/problems.json" with { type: "json" };
import sharing from "../../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../../src/locales/uk/transcript.json" with { type: "json" };
import { AnalysisWorld, HOST } from "../analysis-world";
import { withFigures } from "../figures";
import { intercept } from "../intercept";
import { eachLook } from "../looks";
import { SUBSCRIPTION } from "../mock-api";
import { expectAccessible, playerState } from "../test";
import { test as base, expect, LOOKS, picture } from "../workplace";

const test = base.extend<{ analyses: AnalysisWorld }>({
  analyses: async ({ world }, use) => use(new AnalysisWorld(world)),
});

const part = (page: Page, name: Part | "statistics") => page.getByTestId(`part-${name}`);
const openTab = (page: Page, name = editor.tabs.analysis) => page.getByRole("tab", { name, exact: true }).click();

/** The formats of the reader's plan. */
const planHas = (page: Page, export_formats: string[]) =>
  intercept(page, "**/api/v1/me/subscription", (route) => route.fulfill({ json: { ...SUBSCRIPTION, export_formats } }));

/** Expects that the player has reached a position; it continues from there. */
const expectAt = (page: Page, seconds: number) =>
  expect.poll(async () => (await playerState(page)).time - seconds).toBeGreaterThanOrEqual(-0.2);

test("all results are shown, and link to their positions", async ({ page, open, analyses }) => {
  analyses.fill();
  await open();
  await openTab(page);
  await expect(page.getByText(HOST).first()).toBeVisible();

  await test.step("a sentence of the summary plays its position; the speakers are shown", async () => {
    const summary = part(page, "summary");
    await expect(summary).toContainText(uk.summary.extractive);
    await summary.getByRole("link").nth(2).click();
    await expectAt(page, analyses.moment(16).start);
    await expect(page).not.toHaveURL(/[?&]t=/);
  });

  await test.step("a chapter and a class link to their positions", async () => {
    await part(page, "chapters")
      .getByRole("button", { name: /Що вивезли/ })
      .click();
    await expectAt(page, analyses.moment(5).start);
    await expect(part(page, "classification")).toContainText(/93\s?%/);
    await expect(part(page, "classification").getByRole("listitem").filter({ hasText: "спорт" })).toContainText(
      uk.classification.notFound,
    );
    await part(page, "classification")
      .getByRole("button")
      .filter({ hasText: /\d:\d\d/ })
      .nth(1)
      .click();
    await expectAt(page, analyses.moment(19).start);
  });

  await test.step("the curve is one tab stop; arrow keys move along it, Enter plays", async () => {
    const curve = part(page, "sentiment").getByRole("list");
    await expect(curve.locator("button[tabindex='0']")).toHaveCount(1);
    await curve.locator("button").first().focus();
    for (let at = 0; at < 3; at += 1) await page.keyboard.press("ArrowRight");
    await expect(curve.locator("button").nth(3)).toBeFocused();
    await page.keyboard.press("Enter");
    await expectAt(page, analyses.moment(3).start);
    await expect(curve.locator("button").nth(3)).toHaveAccessibleName(/Позитивна|Нейтральна|Негативна/);
  });

  await test.step("talk times are shown", async () => {
    await expect(part(page, "statistics").getByRole("row").nth(2)).toContainText(/S2.*0:58.*60\s?%.*160/);
  });

  await expectAccessible(page);

  await test.step("a keyword opens the search with it", async () => {
    await part(page, "keywords")
      .getByRole("button", { name: /^ящики/ })
      .click();
    await expect(page.getByRole("searchbox")).toHaveValue("ящики");
    await expect(page.getByTestId("hits").locator("mark").first()).toHaveText("ящики");
  });
});

test("a translation is shown beside the original and downloaded", async ({ page, open, analyses }) => {
  analyses.fill();
  await planHas(page, ["txt", "vtt", "srt"]);
  await open();
  await openTab(page);
  const translation = part(page, "translation");
  await translation.getByRole("button", { name: "Англійська" }).click();
  await expect(translation).toContainText("Sentence 2 of the interview");
  await expect(translation).toContainText("Пані Тетяно");
  const downloading = page.waitForEvent("download");
  await part(page, "subtitle_translation").getByRole("button", { name: /SRT/ }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/english\.srt$/);
  expect(readFileSync(await file.path(), "utf8")).toMatch(/^1\n00:00:0\d,\d{3} --> .*\nCue 1\nsecond line\n/);
});

test("translated subtitles are downloaded in a format of the plan", async ({ page, open, analyses }) => {
  analyses.fill();
  await planHas(page, ["txt", "vtt"]);
  await open();
  await openTab(page);
  const subtitles = part(page, "subtitle_translation");
  await expect(subtitles).toContainText(withFigures(sharing.export.not_in_plan));
  await expect(subtitles.getByRole("button", { name: /SRT/ })).toHaveCount(0);
  const downloading = page.waitForEvent("download");
  await subtitles.getByRole("button", { name: /VTT/ }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/english\.vtt$/);
  expect(readFileSync(await file.path(), "utf8")).toMatch(/^WEBVTT\n\n00:00:0\d\.\d{3} --> .*\nCue 1\nsecond line\n/);
});

test("hostile texts do no harm", async ({ page, open, analyses }) => {
  analyses.fill();
  const strange: string[] = [];
  page.on("request", (request) => request.url().includes("evil") && strange.push(request.url()));
  await open();
  await openTab(page);
  const answer = part(page, "prompt").getByTestId("markdown");
  await expect(answer).toContainText("<script>window.hacked = 1</script>");
  await expect(answer.locator("script, img, iframe")).toHaveCount(0);
  await expect(answer.getByRole("link")).toHaveCount(2);
  for (const link of await answer.getByRole("link").all()) {
    await expect(link).toHaveAttribute("href", /^https:\/\/example\.org\//);
    await expect(link).toHaveAttribute("rel", /noopener/);
  }
  await expect(answer.getByRole("table")).toContainText("вікна");
  await answer.getByText("натисни").click();
  await expect(part(page, "keywords")).toContainText("<b>рояль</b>");
  expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
  expect(strange).toEqual([]);
});

test("a part is requested, queued, running and completed; an edit offers to repeat it", async ({ page, open, analyses }) => {
  await open();
  await openTab(page);
  const summary = part(page, "summary");
  await expect(page.getByText(uk.where.here)).toBeVisible();
  await summary.getByLabel(uk.ask.words).fill("0");
  await summary.getByRole("button", { name: uk.ask.summary }).click();
  await expect(summary.getByLabel(uk.ask.words)).toHaveAttribute("aria-invalid", "true");
  await summary.getByLabel(uk.ask.words).fill("120");
  await summary.getByRole("button", { name: uk.ask.summary }).click();
  await expect(summary).toContainText(uk.result.waiting);
  expect(analyses.asked).toEqual([{ part: "summary", words: 120 }]);
  const [first] = analyses.view.parts;
  analyses.change(first?.id ?? "", { status: "running", percent: 42 });
  await expect(summary.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "42");
  const sentences = [{ text: "Перший підсумок.", moments: [] }];
  analyses.change(first?.id ?? "", {
    status: "done",
    percent: 100,
    engine: { kind: "embedded", model: "e5" },
    outcome: { part: "summary", sentences, words: 2, extractive: true },
    is_stale: true,
  });
  await expect(summary).toContainText("Перший підсумок.");
  await expect(summary).toContainText(uk.result.stale);
  await summary.getByRole("button", { name: new RegExp(`^${uk.result.again}`) }).click();
  await expect(summary).toContainText(uk.result.waiting);
  // The older result stays until the new one is complete.
  await expect(summary).toContainText("Перший підсумок.");
  expect(analyses.asked.at(-1)).toEqual({ part: "summary", words: 120 });
});

test("a failed part shows the reason and can be repeated; an unavailable one shows the reason", async ({
  page,
  open,
  analyses,
}) => {
  const labels = ["скарга", "похвала"];
  analyses.put({ part: "classification", status: "failed", error: "analysis_busy", params: { labels } });
  analyses.view.available = analyses.view.available.map((entry) =>
    entry.part === "prompt" ? { part: "prompt", engine: null, reason: "not_configured" } : entry,
  );
  await open();
  await openTab(page);
  const failed = part(page, "classification");
  await expect(failed.getByRole("alert")).toContainText(problems.codes.analysis_busy);
  await expect(part(page, "prompt")).toContainText(uk.lacks.not_configured);
  await expectAccessible(page);
  await failed.getByRole("button", { name: new RegExp(`^${uk.result.again}`) }).click();
  await expect(failed).toContainText(uk.result.waiting);
  expect(analyses.asked).toEqual([{ part: "classification", labels }]);
});

test("held analyses are shown as such, and start with one click when there is a language model", async ({
  page,
  open,
  analyses,
}) => {
  const [prompt, summary] = [
    analyses.put({ part: "prompt", status: "held", error: "not_configured", params: { prompt: "Хто вирішує?" } }),
    analyses.put({ part: "summary", status: "held", error: "model_missing", params: { words: 50 } }),
  ];
  const lacking = (of: Part, reason: "not_configured" | "model_missing") => ({ part: of, engine: null, reason });
  const available = analyses.view.available;
  analyses.view.available = available.map((entry) => {
    if (entry.part === "prompt") return lacking("prompt", "not_configured");
    return entry.part === "summary" ? lacking("summary", "model_missing") : entry;
  });
  analyses.world.job.held_parts = 2;
  await open({}, "admin");
  const strip = page.getByRole("region", { name: transcript.analysis.strip.held.label });
  await expect(strip).toContainText(transcript.analysis.strip.held.text);
  await strip.getByRole("button", { name: transcript.analysis.open }).click();
  await expect(part(page, "prompt")).toContainText(uk.held.reason.not_configured);
  await expect(part(page, "summary")).toContainText(uk.held.reason.model_missing);
  await expect(part(page, "prompt").getByRole("button")).toHaveCount(0);
  await expectAccessible(page);

  analyses.view.available = available;
  await page.reload();
  await expect(part(page, "prompt")).toContainText(uk.held.ready);
  await expectAccessible(page);
  let ran: unknown;
  await intercept(page, "**/api/v1/held-analyses", async (route) => {
    ran = route.request().postDataJSON();
    for (const { id } of [prompt, summary]) analyses.change(id, { status: "waiting", error: null });
    await route.fulfill({ json: { queued: 2 } });
  });
  await part(page, "prompt")
    .getByRole("button", { name: /^Виконати/ })
    .click();
  await expect(part(page, "prompt")).toContainText(uk.result.waiting);
  await expect(part(page, "summary")).toContainText(uk.result.waiting);
  expect(ran).toEqual({ job_id: analyses.world.job.my_job_id });
});

test("older results can be viewed and deleted, with undo", async ({ page, open, analyses }) => {
  for (const markdown of ["Стара відповідь", "Нова відповідь"]) {
    analyses.put({ part: "prompt", params: { prompt: markdown }, outcome: { part: "prompt", markdown } });
  }
  await open();
  await openTab(page);
  const prompt = part(page, "prompt");
  await expect(prompt.getByTestId("markdown")).toHaveText("Нова відповідь");
  await prompt.getByRole("combobox").selectOption({ index: 1 });
  await expect(prompt.getByTestId("markdown")).toHaveText("Стара відповідь");
  await prompt.getByRole("button", { name: /^Видалити цей результат/ }).click();
  await expect(prompt.getByTestId("markdown")).toHaveText("Нова відповідь");
  await page.getByRole("button", { name: common.actions.undo }).click();
  await expect(prompt.getByRole("combobox").getByRole("option")).toHaveCount(2);
  expect(analyses.removed).toEqual([]);
});

test("an empty state is shown if no analysis is available", async ({ page, open, analyses }) => {
  analyses.view.available = analyses.view.available.map(({ part: name }) => ({
    part: name,
    engine: null,
    reason: "not_configured",
  }));
  await open();
  await openTab(page);
  await expect(page.getByRole("heading", { name: uk.empty.title })).toBeVisible();
});

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

async function openAssistant(page: Page) {
  await page.getByRole("button", { name: transcript.assistant, exact: true }).click();
  return page.getByRole("region", { name: uk.assistant.title });
}

test("the assistant's answer is streamed in arbitrary chunks, with time codes that play", async ({ page, open, analyses }) => {
  let go = () => {};
  const resumed = new Promise<void>((resume) => {
    go = resume;
  });
  analyses.answer = async (response, question) => {
    const text = "Вивезли **листи** та ящики [0:26]. <img src=x onerror=alert(1)>";
    const payload = Buffer.from(event("delta", { text: "Вивезли **листи** " }) + event("delta", { text: "та ящики" }));
    // A chunk boundary inside a two-byte character.
    for (let at = 0; at < payload.length; at += 11) {
      response.write(payload.subarray(at, at + 11));
      await new Promise((next) => setImmediate(next));
    }
    await resumed;
    analyses.say({ role: "user", text: question, engine: null });
    const message = analyses.say({ text, moments: [analyses.moment(6)] });
    response.end(event("done", message));
  };
  await open();
  const panel = await openAssistant(page);
  await expect(panel.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("Що вивезли?");
  await page.keyboard.press("Enter");
  await expect(panel.locator("strong")).toHaveText("листи");
  await expect(panel.getByRole("button", { name: uk.assistant.stop })).toBeVisible();
  go();
  await panel.getByRole("button", { name: uk.result.play.replace("{{time}}", "0:26") }).click();
  await expectAt(page, 26);
  expect(analyses.questions).toEqual(["Що вивезли?"]);
  await expect(panel.locator("img")).toHaveCount(0);
  await expectAccessible(page);

  await test.step("the conversation survives a reload, and can be deleted", async () => {
    await page.reload();
    await expect(panel).toContainText("Що вивезли?");
    await panel.getByRole("button", { name: uk.assistant.clear }).click();
    await panel.getByRole("button", { name: uk.assistant.clearYes }).click();
    await expect(panel.getByText(uk.assistant.lead)).toBeVisible();
    expect(analyses.assistant.messages).toEqual([]);
  });

  await test.step("closing returns the focus", async () => {
    await panel.getByRole("textbox").focus();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: transcript.assistant, exact: true })).toBeFocused();
  });
});

test("an interrupted, failed or stopped answer is marked and can be repeated", async ({ page, open, analyses }) => {
  analyses.answer = (response) => {
    response.write(event("delta", { text: "Почина" }));
    setTimeout(() => response.destroy(), 50);
  };
  await open();
  const panel = await openAssistant(page);
  await panel.getByRole("button", { name: uk.assistant.examples.first }).click();
  await expect(panel.getByRole("alert")).toContainText(uk.assistant.cut);
  analyses.answer = (response) => response.end(event("failed", { code: "analysis_unreachable" }));
  await panel.getByRole("button", { name: uk.assistant.again }).click();
  await expect(panel.getByRole("alert")).toContainText(problems.codes.analysis_unreachable);
  analyses.answer = (response) => void response.write(event("delta", { text: "Довга відповідь" }));
  await panel.getByRole("button", { name: uk.assistant.again }).click();
  await expect(panel).toContainText("Довга відповідь");
  await panel.getByRole("button", { name: uk.assistant.stop }).click();
  await expect(panel.getByRole("alert")).toContainText(uk.assistant.stopped);
  expect(analyses.questions).toEqual(Array(3).fill(uk.assistant.examples.first));
});

test("without an endpoint it quotes the text with a note; without any model it explains that", async ({
  page,
  open,
  analyses,
}) => {
  analyses.assistant.mode = "passages";
  await open();
  const panel = await openAssistant(page);
  await expect(panel).toContainText(uk.assistant.modes.passages);
  analyses.assistant = { mode: "none", messages: [] };
  await page.reload();
  await expect(panel).toContainText(uk.assistant.none.title);
  await expect(panel.getByRole("textbox")).toHaveCount(0);
});

for (const look of eachLook(LOOKS)) {
  test(`screenshots: ${look.locale}, ${look.theme}, ${look.width} px`, async ({ page, open, analyses }) => {
    analyses.fill();
    analyses.put({ part: "summary", status: "running", percent: 38, params: { words: 200 } });
    analyses.say({ role: "user", text: "Що вивезли першим?" });
    analyses.say({
      text: "Першими поїхали **листи** Майка Йогансена та альбоми Слобожанщини [0:25], потім афіші й бібліотека [0:28]:\n\n- усього сорок два ящики\n- їх збивали самі [0:32]",
    });
    await open(look);
    const texts = look.locale === "uk" ? uk : en;
    await openTab(page, texts.title);
    await expect(part(page, "subtitle_translation")).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, "nothing sticks out to the right").toBeLessThanOrEqual(0);
    await picture(page, "analysis-top", look);
    for (const name of ["sentiment", "statistics", "prompt", "subtitle_translation"] as const) {
      await part(page, name).scrollIntoViewIfNeeded();
      await part(page, name).evaluate((element) => element.scrollIntoView({ block: "start" }));
      await page.evaluate(() => scrollBy(0, -120));
      await picture(page, `analysis-${name}`, look);
    }
    await page.goto(`${page.url().split("?")[0]}?assistant=open`);
    await expect(page.getByText("Що вивезли першим?").last()).toBeVisible();
    await picture(page, "assistant", look);
  });
}
