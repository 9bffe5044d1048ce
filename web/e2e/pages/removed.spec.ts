/**
 * Passages that the engine removed from a text, with a fake server: shown, played, restored, undone. With
 * SLOVO_PICTURES=1, screenshots for review: e2e/shots/removed/*.png.
 */
import { expect, type Page, test } from "@playwright/test";
import type { RemovedPassage } from "../../src/api/schema.d.ts";
import enEditor from "../../src/locales/en/editor.json" with { type: "json" };
import en from "../../src/locales/en/removed.json" with { type: "json" };
import ukEditor from "../../src/locales/uk/editor.json" with { type: "json" };
import uk from "../../src/locales/uk/removed.json" with { type: "json" };
import { signIn } from "../accounts";
import { eachLook, shoot } from "../looks";
import { sessionOf } from "../mock-api";
import { expectAccessible } from "../test";
import { textsOf } from "../texts";
import { interview, jobOf, SPEAKERS, silence } from "../transcript-text";
import { TranscriptWorld } from "../transcript-world";

const passage = (number: number, start: number, text: string, reason: RemovedPassage["reason"]): RemovedPassage => ({
  number,
  segment: `72656d6f-7665-8000-8000-${number.toString(16).padStart(12, "0")}`,
  start,
  end: start + 1,
  text,
  reason,
  voiced: 0.12,
  confidence: 0.31,
  compression: 0.8,
});

const PASSAGES = [
  passage(0, 0.4, "[Музика]", "sound_mark"),
  passage(1, 21, "Дякую за перегляд!", "phantom_phrase"),
  passage(2, 60, "і ми і ми і ми і ми і ми і ми і ми і ми", "loop"),
];

async function worldWith(removed: RemovedPassage[]): Promise<TranscriptWorld> {
  const segments = interview();
  const world = new TranscriptWorld(jobOf(segments), segments, SPEAKERS);
  world.play(silence((segments.at(-1)?.end ?? 0) + 1));
  world.removed = removed;
  await world.start();
  return world;
}

const note = (page: Page) => page.getByTestId("removed");

const LOOKS = [
  { locale: "uk", theme: "light", width: 1280, height: 800, t: uk, editor: ukEditor },
  { locale: "en", theme: "dark", width: 390, height: 844, t: en, editor: enEditor },
] as const;

for (const { locale, theme, width, height, t, editor } of eachLook(LOOKS, 1)) {
  test(`a removed passage is restored by keyboard, and undone: ${locale} ${theme} ${width}`, async ({ page, context }) => {
    const world = await worldWith(PASSAGES);
    await page.setViewportSize({ width, height });
    await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
    const shot = (name: string) => shoot(page, `e2e/shots/removed/${name}-${locale}-${theme}-${width}.png`);
    await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=text`);
    await expect(note(page)).toContainText(/3/);
    await shot("closed");
    await note(page).locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect(note(page)).toContainText(t.reasons.phantom_phrase);
    await shot("open");

    const button = note(page).getByRole("button", { name: t.bringBackOf.replace("{{time}}", "0:21") });
    await button.focus();
    await page.keyboard.press("Enter");
    const text = page.getByTestId("transcript-text");
    await expect(text).toContainText("Дякую за перегляд!");
    await expect(text.getByTestId("brought-back")).toHaveText(t.mark);
    const doneButton = note(page).getByRole("button", { name: t.isBack.replace("{{time}}", "0:21") });
    await expect(doneButton).toBeFocused();
    await page.keyboard.press("Enter");
    expect(world.asked.flatMap(({ edits }) => edits)).toHaveLength(1);
    await shot("back");
    await expectAccessible(page);

    if (width === 390) {
      // On a phone it is in the menu while reading.
      await page.getByRole("button", { name: textsOf(locale, "transcript").more, exact: true }).click();
      await page.getByRole("menuitem", { name: editor.toolbar.undo }).click();
    } else {
      await page.getByRole("button", { name: editor.toolbar.undo }).click();
    }
    await expect(text).not.toContainText("Дякую за перегляд!");
    await expect(button).toBeVisible();
    await world.stop();
  });
}

test("its time plays, and nothing is shown if nothing was removed", async ({ page, context }) => {
  const world = await worldWith(PASSAGES.slice(1, 2));
  await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale: "uk", theme: "light" });
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=segments`);
  await note(page).locator("summary").click();
  await note(page)
    .getByRole("button", { name: uk.play.replace("{{time}}", "0:21") })
    .click();
  await expect.poll(() => page.evaluate(() => document.querySelector("audio")?.currentTime ?? 0)).toBeGreaterThanOrEqual(21);
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=dialog`);
  await expect(page.getByRole("toolbar")).toBeVisible();
  await expect(note(page)).toHaveCount(0);

  world.removed = [];
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=text`);
  await expect(page.getByTestId("transcript-text")).toBeVisible();
  await expect(note(page)).toHaveCount(0);
  await world.stop();
});
