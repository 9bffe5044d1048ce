/** The stand-alone example of the rules: a browser and static files only. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test as base, expect } from "@playwright/test";
import { expectAccessible } from "../test";

const test = base.extend<{ address: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
  address: async ({}, use) => {
    const cwd = new URL("../../../wasm-pkg/", import.meta.url);
    const server: ChildProcess = spawn(process.execPath, ["examples/serve.mjs", "0"], { cwd });
    const [line] = await once(server.stdout ?? server, "data");
    await use(String(line).trim());
    server.kill();
  },
});

test("settings are validated while typing, by the rules only", async ({ page, address }) => {
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.goto(address);
  const verdict = page.getByRole("status");
  await expect(verdict).toHaveText("All rules hold.");

  await page.getByRole("button", { name: "Break some rules" }).click();
  await expect(verdict).toHaveText("Broken: 4.");
  await expect(page.getByRole("row", { name: /summarize summarize_out_of_range/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Switch to Lite" }).click();
  await expect(page.getByLabel("Settings")).toHaveValue(/"language_code": "en"/);
  await page.getByLabel("Settings").fill('{"language_code": "<img src=x onerror=alert(1)>"}');
  await expect(page.getByRole("row", { name: /language_unsupported .*<img src=x/ })).toBeVisible();
  await page.getByLabel("Settings").fill("[");
  await expect(verdict).toHaveText("This is no JSON object.");
  expect(urls.every((url) => url.startsWith(address) || url.startsWith("data:"))).toBe(true);
});
