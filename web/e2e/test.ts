/** The test function of this folder: with the server, a signed-in reader, and one finished job that tests may look at. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import type { Job, Session } from "../src/api/schema";
import { finishedJob, signUp } from "./accounts";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";

interface Given {
  /** Whom the server is for; with "service" accounts begin with a trial, and minutes are limited. */
  edition: "service" | "organisation";
  server: Server;
  reader: Session;
  finished: Job;
}

export const test = base.extend<object, Given>({
  edition: ["organisation", { scope: "worker", option: true }],
  server: [
    async ({ edition }, use) => {
      const server = await Server.start({ SLOVO_EDITION: edition });
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

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What fades in or out has for a moment no contrast: nobody reads it then. Waits for it, 2 s at most. */
const settled = async () => {
  const running = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  const ended = Promise.allSettled(running.map(({ finished }) => finished));
  await Promise.race([ended, new Promise((enough) => setTimeout(enough, 2000))]);
};

/**
 * Where a state that was found accessible is noted, for all workers of this run: nothing is learned from looking at one again.
 * Playwright empties the folder around it before it begins.
 */
const noteOf = (state: string) =>
  join(base.info().project.outputDir, "accessible", createHash("sha256").update(state).digest("hex"));

/**
 * What a state of a page is made of: which kinds of elements stand in which, in this language, theme and size. Two pages with
 * other texts and more or fewer rows are the same state.
 */
const stateOf = () => {
  const kind = (element: Element) => {
    const names = ["role", "type", "disabled", "href", "tabindex"].filter((name) => element.hasAttribute(name));
    const aria = [...element.attributes].filter(({ name, value }) => name.startsWith("aria-") && value !== "");
    const states = aria.map(({ name, value }) => (/^(true|false|mixed|page|\w{1,9})$/.test(value) ? `${name}=${value}` : name));
    const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    return [element.tagName, element.getAttribute("class"), element.getAttribute("role"), ...names, ...states, text].join(" ");
  };
  const kinds = new Set<string>();
  for (const element of document.body.querySelectorAll("*")) {
    if (element.checkVisibility()) kinds.add(`${kind(element.parentElement ?? element)} > ${kind(element)}`);
  }
  const { lang, dataset } = document.documentElement;
  const look = [document.title !== "", lang, dataset.theme, innerWidth, innerHeight];
  return [...look, ...[...kinds].sort()].join("\n");
};

/**
 * No broken rule of WCAG 2.2 A and AA that a machine can see. What passes is not described, and nothing is asked of frames
 * (the pages have none): both take time, and find nothing. Each state of a page is asked once.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(settled);
  const note = noteOf(await page.evaluate(stateOf));
  if (existsSync(note)) return;
  const found = await settledViolationsOf(page);
  const small = found.flatMap(({ rule, targets }) => (rule === "target-size" ? targets : []));
  const rest = found.filter(({ rule }) => rule !== "target-size");
  expect([...rest, ...(await stillSmall(page, small))]).toEqual([]);
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, "");
}

/** What began to fade in after the first look has no contrast in it: whether it lacks it for good, the second look tells. */
const settledViolationsOf = async (page: Page) => {
  const found = await violationsOf(page);
  if (!found.some(({ rule }) => rule === "color-contrast")) return found;
  await page.evaluate(settled);
  return violationsOf(page);
};

const violationsOf = async (page: Page, only?: string) => {
  const axe = new AxeBuilder({ page })
    .options({ runOnly: { type: "tag", values: RULES }, resultTypes: ["violations"] })
    .setLegacyMode(true);
  const { violations } = await (only === undefined ? axe : axe.include(only)).analyze();
  return violations.map(({ id, nodes }) => ({ rule: id, targets: nodes.map(({ target }) => target.join(" ")) }));
};

/**
 * Of a control that is half scrolled under something that sticks to an edge axe measures the strip one sees: each is asked
 * again in the middle of the view.
 */
const stillSmall = async (page: Page, targets: string[]) => {
  const small = [];
  for (const target of targets) {
    await page.locator(target).evaluate((control) => control.scrollIntoView({ block: "center", behavior: "instant" }));
    small.push(...(await violationsOf(page, target)));
  }
  return small;
};

/** Where the player is, and whether it plays. */
export const playerState = (page: Page) =>
  page.locator("audio, video").evaluate((media: HTMLMediaElement) => ({ time: media.currentTime, paused: media.paused }));
