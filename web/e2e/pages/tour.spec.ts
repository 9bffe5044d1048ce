/** The sample of a new account and its tour, from the library to the last step, and restarted from the menu. */
import type { Page } from "@playwright/test";
import clipEn from "../../../crates/site/src/demo/en.json" with { type: "json" };
import clipUk from "../../../crates/site/src/demo/uk.json" with { type: "json" };
import type { EditedSegment, Job, JobPage, Tour } from "../../src/api/schema.d.ts";
import commonEn from "../../src/locales/en/common.json" with { type: "json" };
import en from "../../src/locales/en/sample.json" with { type: "json" };
import transcriptEn from "../../src/locales/en/transcript.json" with { type: "json" };
import commonUk from "../../src/locales/uk/common.json" with { type: "json" };
import uk from "../../src/locales/uk/sample.json" with { type: "json" };
import transcriptUk from "../../src/locales/uk/transcript.json" with { type: "json" };
import { signIn } from "../accounts";
import { contrast } from "../contrast";
import { eachLook } from "../looks";
import { sessionOf } from "../mock-api";
import { expectAccessible } from "../test";
import { jobOf, silence } from "../transcript-text";
import { TranscriptWorld } from "../transcript-world";
import { expect, LOOKS, picture, withWorld } from "../workplace";

const TEXTS = {
  uk: { ...uk, common: commonUk, transcript: transcriptUk, clip: clipUk },
  en: { ...en, common: commonEn, transcript: transcriptEn, clip: clipEn },
} as const;

type Locale = keyof typeof TEXTS;

/** The sample, as created by the server. */
function sampleOf(locale: Locale): { job: Job; segments: EditedSegment[] } {
  const { clip, recording } = TEXTS[locale];
  const sentences: (typeof clip.words)[] = [[]];
  for (const word of clip.words) {
    sentences.at(-1)?.push(word as never);
    if (word.text.endsWith(".")) sentences.push([]);
  }
  const segments = sentences
    .filter((words) => words.length > 0)
    .map((words, at) => ({
      id: String(at),
      revision: 0,
      place: { base: at, part: 0 },
      start: words[0]?.start ?? 0,
      end: words.at(-1)?.end ?? 0,
      speaker: "SPEAKER_0",
      text: words.map(({ text }) => text).join(" "),
      words: words.map((word) => ({ confidence: 1, ...word })),
    }));
  const job = jobOf(segments, { original_filename: recording.name, is_sample: true, language: locale, duration: clip.duration });
  return { job: { ...job, settings: { ...job.settings, diarization: false, srt: false } }, segments };
}

const test = withWorld.extend<{ language: Locale; tour: { offered: boolean; ended: number } }>({
  language: ["uk", { option: true }],
  tour: [{ offered: true, ended: 0 }, { option: true }],
  world: async ({ language, tour }, use) => {
    const { job, segments } = sampleOf(language);
    const speakers = [{ id: "SPEAKER_0", name: TEXTS[language].recording.speaker }];
    const world = new TranscriptWorld(job, segments, speakers);
    const state = { ...tour };
    world.also = (request, response) => {
      const path = new URL(request.url ?? "/", world.origin).pathname;
      const say = (body: object) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(body));
        return true;
      };
      if (path === "/api/v1/jobs") return say({ items: [job], next_cursor: null } satisfies JobPage);
      if (path === "/api/v1/me/tour") return say({ is_offered: state.offered, sample: job.my_job_id } satisfies Tour);
      if (path !== "/api/v1/me/tour/end") return false;
      tour.ended += 1;
      state.offered = false;
      response.statusCode = 204;
      response.end();
      return true;
    };
    world.play(silence(job.duration ?? 1));
    await world.start();
    await use(world);
    await world.stop();
  },
});

test.setTimeout(180_000);
test.use({ actionTimeout: 10_000 });

/** The elements covered by the step's card. */
const covered = (page: Page, names: readonly string[]) =>
  page.evaluate((all) => {
    const mark = document.querySelector("[data-testid=tour]")?.getBoundingClientRect();
    if (!mark) return ["no mark"];
    return all.filter((name) => {
      const box = document.querySelector(`[data-tour=${name}]`)?.getBoundingClientRect();
      return !box || (mark.left < box.right && box.left < mark.right && mark.top < box.bottom && box.top < mark.bottom);
    });
  }, names);

