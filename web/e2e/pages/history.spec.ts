/** The history of a transcript: viewing, comparing, naming and restoring states; and another run. */

import type { Page } from "@playwright/test";
import type { EditedSegment } from "../../src/api/schema.d.ts";
import en from "../../src/locales/en/history.json" with { type: "json" };
import transcriptEn from "../../src/locales/en/transcript.json" with { type: "json" };
import common from "../../src/locales/uk/common.json" with { type: "json" };
import editor from "../../src/locales/uk/editor.json" with { type: "json" };
import uk from "../../src/locales/uk/history.json" with { type: "json" };
import rules from "../../src/locales/uk/rules.json" with { type: "json" };
import transcript from "../../src/locales/uk/transcript.json" with { type: "json" };
import { intercept } from "../intercept";
import { eachLook } from "../looks";
import { expectAccessible } from "../test";
import { HISTORY } from "../transcript-past";
import { expect, LOOKS, picture, test } from "../workplace";

const sheet = (page: Page) => page.getByRole("dialog");

async function openHistory(page: Page, texts: { title: string } = uk, more = transcript.more) {
  await page.getByRole("button", { name: more, exact: true }).click();
  await page.getByRole("menuitem", { name: texts.title }).click();
  await expect(sheet(page).getByText(HISTORY.marks[0]?.name ?? "")).toBeVisible();
}

test("a state is viewed, compared and restored, with undo", async ({ page, open, past }) => {
  await open();
  await openHistory(page);
  const dialog = sheet(page);
  await dialog
    .getByRole("button", { name: /Вичитано для газети/ })
    .first()
    .click();
  const diff = dialog.getByTestId("diff");
  await expect(diff.locator("ins").first()).toHaveText("Ведуча");
  await expect(diff.locator("del").filter({ hasText: "вивезли" })).toBeVisible();
  await expect(diff).toContainText("додано 4 слова");
  // Changes are not shown by colour alone.
  await expect(diff.getByText(uk.diff.kind.added, { exact: true })).toBeAttached();
  await dialog.getByLabel(uk.seen.label).selectOption("text");
  await expect(dialog.getByTestId("past-text")).toContainText("Провідник запитав");
  await dialog.getByRole("button", { name: uk.restore, exact: true }).click();
  await expect(dialog).toBeHidden();
  const restored = () => past.asked.filter(({ call }) => call === "POST /restore").map(({ body }) => body as object);
  expect(restored()).toEqual([expect.objectContaining({ version: 1, at: null })]);
  await page.getByRole("button", { name: common.actions.undo }).click();
  await expect(page.getByText(uk.takenBack)).toBeVisible();
  expect(restored().at(-1)).toMatchObject({ version: 2, at: null });
});

test("the state before a session's edits is restored", async ({ page, open, past }) => {
  await open();
  await openHistory(page);
  const dialog = sheet(page);
  await dialog.getByRole("button", { name: /6 правок/ }).click();
  await dialog.getByRole("button", { name: uk.restore, exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: common.actions.undo }).click();
  await expect(page.getByText(uk.takenBack)).toBeVisible();
  const bodies = past.asked.filter(({ call }) => call === "POST /restore").map(({ body }) => body);
  expect(bodies).toEqual([expect.objectContaining({ version: 2, at: 6 }), expect.objectContaining({ version: 2, at: 9 })]);
});

test("a state is named, and the name is removed", async ({ page, open, past }) => {
  await open();
  await openHistory(page);
  const dialog = sheet(page);
  await dialog.getByRole("button", { name: uk.name.save }).click();
  await expect(dialog.getByText(uk.name.lacking)).toBeVisible();
  await dialog.getByLabel(uk.name.label).fill("Перед друком");
  await dialog.getByRole("button", { name: uk.name.save }).click();
  await expect(dialog.getByRole("button", { name: /^Перед друком/ })).toBeVisible();
  await dialog.getByRole("button", { name: uk.name.delete.replace("{{name}}", "Перед друком") }).click();
  await expect(dialog.getByRole("button", { name: /^Перед друком/ })).toBeHidden();
  expect(past.history.marks).toHaveLength(1);
});

test("another run is requested with changed settings", async ({ page, open, past }) => {
  await open();
  await page.getByRole("button", { name: transcript.more, exact: true }).click();
  await page.getByRole("menuitem", { name: uk.rerun.open }).click();
  const dialog = page.getByRole("dialog", { name: uk.rerun.title });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: uk.rerun.start, exact: true }).click();
  await expect(page.getByText(uk.rerun.started)).toBeVisible();
  const rerun = past.asked.find(({ call }) => call === "POST /rerun")?.body as { settings: object };
  expect(rerun.settings).toMatchObject({ language_code: "uk", diarization: true, srt: true });
});

test("the text stays during another run, with its progress, and is then replaced", async ({ page, open, world }) => {
  Object.assign(world.job, { status: "processing", finished_at: null });
  let finish = () => {};
  const end = new Promise<void>((resolve) => (finish = resolve));
  const body = (...events: [type: string, data: object][]) =>
    events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  let requests = 0;
  // The stream ends after each event, and is reconnected.
  await intercept(page, `**/jobs/${world.job.my_job_id}/events`, async (route) => {
    requests += 1;
    if (requests > 1) await end;
    const state = ["state", { job: world.job, segments: [] }] as [string, object];
    const next =
      requests === 1
        ? (["progress", { stage: "transcribing", percent: 42 }] as const)
        : (["completed", { job: world.job }] as const);
    await route.fulfill({ contentType: "text/event-stream", body: body(state, [...next]) });
  });
  await open();
  const strip = page.getByRole("region", { name: editor.rerun.label });
  await expect(strip).toContainText(editor.rerun.text);
  await expect(strip.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "42");
  await expect(strip).toContainText(rules.stage.transcribing);
  const text = page.getByTestId("transcript-text");
  await expect(text).toContainText("рукописи");
  await expectAccessible(page);

  Object.assign(world.job, { status: "completed", finished_at: "2026-11-21T12:00:00Z" });
  const [first, ...others] = world.segments as [EditedSegment, ...EditedSegment[]];
  const words = first.words.slice(0, 2).map((word, at) => ({ ...word, text: ["Другий", "прогін."][at] ?? "" }));
  world.segments = [{ ...first, text: "Другий прогін.", words }, ...others];
  world.version = 2;
  finish();
  await expect(strip).toBeHidden();
  await expect(text).toContainText("Другий прогін.");
});

for (const look of eachLook(LOOKS)) {
  test(`screenshots: ${look.width} ${look.theme} ${look.locale}`, async ({ page, open }) => {
    const texts = look.locale === "uk" ? uk : en;
    await open(look);
    await openHistory(page, texts, look.locale === "uk" ? transcript.more : transcriptEn.more);
    await picture(page, "history", look);
    await expectAccessible(page);
    await sheet(page)
      .getByRole("button", { name: /Вичитано для газети/ })
      .first()
      .click();
    await expect(page.getByTestId("diff")).toBeVisible();
    await picture(page, "history-diff", look);
    await expectAccessible(page);
  });
}
