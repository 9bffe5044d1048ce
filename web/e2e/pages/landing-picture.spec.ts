/**
 * The screenshot of the editor on the landing page and in the README, in each language. After a change of the workspace, run
 * `SLOVO_PICTURES=1 SLOVO_LANDING=1 npm run e2e landing-picture`; without SLOVO_LANDING it is saved to e2e/shots/landing.
 * The conversation and the people are fictional.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { EditedSegment } from "../../src/api/schema";
import { signIn } from "../accounts";
import { sessionOf } from "../mock-api";
import { LOCALES, textsOf } from "../texts";
import { mockPast } from "../transcript-past";
import { jobOf, silence, toSegments } from "../transcript-text";
import { TranscriptWorld } from "../transcript-world";
import { expect, test } from "../workplace";

/** `~` marks an uncertain word; `spoken` is the word being played. */
const SCENES = {
  uk: {
    name: "Інтерв’ю про сад.mp3",
    user: { fullname: "Олена Коваленко", initials: "ОК" },
    speakers: ["Олена", "Садівник"],
    spoken: "посадив",
    lines: [
      [0, "Добрий день. Розкажіть, будь ласка, з чого почався ваш сад."],
      [1, "З одного дерева. Його посадив мій дід, коли повернувся додому."],
      [1, "Потім сусід приніс ~живці, і ми стали щепити."],
      [0, "Скільки дерев тут тепер?"],
      [1, "Сто дванадцять: яблуні, груші, дві старі шовковиці й ~алича."],
      [1, "Найстарішій яблуні дев’яносто років, і вона родить щоосені."],
      [0, "А що найважче?"],
      [1, "Весняні ~приморозки. Тоді ми палимо солому й не спимо до ранку."],
      [1, "Торік так урятували майже весь цвіт."],
      [0, "Кому дістаються яблука?"],
      [1, "Школі, сусідам і кожному, хто приходить із кошиком."],
      [1, "Взимку варимо сидр, а навесні запрошуємо щепити разом."],
    ],
  },
  en: {
    name: "Interview about the orchard.mp3",
    user: { fullname: "Olena Kovalenko", initials: "OK" },
    speakers: ["Olena", "Gardener"],
    spoken: "planted",
    lines: [
      [0, "Good afternoon. How did your orchard begin?"],
      [1, "With a single tree. My grandfather planted it when he came home."],
      [1, "Then a neighbour brought some ~scions, and we began grafting."],
      [0, "How many trees are there now?"],
      [1, "A hundred and twelve: apples, pears, two old mulberries and a ~damson."],
      [1, "The oldest tree is ninety, and it still bears fruit every autumn."],
      [0, "What is the hardest part?"],
      [1, "The late ~frosts. We burn straw then, and no one sleeps till morning."],
      [1, "Last year that saved nearly all the blossom."],
      [0, "Who gets the apples?"],
      [1, "The school, the neighbours and anyone who comes with a basket."],
      [1, "In winter we make cider, and in spring we invite people to graft with us."],
    ],
  },
} as const;

/** Louder at words, like a voice; equal in every run. */
function peaksOf(segments: readonly EditedSegment[], duration: number): number[] {
  const words = segments.flatMap((segment) => segment.words);
  return Array.from({ length: 600 }, (_, at) => {
    const time = (at / 600) * duration;
    const isSpoken = words.some(({ start, end }) => start <= time && time < end);
    return isSpoken ? Number((0.35 + 0.6 * Math.abs(Math.sin(at * 1.7) * Math.cos(at * 0.45))).toFixed(2)) : 0.02;
  });
}

/** The size of the image on the landing page; a lossless one would be five times as large. */
async function save(page: Page, file: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  const folder = new URL(process.env.SLOVO_LANDING ? "../../public/pictures/" : "../shots/landing/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(file, folder), Buffer.from(data, "base64"));
}

for (const locale of LOCALES) {
  test(`the editor (${locale})`, async ({ page, context }) => {
    const scene = SCENES[locale];
    const segments = toSegments(scene.lines);
    const job = jobOf(segments, { original_filename: scene.name, language: locale, file_size: 1_100_000 });
    job.settings = { ...job.settings, language_code: locale, srt: false, word_level_timestamps: false };
    const world = new TranscriptWorld(
      job,
      segments,
      scene.speakers.map((name, at) => ({ id: `SPEAKER_${at}`, name })),
    );
    world.play(silence(job.duration ?? 60));
    await world.start();
    const past = await mockPast(page, world);
    past.peaks = peaksOf(segments, job.duration ?? 60);
    await page.setViewportSize({ width: 1280, height: 800 });
    const session = sessionOf({ signedIn: true, jobs: [] });
    const user = { ...session.user, ...scene.user, email: "olena@example.org" };
    await signIn(context, { ...session, user }, { locale, theme: "light" });
    await page.goto(`${world.origin}/transcription/${job.my_job_id}`);
    const text = page.getByTestId("transcript-text");
    await expect(text).toContainText(scene.lines[4][1].slice(0, 12));
    // A click on a word plays it.
    await text.getByText(scene.spoken, { exact: true }).first().click();
    await expect(page.getByRole("button", { name: textsOf(locale, "player").pause })).toBeVisible();
    await page.mouse.move(640, 4);
    await expect(page.getByRole("tooltip")).toHaveCount(0);
    await save(page, `editor-${locale}.webp`);
    await world.stop();
  });
}
