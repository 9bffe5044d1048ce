/**
 * Checks of accessibility with axe. Each structure of a page is checked once, and each kind of text is measured once for its
 * contrast, which takes five times as long as all other rules together: the workers of a run share what was found good.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import type axeCore from "axe-core";
import type { RunOptions } from "axe-core";

/** Levels A and AA. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Marks the texts that are to be measured; its value is the kind of the text. */
const MARK = "data-contrast-kind";
const WCAG = { tags: TAGS, mark: MARK };
/** The minified file, which has half the size: every loaded page parses it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  rule: string;
  targets: string[];
}

/**
 * Expects no violation of WCAG 2.2 A and AA that can be detected automatically. To save time, passed rules are not reported,
 * and frames, which the pages do not have, are not searched.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(settled);
  const note = noteOf(await page.evaluate(stateOf));
  if (existsSync(note)) return;
  const file = shared("texts");
  const known = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const marked = await page.evaluate(markTexts, { known, mark: MARK });
  let { violations, covered } = await violationsOf(page, WCAG);
  if (violations.some(({ rule }) => rule === "color-contrast")) {
    // The texts may have been fading in.
    await page.evaluate(settled);
    ({ violations, covered } = await violationsOf(page, WCAG));
  }
  const small = violations.flatMap(({ rule, targets }) => (rule === "target-size" ? targets : []));
  const others = violations.filter(({ rule }) => rule !== "target-size");
  const remaining = await stillSmall(page, small);
  // Only now, because axe names elements by this attribute, too.
  await page.evaluate(unmarkTexts, MARK);
  expect([...others, ...remaining]).toEqual([]);
  const measured = marked.filter((kind) => !covered.includes(kind));
  appendFileSync(file, measured.map((kind) => `${kind}\n`).join(""));
  writeFileSync(note, "");
}

/** Waits for animations, at most 2 s: fading elements have no contrast. */
const settled = async () => {
  const running = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  const ended = Promise.allSettled(running.map(({ finished }) => finished));
  await Promise.race([ended, new Promise((enough) => setTimeout(enough, 2000))]);
};

/** A file of this run, for all its workers. Playwright clears the folder above before each run. */
function shared(name: string): string {
  const folder = join(test.info().project.outputDir, "accessible");
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

/** Records a state that was found accessible. */
const noteOf = (state: string) => shared(createHash("sha256").update(state).digest("hex"));

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

interface Scope {
  /** Selectors; the whole page by default. */
  context?: { include: string[] } | { exclude: string[] };
  /** Only rules with these tags. */
  tags?: string[];
  /** The attribute of the texts whose contrast is measured; all texts by default. */
  mark?: string;
}

/** Violations, and the kinds of marked texts that are covered and cannot be measured. */
export async function violationsOf(page: Page, scope: Scope): Promise<{ violations: Violation[]; covered: string[] }> {
  // It is lost when another page is loaded.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(check, scope);
}

const check = async ({ context, tags, mark }: Scope) => {
  const { axe } = window as unknown as { axe: typeof axeCore };
  if (mark) axe.configure({ rules: [{ id: "color-contrast", selector: `[${mark}]` }] });
  const options: RunOptions = { resultTypes: ["violations", "incomplete"], iframes: false };
  if (tags) options.runOnly = { type: "tag", values: tags };
  const { violations, incomplete } = await axe.run(context ?? document, options);
  const targets = (nodes: { target: unknown[] }[]) => nodes.map(({ target }) => target.join(" "));
  const unmeasured = incomplete.flatMap(({ id, nodes }) => (id === "color-contrast" ? targets(nodes) : []));
  return {
    violations: violations.map(({ id, nodes }) => ({ rule: id, targets: targets(nodes) })),
    covered: mark ? unmeasured.flatMap((target) => document.querySelector(target)?.getAttribute(mark) ?? []) : [],
  };
};

/**
 * axe measures only the visible part of a control that is partly covered by a sticky element, so each one is checked again
 * in the middle of the window.
 */
const stillSmall = async (page: Page, targets: string[]) => {
  const small = [];
  for (const target of targets) {
    await page.locator(target).evaluate((control) => control.scrollIntoView({ block: "center", behavior: "instant" }));
    small.push(...(await violationsOf(page, { ...WCAG, context: { include: [target] } })).violations);
  }
  return small;
};

/**
 * Marks one visible text of each kind that is not known; returns these kinds. Texts are of one kind if they and all that
 * contains them have the same elements, classes, styles and states, in the same theme and width.
 */
const markTexts = async ({ known, mark }: { known: string[]; mark: string }): Promise<string[]> => {
  const look = [document.documentElement.dataset.theme, matchMedia("(prefers-color-scheme: dark)").matches, innerWidth];
  const own = (element: Element): string => {
    const attributes = [...element.attributes].filter(
      ({ name, value }) =>
        ["class", "style", "type", "disabled", "open"].includes(name) ||
        (/^(data|aria)-/.test(name) && name !== mark && /^[a-z-]{1,16}$/i.test(value)),
    );
    const states = [":hover", ":focus", ":focus-within", ":checked", ":invalid"].filter((state) => element.matches(state));
    const stripes = /\b(even|odd|first|last|nth)/.test(element.getAttribute("class") ?? "");
    const at = stripes ? [...(element.parentElement?.children ?? [])].indexOf(element) : "";
    return [element.tagName, ...attributes.map(({ name, value }) => `${name}=${value}`), ...states, at].join(" ");
  };
  const chains = new Map<Element, string>();
  const chain = (element: Element): string => {
    const found = chains.get(element);
    if (found !== undefined) return found;
    const all = `${element.parentElement ? chain(element.parentElement) : look.join(" ")} > ${own(element)}`;
    chains.set(element, all);
    return all;
  };
  const digest = async (text: string): Promise<string> => {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(bytes, 0, 12)));
  };
  const seen = new Set(known);
  const marked: string[] = [];
  for (const element of document.body.querySelectorAll("*")) {
    const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    const isField = element.matches("input, textarea, select");
    if (!(text || isField) || !element.checkVisibility()) continue;
    const kind = await digest(chain(element));
    if (seen.has(kind)) continue;
    seen.add(kind);
    element.setAttribute(mark, kind);
    marked.push(kind);
  }
  return marked;
};

const unmarkTexts = (mark: string) => {
  for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark);
};