for (const look of eachLook(LOOKS, 1)) {
  const { locale, theme, width } = look;
  const t = TEXTS[locale];
  test.describe(`${width} ${theme} ${locale}`, () => {
    test.use({ language: locale, tour: { offered: true, ended: 0 } });

    test("the library offers the tour, its steps are beside the controls, and it does not start again", async ({
      page,
      context,
      world,
      tour,
    }) => {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
      await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
      await page.goto(`${world.origin}/transcriptions`);
      const offer = page.getByRole("region", { name: t.common.sample.offer.label });
      await expect(page.getByText(t.common.sample.badge, { exact: true })).toBeVisible();
      await expect(offer).toBeVisible();
      await expectAccessible(page);
      await picture(page, "sample-offer", look);
      await offer.getByRole("link", { name: t.common.sample.offer.start }).click();

      const dialog = (step: "listen" | "correct" | "take") => page.getByRole("dialog", { name: t.tour[step].title });
      const next = page.getByRole("button", { name: t.tour.next, exact: true });
      await expect(dialog("listen")).toBeFocused();
      await expect.poll(() => covered(page, ["head", "text", "play"])).toEqual([]);
      await expectAccessible(page);
      await picture(page, "tour-1", look);
      // The controls are usable during the tour.
      const word = page.locator("[data-tour=text] .transcript-word").nth(3);
      await word.click();
      await expect(dialog("listen")).toBeVisible();
      await next.press("Enter");
      await expect(dialog("correct")).toBeFocused();
      await expect.poll(() => covered(page, ["head", "edit", "text"])).toEqual([]);
      await picture(page, "tour-2", look);
      await page.locator("[data-tour=edit]").click();
      await word.click();
      await expect(page.getByTestId("segment-editor")).toBeFocused();
      // In a field, Escape belongs to the field.
      await page.keyboard.press("Escape");
      await expect(dialog("correct")).toBeVisible();
      await next.click();
      await expect(dialog("take")).toBeVisible();
      await expectAccessible(page);
      await picture(page, "tour-3", look);
      await page.getByRole("button", { name: t.tour.done, exact: true }).click();
      await expect(page.getByTestId("tour")).toBeHidden();
      await expect.poll(() => tour.ended).toBe(1);

      await page.reload();
      await expect(page.getByRole("heading", { name: world.job.original_filename })).toBeVisible();
      const more = page.getByRole("button", { name: t.transcript.more, exact: true });
      await more.click();
      await expect(page.getByTestId("tour")).toBeHidden();
      await page.getByRole("menuitem", { name: t.transcript.tour }).press("Enter");
      await expect(dialog("listen")).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(page.getByTestId("tour")).toBeHidden();
      await expect(more).toBeFocused();
    });
  });
}

test.describe("in forced colours", () => {
  test.use({ tour: { offered: true, ended: 0 } });

  for (const theme of ["light", "dark"] as const) {
    test(`the rings are visible, without motion (${theme})`, async ({ page, context, world }) => {
      await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce", colorScheme: theme });
      await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale: "uk", theme });
      await page.goto(`${world.origin}/transcription/${world.job.my_job_id}`);
      await expect(page.getByRole("dialog", { name: uk.tour.listen.title })).toBeFocused();
      const rings = page.getByTestId("tour-ring");
      await expect(rings).toHaveCount(2);
      for (const [at, name] of (["play", "text"] as const).entries()) {
        const { ring, target, width, line, paper } = await rings.nth(at).evaluate(ringFacts, name);
        expect(width, "px of the line").toBeGreaterThanOrEqual(2);
        expect(contrast(line, paper), "between the line and the page").toBeGreaterThanOrEqual(3);
        expect(ring.left, "px to the left of what it rings").toBeLessThan(target.left);
        expect(ring.top).toBeLessThan(target.top);
        expect(ring.right).toBeGreaterThan(target.right);
        expect(ring.bottom).toBeGreaterThan(target.bottom);
      }
      await picture(page, "tour-forced", { locale: "uk", theme, width: 1280 });
    });
  }
});

/** The position of a ring, its target, and the colours of its line and of the page. */
function ringFacts(ring: Element, name: string) {
  const box = (element: Element | null) => {
    const { left = 0, top = 0, right = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
    return { left, top, right, bottom };
  };
  const { borderTopColor, borderTopWidth } = getComputedStyle(ring);
  return {
    ring: box(ring),
    target: box(document.querySelector(`[data-tour=${name}]`)),
    width: Number.parseFloat(borderTopWidth),
    line: borderTopColor,
    paper: getComputedStyle(document.documentElement).backgroundColor,
  };
}
