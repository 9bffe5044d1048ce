/** The test function of this folder, with the server, a signed-in user, and one finished job for reading. */
import { test as base, expect, type Page } from "@playwright/test";
import type { Job, Session } from "../src/api/schema";
import { finishedJob, signUp } from "./accounts";
import { diagnosed } from "./diagnosis";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";

interface TestFixtures {
  /** The edition; with "service", accounts start with a trial, and minutes are limited. */
  edition: "service" | "organisation";
  server: Server;
  reader: Session;
  finished: Job;
}

export const test = base.extend<object, TestFixtures>({
  page: ({ page, server }, use, info) => diagnosed(page, server, info, () => use(page)),
  edition: ["organisation", { scope: "worker", option: true }],
  server: [
    async ({ edition }, use) => {
      const server = await Server.start({ SLOVO_EDITION: edition });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  /** The first account of the server, which is its administrator. */
  reader: [async ({ server }, use) => use(await signUp(server)), { scope: "worker", auto: true }],
  finished: [
    async ({ server, reader }, use) => {
      const settings = { transcription_type: "full", language_code: "en", custom_vocabulary: "Asterisk, telemarketers" } as const;
      await use(await finishedJob(server, reader, recording("short.mp3", SHORT), settings));
    },
    { scope: "worker", timeout: 240_000 },
  ],
});

export { expectAccessible } from "./accessible";
export { expect };

/** The player's position, and whether it is playing. */
export const playerState = (page: Page) =>
  page.locator("audio, video").evaluate((media: HTMLMediaElement) => ({ time: media.currentTime, paused: media.paused }));
