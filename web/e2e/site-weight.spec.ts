/** The scripts of a public page before any interaction. Also checked after each build, without a browser. */
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, test } from "./test";

// The pages of the specification, with their prices.
test.use({ edition: "service" });

/** Bytes of JavaScript after gzip. */
const INITIAL = 15_000;

/** Records the scripts that this page loads from now on, by path, and the number of WebAssembly modules. */
function watchScripts(page: Page) {
  const scripts = new Map<string, Promise<number>>();
  let modules = 0;
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith(".wasm")) modules += 1;
    if (!pathname.endsWith(".js")) return;
    scripts.set(
      pathname,
      // A script whose size is unknown, because the page is closing, makes the sum NaN, which exceeds no limit.
      response.body().then(
        (body) => gzipSync(body, { level: 9 }).length,
        () => Number.NaN,
      ),
    );
  });
  return {
    sizes: () => Promise.all([...scripts].map(async ([path, bytes]) => [await bytes, path] as const)),
    modules: () => modules,
  };
}

for (const path of ["/", "/contact"]) {
  test(`${path} loads at most 15 kB of script, and the rest on interaction`, async ({ page, server }) => {
    const loaded = watchScripts(page);
    await page.goto(server.origin + path);
    await page.waitForLoadState("networkidle");
    const sizes = await loaded.sizes();
    const all = sizes.reduce((sum, [bytes]) => sum + bytes, 0);
    console.log(`scripts of ${path}: ${all} bytes gzipped in ${sizes.length} files`);
    expect(sizes.length).toBeGreaterThan(1);
    expect(all, sizes.join("\n")).toBeLessThan(INITIAL);
    expect(loaded.modules()).toBe(0);

    const newsletter = page.locator("form[data-island=newsletter]").first();
    await newsletter.locator("[name=email]").focus();
    await expect.poll(loaded.modules).toBe(1);
  });
}
