/**
 * Unrecognised speech in a text, with a fake server: it plays, and it is recognised again in place, by keyboard; so are
 * selected words. With SLOVO_PICTURES=1, screenshots for review: e2e/shots/recognise-again/*.png.
 */
import { expect, type Page, test } from "@playwright/test";
import type { RemovedPassage } from "../../src/api/schema.d.ts";
import enAgain from "../../src/locales/en/again.json" with { type: "json" };
import enProblems from "../../src/locales/en/problems.json" with { type: "json" };
import enRemoved from "../../src/locales/en/removed.json" with { type: "json" };
import ukAgain from "../../src/locales/uk/again.json" with { type: "json" };
import ukEditor from "../../src/locales/uk/editor.json" with { type: "json" };
import ukProblems from "../../src/locales/uk/problems.json" with { type: "json" };
import ukRemoved from "../../src/locales/uk/removed.json" with { type: "json" };
import { signIn } from "../accounts";
import { eachLook, shoot } from "../looks";
import { sessionOf } from "../mock-api";
import { expectAccessible } from "../test";
import { interview, jobOf, SPEAKERS, silence } from "../transcript-text";
import { TranscriptWorld } from "../transcript-world";

const NEW = "Die Fenster sind noch ganz.";

/** The interview with a pause of eight seconds behind its third line, in which nothing was recognised. */
function withPause() {
  const lines = interview();
  const third = lines[2];
  if (!third) throw new Error("the interview has more than two lines");
  const start = third.end;
  const later = (seconds: number) => (seconds >= start ? seconds + 8 : seconds);
  const segments = lines.map((line, at) =>
    at <= 2
      ? line
      : {
          ...line,
          start: later(line.start),
          end: line.end + 8,
          words: line.words.map((word) => ({ ...word, start: later(word.start), end: word.end + 8 })),
        },
  );
  const passage: RemovedPassage = {
    number: 0,
    segment: "72656d6f-7665-8000-8000-000000000000",
    start: start + 1,
    end: start + 7,
    text: "",
    speaker: "SPEAKER_2",
    reason: "unrecognised",
    voiced: 0.92,
    confidence: 0,
    compression: 0,
  };
  return { segments, passage };
}

async function worldWithSpeech(): Promise<{ world: TranscriptWorld; passage: RemovedPassage }> {
  const { segments, passage } = withPause();
  const world = new TranscriptWorld(jobOf(segments), segments, SPEAKERS);
  world.play(silence((segments.at(-1)?.end ?? 0) + 1));
  world.removed = [passage];
  await world.start();
  return { world, passage };
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const spanned = (text: string, { start, end }: { start: number; end: number }) =>
  text.replace("{{from}}", clock(start)).replace("{{to}}", clock(end));
const note = (page: Page) => page.getByTestId("transcript-text").getByTestId("unrecognised");
const strip = (page: Page) => page.getByTestId("again");

const LOOKS = [
  { locale: "uk", theme: "light", width: 1280, height: 800, again: ukAgain, removed: ukRemoved, problems: ukProblems },
  { locale: "en", theme: "dark", width: 390, height: 844, again: enAgain, removed: enRemoved, problems: enProblems },
] as const;

for (const { locale, theme, width, height, again, removed, problems } of eachLook(LOOKS)) {
  test(`unrecognised speech is recognised again by keyboard, and undone: ${locale} ${theme} ${width}`, async ({
    page,
    context,
  }) => {
    const { world, passage } = await worldWithSpeech();
    await page.setViewportSize({ width, height });
    await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
    const shot = (name: string) => shoot(page, `e2e/shots/recognise-again/${name}-${locale}-${theme}-${width}.png`);
    await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=text`);
    await expect(note(page)).toContainText(removed.unrecognised.label);
    await expect(note(page).getByText("S3", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await shot("text");

    const button = note(page).getByRole("button", { name: spanned(removed.unrecognised.againOf, passage) });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: again.title });
    const language = dialog.getByLabel(again.language);
    await expect(language).toBeFocused();
    await language.selectOption("de");
    await expectAccessible(page);
    await shot("dialog");
    await dialog.getByRole("button", { name: again.start }).press("Enter");
    await expect(dialog).toBeHidden();
    expect(world.askedStretches).toMatchObject([
      { version: 1, start: passage.start, end: passage.end, language: "de", mode: "full" },
    ]);

    world.moveStretch({ status: "running", percent: 40 });
    await expect(strip(page).getByRole("progressbar")).toHaveAttribute("aria-valuenow", "40");
    await expect(note(page)).toContainText("40");
    await expect(note(page).getByRole("button").last()).toBeFocused();
    await expectAccessible(page);
    await shot("running");

    world.finishStretch(NEW, "de");
    const text = page.getByTestId("transcript-text");
    await expect(text).toContainText(NEW);
    await expect(note(page)).toHaveCount(0);
    await expect(text).toBeFocused();
    await expect(strip(page)).toHaveAttribute("data-state", "done");
    await expect(page.getByRole("status").filter({ hasText: spanned("{{from}}–{{to}}", passage) })).toBeAttached();
    await expectAccessible(page);
    await shot("done");

    await strip(page).getByRole("button", { name: again.undo }).press("Enter");
    await expect(text).not.toContainText(NEW);
    await expect(note(page)).toContainText(removed.unrecognised.label);

    await button.press("Enter");
    await dialog.getByRole("button", { name: again.start }).click();
    // Once it is closed, the server has the request; before, the one that was finished would fail instead.
    await expect(dialog).toBeHidden();
    world.moveStretch({ status: "failed", error: "edited_meanwhile" });
    await expect(strip(page)).toContainText(problems.stretch.edited_meanwhile);
    await expectAccessible(page);
    await shot("failed");
    await strip(page).getByRole("button", { name: again.dismiss }).press("Enter");
    await expect(strip(page)).toHaveCount(0);
    await world.stop();
  });
}

test("it plays at a click", async ({ page, context }) => {
  const { world, passage } = await worldWithSpeech();
  await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale: "uk", theme: "light" });
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=text`);
  await note(page)
    .getByRole("button", { name: spanned(ukRemoved.unrecognised.play, passage) })
    .click();
  const time = () => page.evaluate(() => document.querySelector("audio")?.currentTime ?? 0);
  await expect.poll(time).toBeGreaterThanOrEqual(passage.start);
  await world.stop();
});

test("selected words are recognised again, with the lines that they are in", async ({ page, context }) => {
  const { world } = await worldWithSpeech();
  await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale: "uk", theme: "light" });
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=text`);
  const words = page.getByTestId("transcript-text").locator("[data-w]");
  await expect(words.first()).toBeVisible();
  await page.evaluate(() => {
    const all = [...document.querySelectorAll("[data-testid=transcript-text] [data-w]")];
    const range = document.createRange();
    range.setStartBefore(all[0] as Node);
    range.setEndAfter(all[2] as Node);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  });
  await page.getByRole("button", { name: ukEditor.annotations.recogniseAgain }).click();
  const dialog = page.getByRole("dialog", { name: ukAgain.title });
  await dialog.getByRole("button", { name: ukAgain.start }).click();
  await expect(dialog).toBeHidden();
  const [asked] = world.askedStretches;
  expect(asked?.start).toBe(world.segments[0]?.words[0]?.start);
  expect(asked?.end).toBe(world.segments[0]?.words[2]?.end);
  expect(asked?.segments).toContainEqual({ id: "0", revision: 0 });
  await world.stop();
});
