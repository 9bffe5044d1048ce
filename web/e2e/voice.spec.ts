/** Recording in the browser, with a fake microphone that plays a file. */
import type { BrowserContext, Page, Route } from "@playwright/test";
import config, { WINDOWED } from "../playwright.config";
import type { Session } from "../src/api/schema";
import common from "../src/locales/uk/common.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import shell from "../src/locales/uk/shell.json" with { type: "json" };
import voice from "../src/locales/uk/voice.json" with { type: "json" };
import { PASSWORD, signIn, signUp, uploadsOf } from "./accounts";
import { LONG, recording } from "./recordings";
import type { Server } from "./server";
import { expect, expectAccessible, test } from "./test";
import { expectSeconds, recorded } from "./voice-timer";

const BYTES_PER_SECOND = 88_200;
const HEADER = 44;

test.use({
  launchOptions: {
    ...config.use?.launchOptions,
    executablePath: WINDOWED,
    args: [
      ...(config.use?.launchOptions?.args ?? []),
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${recording("voice-microphone.wav", LONG)}`,
    ],
  },
});

// Each test records for seconds with its own account; sequentially they would take the longest of all files.
test.describe.configure({ mode: "parallel" });

let session: Session;

test.beforeEach(async ({ context, server }) => {
  session = await signUp(server);
  await signIn(context, session);
  await context.grantPermissions(["microphone"]);
});

const uploads = (server: Server) => uploadsOf(server, session);

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function openVoice(page: Page, server: Server) {
  await page.goto(`${server.origin}/upload`);
  await page.getByRole("tab", { name: rules.source.voice }).click();
}

async function begin(page: Page, server: Server, seconds = 3) {
  await openVoice(page, server);
  await button(page, voice.start.button).click();
  await expect(page.getByText(voice.state.recording)).toBeVisible();
  await expectSeconds(page, seconds);
}

/** Closes a page without its beforeunload dialog. */
async function crash(page: Page): Promise<Page> {
  const context = page.context();
  await page.close({ runBeforeUnload: false });
  return context.newPage();
}

/** Expects that the used recording is complete on the server, with the actual sizes in its header, and readable. */
async function expectUsed(server: Server, least: number) {
  await expect
    .poll(async () => (await uploads(server)).map(({ size, kind }) => [kind, size !== null]))
    .toEqual([["voice", true]]);
  const [upload] = await uploads(server);
  expect(upload?.size).toBe(upload?.stored);
  expect(((upload?.size ?? 0) - HEADER) / BYTES_PER_SECOND).toBeGreaterThanOrEqual(least);
  const answer = await fetch(`${server.origin}/api/v1/uploads/${upload?.upload_id}`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  const { media, complete } = (await answer.json()) as { complete: boolean; media: { duration: number; container: string } };
  expect(complete).toBe(true);
  expect(media.container).toBe("wav");
  expect(Math.abs(media.duration - ((upload?.size ?? 0) - HEADER) / BYTES_PER_SECOND)).toBeLessThan(0.1);
}

test("a recording is made, paused, played and used, and is uploaded while it runs", async ({ page, server }) => {
  await openVoice(page, server);
  await expectAccessible(page);
  await button(page, voice.start.button).click();
  await expect(page.getByText(voice.state.recording)).toBeVisible();
  // The server has parts of it long before it is stopped.
  await expect.poll(async () => (await uploads(server))[0]?.stored ?? 0).toBeGreaterThan(BYTES_PER_SECOND);
  await expectAccessible(page);

  await button(page, voice.actions.pause).click();
  await expect(page.getByText(voice.state.paused)).toBeVisible();
  const paused = await recorded(page);
  await expect(page.getByText(voice.transfer.safe)).toBeVisible();
  await button(page, voice.actions.resume).click();
  await expectSeconds(page, paused + 2);

  await button(page, voice.actions.stop).click();
  await expect(page.getByText(voice.state.recorded)).toBeVisible();
  await expectAccessible(page);
  await button(page, voice.player.play).click();
  await expect.poll(() => page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0.2);
  const [file] = await uploads(server);
  expect(file?.filename).toMatch(/^Запис \d{4}-\d\d-\d\d \d\d-\d\d\.wav$/);

  await button(page, voice.actions.use).click();
  await expectUsed(server, paused + 2);
});

test("the recording contains the microphone's sound", async ({ page, server }) => {
  await begin(page, server);
  await expect.poll(() => page.getByRole("meter").getAttribute("aria-valuenow").then(Number)).toBeGreaterThan(-50);
});

test("a reload loses almost nothing, and the recording can be continued", async ({ page, server }) => {
  await begin(page, server, 4);
  const before = await recorded(page);
  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await page.getByRole("tab", { name: rules.source.voice }).click();
  await expect(page.getByText(voice.offers.one)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: new RegExp(`^${voice.offers.continueNamed.split("{{")[0]}`) }).click();
  await expect(page.getByText(voice.state.recording)).toBeVisible();
  await expectSeconds(page, before + 1);
  await button(page, voice.actions.stop).click();
  await button(page, voice.actions.use).click();
  await expectUsed(server, before + 1);
});

test("a page that crashes without a network has stored the unsent sound", async ({ page, server, context }) => {
  await begin(page, server, 3);
  await context.setOffline(true);
  const cut = await recorded(page);
  await expectSeconds(page, cut + 7);
  await expect(page.getByText(voice.transfer.offline.split("(")[0] ?? "").first()).toBeVisible();
  const before = await recorded(page);
  const atServer = (((await uploads(server))[0]?.stored ?? 0) - HEADER) / BYTES_PER_SECOND;
  expect(atServer).toBeLessThan(before - 4);
  const reopened = await crash(page);
  await context.setOffline(false);
  await openVoice(reopened, server);
  await reopened.getByRole("button", { name: new RegExp(`^${voice.offers.useNamed.split("{{")[0]}`) }).click();
  await expectUsed(server, before - 5);
});

test("a recording is uploaded automatically after the network was lost", async ({ page, server, context }) => {
  await begin(page, server, 2);
  await context.setOffline(true);
  const cut = await recorded(page);
  await expectSeconds(page, cut + 6);
  await context.setOffline(false);
  await expect.poll(async () => (((await uploads(server))[0]?.stored ?? 0) - HEADER) / BYTES_PER_SECOND).toBeGreaterThan(cut + 4);
  await button(page, voice.actions.stop).click();
  await expect(page.getByText(voice.transfer.safe)).toBeVisible();
});

test("a recording survives a crash of the server", async ({ page, server }) => {
  await begin(page, server, 3);
  await server.crashAndRestart();
  const before = await recorded(page);
  await expectSeconds(page, before + 3);
  await button(page, voice.actions.stop).click();
  await button(page, voice.actions.use).click();
  await expectUsed(server, before + 3);
});

test("a denied microphone is reported, with instructions to allow it", async ({ page, server, context }) => {
  await context.clearPermissions();
  await openVoice(page, server);
  await button(page, voice.start.button).click();
  await expect(page.getByRole("alert")).toContainText("Помилка доступу до мікрофона");
  await expect(page.getByRole("alert")).toContainText(voice.trouble.deniedHow);
  await expect(button(page, voice.start.button)).toBeEnabled();
  await expectAccessible(page);
});

test("another tab shows that one tab is recording", async ({ page, server, context }) => {
  await begin(page, server);
  const other = await context.newPage();
  await openVoice(other, server);
  await expect(other.getByText(voice.offers.busy)).toBeVisible();
  await expect(button(other, voice.offers.discard)).toHaveCount(0);
});

test("a recording can be continued on another device", async ({ page, server, browser }) => {
  await begin(page, server, 3);
  await button(page, voice.actions.pause).click();
  await expect(page.getByText(voice.transfer.safe)).toBeVisible();
  const before = await recorded(page);
  await page.close({ runBeforeUnload: false });

  const device: BrowserContext = await browser.newContext({ permissions: ["microphone"] });
  await signIn(device, session);
  const otherPage = await device.newPage();
  await openVoice(otherPage, server);
  await expect(otherPage.getByText(voice.offers.elsewhere)).toBeVisible();
  await otherPage.getByRole("button", { name: new RegExp(`^${voice.offers.continueNamed.split("{{")[0]}`) }).click();
  await expectSeconds(otherPage, before + 2);
  await button(otherPage, voice.actions.stop).click();
  await expect(otherPage.getByText(voice.player.partial)).toBeVisible();
  await button(otherPage, voice.actions.use).click();
  await expectUsed(server, before + 2);
  await device.close();
});

test("a new recording deletes the previous one", async ({ page, server }) => {
  await begin(page, server, 3);
  await button(page, voice.actions.stop).click();
  await expect(page.getByText(voice.transfer.safe)).toBeVisible();
  const [first] = await uploads(server);
  await button(page, voice.actions.again).click();
  await expect(page.getByText(voice.state.recording)).toBeVisible();
  await expectSeconds(page, 3);
  await button(page, voice.actions.stop).click();
  await expect
    .poll(async () => (await uploads(server)).some(({ upload_id }) => upload_id === first?.upload_id), { timeout: 30_000 })
    .toBe(false);
  await expect.poll(async () => (await uploads(server)).length).toBe(1);
});

test("discarding a recording can be undone, and otherwise deletes it here and on the server", async ({ page, server }) => {
  await begin(page, server, 3);
  await button(page, voice.actions.pause).click();
  await expect(page.getByText(voice.transfer.safe)).toBeVisible();
  const reopened = await crash(page);
  await openVoice(reopened, server);
  const discard = reopened.getByRole("button", { name: new RegExp(`^${voice.offers.discardNamed.split("{{")[0]}`) });
  await discard.click();
  await expect(discard).toHaveCount(0);
  await reopened.getByRole("button", { name: common.actions.undo }).click();
  await expect(discard).toBeVisible();
  await discard.click();
  await reopened.goto(`${server.origin}/dashboard`);
  await expect.poll(() => uploads(server)).toEqual([]);
  await openVoice(reopened, server);
  await expect(button(reopened, voice.start.button)).toBeVisible();
  await expect(discard).toHaveCount(0);
});

test("a recording discarded while the server is down is not offered after a reload, and deleted later", async ({
  page,
  server,
  context,
}) => {
  await begin(page, server, 3);
  await button(page, voice.actions.pause).click();
  await expect(page.getByText(voice.transfer.safe)).toBeVisible();
  const reopened = await crash(page);
  await openVoice(reopened, server);
  const discard = reopened.getByRole("button", { name: new RegExp(`^${voice.offers.discardNamed.split("{{")[0]}`) });
  await expect(discard).toBeVisible();
  // Really down: what the browser refuses for a page no longer holds once the page is closed.
  await server.crash();
  await discard.click();
  const refused = reopened.waitForEvent("requestfailed", (request) => request.method() === "DELETE");
  // The undo period ends with the page.
  await reopened.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  await refused;
  const later = await crash(reopened);
  await server.restart();
  expect(await uploads(server)).toHaveLength(1);

  // The deletion is retried after the offers are loaded.
  const refuse = (route: Route) => (route.request().method() === "DELETE" ? route.abort() : route.fallback());
  await context.route("**/api/v1/uploads/*", refuse);
  const tried = later.waitForRequest((request) => request.method() === "DELETE");
  await openVoice(later, server);
  await tried;
  await expect(button(later, voice.start.button)).toBeVisible();
  await expect(later.getByText(voice.offers.one)).toHaveCount(0);
  expect(await uploads(server)).toHaveLength(1);
  await context.unroute("**/api/v1/uploads/*", refuse);
  await later.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect.poll(() => uploads(server)).toEqual([]);
});

test("signing out ends the recording; only its owner sees it afterwards", async ({ page, server }) => {
  await begin(page, server, 4);
  await page.getByRole("button", { name: shell.account.label.split("{{")[0] ?? "" }).click();
  await page.getByRole("menuitem", { name: shell.account.sign_out }).click();
  await expect(page).toHaveURL(/\/login/);
  const enter = (who: Session) =>
    page.evaluate((stored) => {
      localStorage.setItem(
        "slovo.session",
        JSON.stringify({ ...stored, remember: true, fresh_until: Date.now() + stored.expires_in * 1000 }),
      );
    }, who);

  await enter(await signUp(server));
  await openVoice(page, server);
  await expect(button(page, voice.start.button)).toBeVisible();
  await expect(page.getByText(voice.offers.one)).toHaveCount(0);

  // Signing out has ended the first session on the server, too.
  const answer = await fetch(`${server.origin}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: session.user.email, password: PASSWORD, remember: true }),
  });
  await enter((await answer.json()) as Session);
  await openVoice(page, server);
  await expect(page.getByText(voice.offers.one)).toBeVisible();
});
