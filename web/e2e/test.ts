/** The test function of this folder, with the server, a signed-in user, and one finished job for reading. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import type { Job, Session } from "../src/api/schema";
import { finishedJob, signUp } from "./accounts";
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

export { expect };

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Waits for animations, at most 2 s: fading elements have no contrast. */
const settled = async () => {
  const running = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  const ended = Promise.allSettled(running.map(({ finished }) => finished));
  await Promise.race([ended, new Promise((enough) => setTimeout(enough, 2000))]);
};

/**
 * Records states that were found accessible, for all workers of this run, so that they are not checked again. Playwright
 * clears its parent folder before each run.
 */
const noteOf = (state: string) =>
  join(base.info().project.outputDir, "accessible", createHash("sha256").update(state).digest("hex"));

/**
 * The structure of a page: which kinds of elements contain which, with language, theme and size. Pages that differ only in
 * texts and in the number of rows are the same state.
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
 * Expects no violation of WCAG 2.2 A and AA that can be detected automatically. Each state of a page is checked once. To
 * save time, passed rules are not reported, and frames, which the pages do not have, are not searched.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(settled);
  const note = noteOf(await page.evaluate(stateOf));
  if (existsSync(note)) return;
  const violations = await settledViolationsOf(page);
  const small = violations.flatMap(({ rule, targets }) => (rule === "target-size" ? targets : []));
  const others = violations.filter(({ rule }) => rule !== "target-size");
  expect([...others, ...(await stillSmall(page, small))]).toEqual([]);
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, "");
}

/** Checks contrast violations again, because elements may have been fading in during the first check. */
const settledViolationsOf = async (page: Page) => {
  const violations = await violationsOf(page);
  if (!violations.some(({ rule }) => rule === "color-contrast")) return violations;
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
 * axe measures only the visible part of a control that is partly covered by a sticky element, so each one is checked again
 * in the middle of the window.
 */
const stillSmall = async (page: Page, targets: string[]) => {
  const small = [];
  for (const target of targets) {
    await page.locator(target).evaluate((control) => control.scrollIntoView({ block: "center", behavior: "instant" }));
    small.push(...(await violationsOf(page, target)));
  }
  return small;
};

/** The player's position, and whether it is playing. */
export const playerState = (page: Page) =>
  page.locator("audio, video").evaluate((media: HTMLMediaElement) => ({ time: media.currentTime, paused: media.paused }));
