/**
 * The size of the upload page's code before it is usable, and the time of a keystroke in its fields.
 *
 * Preloaded code does not count. It is loaded when the browser is idle (src/lib/when-idle.ts), which this test prevents, so
 * everything that is still loaded counts. Using the page in this state shows that it works without the rest.
 */
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { EVERYTHING } from "../src/api/test-capabilities";
import common from "../src/locales/uk/common.json" with { type: "json" };
import configure from "../src/locales/uk/configure.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import shell from "../src/locales/uk/shell.json" with { type: "json" };
import upload from "../src/locales/uk/upload.json" with { type: "json" };
import voice from "../src/locales/uk/voice.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { recording, SHORT } from "./recordings";
import { expect, test } from "./test";

/**
 * Limit of the JavaScript loaded before the page is used, in gzipped bytes. It is 207 kB, rounded: the names of chunks
 * contain hashes, which compress differently after every change.
 */
const INITIAL = 207_500;

test.beforeEach(async ({ context, server }) => {
  await signIn(context, await signUp(server));
});

/** Prevents preloading. */
const neverIdle = (page: Page) =>
  page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });

test("the page loads at most 207 kB of script, gzipped, and the rules beside it", async ({ page, server }) => {
  await neverIdle(page);
  const scripts = new Map<string, Promise<number>>();
  let modules = 0;
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith(".js")) {
      scripts.set(
        pathname,
        // A script whose size is unknown, because the page is closing, makes the sum NaN, which exceeds no limit.
        response.body().then(
          (body) => gzipSync(body, { level: 9 }).length,
          () => Number.NaN,
        ),
      );
    } else if (pathname.endsWith(".wasm")) {
      modules += 1;
    }
  });
  await page.goto(`${server.origin}/upload`);
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const sizes = await Promise.all([...scripts].map(async ([path, bytes]) => [await bytes, path] as const));
  const all = sizes.reduce((sum, [bytes]) => sum + bytes, 0);
  console.log(`scripts of /upload: ${all} bytes gzipped in ${sizes.length} files`);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.min(...sizes.map(([bytes]) => bytes))).toBeGreaterThan(0);
  expect(all, sizes.sort(([one], [other]) => other - one).join("\n")).toBeLessThan(INITIAL);
  expect(modules).toBe(1);
});

test("code that is not preloaded is loaded on use", async ({ page, server }) => {
  await neverIdle(page);
  await page.goto(`${server.origin}/upload`);
  const account = page.getByRole("button", { name: shell.account.label.split("{{")[0] ?? "" });

  await test.step("a tooltip, by keyboard and by pointer", async () => {
    const fold = page.getByRole("button", { name: shell.sidebar.collapse });
    await fold.hover();
    await expect(fold).toBeVisible();
    // The first hover loads it, which takes an unknown time; it is shown at the next hover.
    await expect(async () => {
      await page.mouse.move(600, 400, { steps: 4 });
      await fold.hover();
      await expect(page.getByRole("tooltip")).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await page.mouse.move(600, 400, { steps: 4 });
    await expect(page.getByRole("tooltip")).toBeHidden();
  });

  await test.step("a menu: the first press opens it, Escape returns the focus", async () => {
    await account.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menu")).toBeVisible();
    await expect(account).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("menuitem").or(page.getByRole("menuitemradio")).locator("visible=true").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(account).toBeFocused();
    await account.click();
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await page.getByRole("menuitemradio", { name: "Українська" }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: shell.titles.upload })).toBeVisible();
  });

  await test.step("the tabs, and the message for a missing choice", async () => {
    await page.getByRole("button", { name: upload.actions.continue }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await page.getByRole("tab", { name: rules.source.voice }).click();
    await expect(page.getByRole("button", { name: voice.start.button })).toBeVisible();
    await page.getByRole("tab", { name: rules.source.url }).click();
    await expect(page.getByLabel(upload.url.label)).toBeVisible();
    await page.getByRole("tab", { name: rules.source.file }).click();
  });

  await test.step("a file, and the message when it is removed", async () => {
    await page.locator("input[type=file]").setInputFiles(recording("weight.mp3", SHORT));
    await expect(page.getByRole("tab", { name: configure.tabs.advanced })).toBeVisible();
    await expect(page.getByText("weight.mp3").first()).toBeVisible();
    await page.getByRole("button", { name: upload.transfer.cancel }).click();
    await expect(page.getByRole("button", { name: common.actions.undo })).toBeVisible();
  });
});

test("a keystroke in the longest field is validated before the next frame", async ({ page, server }) => {
  // The field is disabled if the server has no engine for it.
  await page.route("**/api/v1/capabilities", (route) => route.fulfill({ json: EVERYTHING }));
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(recording("weight.mp3", SHORT));
  await page.getByRole("tab", { name: configure.tabs.advanced }).click();
  const prompt = page.getByLabel(configure.prompt.label);
  await prompt.fill("Стисло перекажи розмову. ".repeat(200).slice(0, 4_990));
  // The time that a keystroke blocks the main thread, from its event to the start of the next frame.
  const times = await prompt.evaluate(async (field) => {
    const busy: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        busy.push(entry.processingEnd - entry.processingStart);
      }
    });
    (window as { keyTimes?: () => number[] }).keyTimes = () => busy;
    observer.observe({ type: "event", durationThreshold: 16, buffered: false } as PerformanceObserverInit);
    field.focus();
    return busy;
  });
  expect(times).toEqual([]);
  await page.keyboard.type("абвгдежзик");
  await page.waitForTimeout(300);
  const slow = await page.evaluate(() => (window as { keyTimes?: () => number[] }).keyTimes?.() ?? []);
  console.log(
    `keys that took 16 ms or more until drawn, by their handlers' ms: ${slow.map((ms) => ms.toFixed(1)).join(", ") || "none"}`,
  );
  await expect(prompt).toHaveValue(/абвгдежзик$/);
});
