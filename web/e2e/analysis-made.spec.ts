/** Analyses of a real recording by the server's own models: requested with the job, afterwards, and quoted answers. */
import type { Page } from "@playwright/test";
import type { Part } from "../src/api/schema";
import analysis from "../src/locales/uk/analysis.json" with { type: "json" };
import editor from "../src/locales/uk/editor.json" with { type: "json" };
import transcript from "../src/locales/uk/transcript.json" with { type: "json" };
import { finishedJob, signIn, signUp } from "./accounts";
import { LONG, recording } from "./recordings";
import { expect, expectAccessible, playerState, test } from "./test";

const part = (page: Page, name: Part | "statistics") => page.getByTestId(`part-${name}`);

test("requested analyses are created, more are requested later, and a question is answered with quotes", async ({
  page,
  context,
  server,
}) => {
  const session = await signUp(server);
  await signIn(context, session);
  const job = await finishedJob(server, session, recording("long.mp3", LONG), {
    transcription_type: "full",
    language_code: "en",
    summarize: 20,
    overall_classification: true,
    classification_labels: ["telephone calls", "cooking"],
  });
  await page.goto(`${server.origin}/transcription/${job.my_job_id}?tab=analysis`);

  await test.step("the summary consists of the speakers' sentences, and links to them", async () => {
    const summary = part(page, "summary");
    await expect(summary).toContainText(analysis.summary.extractive);
    const sentence = summary.getByRole("link").first();
    const sentenceText = (await sentence.textContent()) ?? "";
    await sentence.click();
    await expect.poll(async () => (await playerState(page)).paused).toBe(false);
    await page.getByRole("tab", { name: editor.tabs.text, exact: true }).click();
    const first = sentenceText.trim().split(/\s+/)[0] ?? "";
    await expect(page.getByTestId("transcript-text")).toContainText(first);
    await page.getByRole("tab", { name: editor.tabs.analysis, exact: true }).click();
  });

  await test.step("a matching label is ranked first", async () => {
    const labels = part(page, "classification");
    await expect(labels).toContainText("telephone calls");
    const text = (await labels.textContent()) ?? "";
    expect(text.indexOf("telephone calls")).toBeLessThan(text.indexOf("cooking"));
  });

  await test.step("nothing is sent to other hosts, and parts that need an endpoint say so", async () => {
    await expect(page.getByText(analysis.where.here)).toBeVisible();
    await expect(part(page, "translation")).toContainText(analysis.lacks.not_configured);
  });

  await test.step("the sentiment is requested afterwards", async () => {
    const sentiment = part(page, "sentiment");
    await sentiment.getByRole("button", { name: analysis.ask.sentiment }).click();
    await expect(sentiment).toContainText(new RegExp(Object.values(analysis.sentiment.mood).join("|")), { timeout: 60_000 });
  });
  await expectAccessible(page);

  await test.step("a question is answered with passages", async () => {
    await page.getByRole("button", { name: transcript.assistant, exact: true }).click();
    const panel = page.getByRole("region", { name: analysis.assistant.title });
    await panel.getByRole("textbox").fill("Who calls all the time?");
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("button", { name: /\d:\d\d/ }).first()).toBeVisible({ timeout: 60_000 });
    await page.reload();
    await expect(page.getByText("Who calls all the time?")).toBeVisible();
  });
});
