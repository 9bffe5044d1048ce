/** The test function of this folder: with the server, a signed-in reader, and one finished job that tests may look at. */
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import type { Job, Session } from "../src/api/schema";
import { finishedJob, signUp } from "./accounts";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";

interface Given {
  server: Server;
  reader: Session;
  finished: Job;
}

export const test = base.extend<object, Given>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  /** The first account of the server, and so its administrator. */
  reader: [async ({ server }, use) => use(await signUp(server)), { scope: "worker", auto: true }],
  finished: [
    async ({ server, reader }, use) => {
      const settings = { transcription_type: "full", language_code: "en", custom_vocabulary: "Asterisk, telemarketers" } as const;
      await use(await finishedJob(server, reader, recording("short.mp3", SHORT), settings));
    },
    { scope: "worker", timeout: 240_000 },
  ],
});

export { expect };

/** No broken rule of WCAG 2.2 A and AA that a machine can see. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  expect(found).toEqual([]);
}

/** Where the player is, and whether it plays. */
export const playerState = (page: Page) =>
  page.locator("audio, video").evaluate((media: HTMLMediaElement) => ({ time: media.currentTime, paused: media.paused }));
