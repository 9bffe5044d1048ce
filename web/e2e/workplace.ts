/** The transcript page with fake servers, for tests of the player, the history and sharing. */
import { test as base, expect, type Page } from "@playwright/test";
import { signIn } from "./accounts";
import { PICTURES, shoot } from "./looks";
import { sessionOf } from "./mock-api";
import { type HistoryWorld, mockPast } from "./transcript-past";
import { interview, jobOf, SPEAKERS, silence } from "./transcript-text";
import { TranscriptWorld } from "./transcript-world";

export interface Look {
  locale: "uk" | "en";
  theme: "light" | "dark";
  width: 390 | 1280;
}

/** Each language, theme and width, but not all combinations. */
export const LOOKS: readonly Look[] = [
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
  { locale: "en", theme: "dark", width: 1280 },
  { locale: "uk", theme: "dark", width: 390 },
  { locale: "en", theme: "light", width: 390 },
];

/** A fake server with the text of an interview, created for each test. */
export const withWorld = base.extend<{ world: TranscriptWorld }>({
  // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
  world: async ({}, use) => {
    const segments = interview();
    const world = new TranscriptWorld(jobOf(segments), segments, SPEAKERS);
    world.play(silence((segments.at(-1)?.end ?? 0) + 1));
    await world.start();
    await use(world);
    await world.stop();
  },
});

interface WorldFixtures {
  past: HistoryWorld;
  open: (look?: Partial<Look>, role?: "user" | "admin") => Promise<void>;
}

export const test = withWorld.extend<WorldFixtures>({
  past: async ({ page, world }, use) => use(await mockPast(page, world)),
  open: async ({ page, context, world, past: _ }, use) => {
    await use(async ({ locale = "uk", theme = "light", width = 1280 } = {}, role = "user") => {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
      const session = sessionOf({ signedIn: true, jobs: [] });
      await signIn(context, { ...session, user: { ...session.user, role } }, { locale, theme });
      await page.goto(`${world.origin}/transcription/${world.job.my_job_id}`);
      await expect(page.getByRole("heading", { name: world.job.title ?? world.job.original_filename })).toBeVisible();
    });
  },
});

test.setTimeout(180_000);
test.use({ actionTimeout: 10_000 });

export { expect };

/** Takes a screenshot for review, only with `SLOVO_PICTURES=1`. */
export async function picture(page: Page, name: string, look: Look): Promise<void> {
  if (!PICTURES) return;
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(250);
  await shoot(page, `e2e/shots/workplace/${name}-${look.width}-${look.theme}-${look.locale}.png`);
}
