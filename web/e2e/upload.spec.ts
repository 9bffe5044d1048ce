/** Uploads with errors and interruptions. */
import { writeFileSync } from "node:fs";
import configure from "../src/locales/uk/configure.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import shell from "../src/locales/uk/shell.json" with { type: "json" };
import upload from "../src/locales/uk/upload.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { largeRecording } from "./recordings";
import { expect, expectAccessible, test } from "./test";

/** Several chunks of 8 MB. */
const LARGE = () => largeRecording("large.wav", 180);

/** Limits the upload rate, in bytes per second. */
const SLOW = 4_000_000;

test.beforeEach(async ({ context, server }) => {
  await signIn(context, await signUp(server));
});

test("a file of another type is refused at once, with the text of the rules", async ({ page, server }) => {
  const path = test.info().outputPath("slovo-e2e-note.pdf");
  writeFileSync(path, "%PDF-1.4");
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(path);
  await expect(page.getByRole("alert")).toContainText(rules.violations.file_unsupported.split("{{")[0] ?? "");
  await expectAccessible(page);
});

test("a file with the wrong content is refused with the reason, and another can be chosen", async ({ page, server }) => {
  const path = test.info().outputPath("slovo-e2e-pretender.mp3");
  writeFileSync(path, `<!doctype html><html><body>${"not sound ".repeat(2_000)}</body></html>`);
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(path);
  await expect(page.getByRole("alert")).toContainText(upload.errors.upload);
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
});

test("an upload resumes where it stopped after a lost connection", async ({ page, server, context }) => {
  const sent: number[] = [];
  let cut = false;
  await page.route("**/api/v1/uploads/*", async (route) => {
    const request = route.request();
    if (request.method() === "PATCH") {
      sent.push(Number(request.headers()["upload-offset"]));
      if (sent.length === 2 && !cut) {
        cut = true;
        await route.abort("connectionreset");
        return;
      }
    }
    await route.continue();
  });
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(LARGE());
  await expect(page.getByText(upload.transfer.ready)).toBeVisible();
  expect(cut).toBe(true);
  // The interrupted chunk is resent from the server's offset, and no earlier ones.
  expect(sent[0]).toBe(0);
  expect(sent[1]).toBeGreaterThan(0);
  expect(sent[2]).toBe(sent[1]);
  await context.close();
});

test("an upload resumes automatically after a reload, and can be paused, resumed and cancelled", async ({ page, server }) => {
  const offsets: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") {
      offsets.push(Number(request.headers()["upload-offset"]));
    }
  });
  const network = await page.context().newCDPSession(page);
  const limit = (bytesPerSecond: number) =>
    network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  await page.goto(`${server.origin}/upload`);
  await limit(SLOW);
  await page.locator("input[type=file]").setInputFiles(LARGE());
  await expect.poll(() => offsets.length).toBeGreaterThanOrEqual(2);

  await page.getByRole("button", { name: upload.transfer.pause }).click();
  await expect(page.getByText(upload.transfer.paused)).toBeVisible();
  const whenPaused = offsets.length;
  await test.step("other pages show it, with a link back", async () => {
    await page.getByRole("link", { name: shell.nav.transcriptions }).first().click();
    await expect(page).toHaveURL(/\/transcriptions$/);
    await page.getByTestId("in-progress").click();
    await expect(page).toHaveURL(/\/upload$/);
    await expect(page.getByText(upload.transfer.paused)).toBeVisible();
  });
  await page.getByRole("button", { name: upload.transfer.resume }).click();
  await expect.poll(() => offsets.length).toBeGreaterThan(whenPaused);
  expect(offsets.at(-1)).toBeGreaterThan(0);

  const before = offsets.length;
  await page.reload();
  await expect.poll(() => offsets.length).toBeGreaterThan(before);
  expect(offsets[before]).toBeGreaterThan(0);

  await page.getByRole("button", { name: upload.transfer.cancel }).click();
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
});

test("going back keeps the upload and the settings", async ({ page, server }) => {
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(LARGE());
  await expect(page.getByText(upload.transfer.ready)).toBeVisible();
  await page.getByLabel(configure.vocabulary.label).fill("Slovo, Asterisk");
  await page.getByRole("radio", { name: configure.mode.lite.name }).check();
  await expect(page.getByText(configure.mode.forcedEnglish)).toBeVisible();
  await expect(page.getByLabel(configure.language.label)).toHaveValue("en");
  await expectAccessible(page);
  let sent = 0;
  page.on("request", (request) => {
    sent += Number(request.url().includes("/api/v1/uploads") && request.method() !== "GET");
  });
  await page.getByRole("button", { name: configure.actions.back }).click();
  await expect(page.getByRole("button", { name: upload.drop.choose })).toBeVisible();
  await expect(page.getByText(upload.transfer.ready)).toBeVisible();
  await page.getByRole("button", { name: upload.actions.continue }).click();
  await expect(page.getByText(upload.transfer.ready)).toBeVisible();
  expect(sent, "nothing is sent again, and nothing is removed").toBe(0);
  for (const term of ["Slovo", "Asterisk"]) {
    await expect(page.getByRole("main").getByText(term, { exact: true })).toBeVisible();
  }
});

test("signing out deletes an upload", async ({ page, server }) => {
  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(LARGE());
  await expect(page.getByText(upload.transfer.ready)).toBeVisible();
  await page.getByLabel(configure.vocabulary.label).fill("a secret word");
  const stored = () =>
    page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith("tus::") || key === "slovo.settings" || key === "slovo.tray"),
    );
  await expect.poll(stored).toHaveLength(3);
  await page.getByRole("button", { name: shell.account.label.split("{{")[0] ?? "" }).click();
  await page.getByRole("menuitem", { name: shell.account.sign_out }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(stored).toEqual([]);
  const files = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open("slovo.uploads");
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const counting = opening.result.transaction("files").objectStore("files").count();
            counting.onsuccess = () => resolve(counting.result);
            counting.onerror = () => reject(counting.error);
          };
        }),
    );
  await expect.poll(files).toBe(0);
});
