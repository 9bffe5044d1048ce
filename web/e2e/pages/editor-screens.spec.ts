/** Screenshots of the workspace for review: SLOVO_PICTURES=1 npm run e2e editor-screens; e2e/shots/editor/*.png. */
import { expect, type Page, test } from "@playwright/test";
import type { Locale } from "../../src/lib/i18n";
import en from "../../src/locales/en/editor.json" with { type: "json" };
import uk from "../../src/locales/uk/editor.json" with { type: "json" };
import { signIn } from "../accounts";
import { shoot } from "../looks";
import { sessionOf } from "../mock-api";
import { interview, jobOf, SPEAKERS, silence } from "../transcript-text";
import { TranscriptWorld } from "../transcript-world";

const LOOKS = [
  { locale: "uk", theme: "light", width: 1280, height: 800 },
  { locale: "en", theme: "dark", width: 1280, height: 800 },
  { locale: "uk", theme: "dark", width: 390, height: 844 },
  { locale: "en", theme: "light", width: 390, height: 844 },
] as const;
const TEXTS: Record<Locale, typeof uk> = { uk, en: en as unknown as typeof uk };

for (const { locale, theme, width, height } of LOOKS) {
  test(`${locale} ${theme} ${width}`, async ({ page, context }) => {
    const segments = interview();
    const world = new TranscriptWorld(jobOf(segments), segments, [
      ...SPEAKERS.slice(0, 1),
      { id: "SPEAKER_1", name: "Тетяна Пилипчук" },
      ...SPEAKERS.slice(2),
    ]);
    world.play(silence(120));
    await world.start();
    await page.setViewportSize({ width, height });
    await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
    const shot = (name: string) => shoot(page, `e2e/shots/editor/${name}-${locale}-${theme}-${width}.png`);
    const t = TEXTS[locale];
    const open = (tab: string) => page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=${tab}`);
    await open("text");
    await expect(page.getByTestId("transcript-text")).toBeVisible();
    await shot("text");
    await page.getByRole("button", { name: t.toolbar.edit, exact: true }).click();
    await page.getByText("вагон?", { exact: true }).click();
    await page.keyboard.press("Control+End");
    world.setLine("down");
    await page.keyboard.type(" Так.");
    await page.getByRole("button", { name: t.unsure.label }).click();
    await shot("writing");
    world.write({ kind: "set_text", segment: world.ref("10"), text: "Це був їхній вагон?" });
    world.setLine("up");
    await page.getByTestId("conflicts").scrollIntoViewIfNeeded();
    await page.getByTestId("segment-editor").blur();
    await shot("conflict");
    for (const tab of ["dialog", "segments", "subtitles"]) {
      await open(tab);
      await expect(page.getByRole("toolbar")).toBeVisible();
      await page.waitForTimeout(300);
      await shot(tab);
    }
    await open("search");
    await page.getByRole("searchbox").fill("музе");
    await expect(page.getByTestId("hits").locator("mark").first()).toBeVisible();
    await shot("search");
    await replaceSheet(page, t);
    await shot("replace");
    await world.stop();
  });
}

async function replaceSheet(page: Page, t: typeof uk): Promise<void> {
  // On a phone it is in the menu; the keyboard shortcuts are the same.
  await page.keyboard.press("Control+h");
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("textbox", { name: t.replace.find }).fill("музей");
  await sheet.getByRole("textbox", { name: t.replace.with }).fill("Музей");
  await expect(sheet.getByRole("checkbox").nth(2)).toBeVisible();
}
