/** Webhook services on /admin/config with the real server and a receiver. */
import type { Page } from "@playwright/test";
import services from "../src/locales/uk/admin-webhooks.json" with { type: "json" };
import common from "../src/locales/uk/common.json" with { type: "json" };
import problems from "../src/locales/uk/problems.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import webhooks from "../src/locales/uk/webhooks.json" with { type: "json" };
import { finishedJob, signIn } from "./accounts";
import { eachLook, shoot } from "./looks";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";
import { test as base, expect, expectAccessible } from "./test";
import { textsOf } from "./texts";
import { isSigned, Receiver } from "./webhook-receiver";

const test = base.extend<{ receiver: Receiver }, { server: Server }>({
  // Allows webhooks to local addresses.
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const server = await Server.start({ SLOVO_WEBHOOK_ALLOW: "127.0.0.1" });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
  receiver: async ({}, use) => {
    const receiver = await Receiver.start();
    await use(receiver);
    await receiver.stop();
  },
});

const card = (page: Page) => page.getByRole("region", { name: services.title, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");
const row = (page: Page, name: string) =>
  card(page)
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name, exact: true }) });
const named = (action: string, name: string) => webhooks.named.replace("{{action}}", action).replace("{{name}}", name);
const press = (page: Page, action: string, name: string) =>
  row(page, name)
    .getByRole("button", { name: named(action, name) })
    .click();

/** Adds a service and returns its secret. */
async function add(page: Page, name: string, url: string, category: string): Promise<string> {
  await card(page).getByRole("button", { name: services.add }).click();
  await dialog(page).getByLabel(webhooks.editor.name, { exact: true }).fill(name);
  await dialog(page).getByLabel(webhooks.editor.url, { exact: true }).fill(url);
  await dialog(page).getByLabel(services.editor.category, { exact: true }).selectOption(category);
  if (category === "transcription") {
    await dialog(page).getByLabel(rules.transcription_type.lite).check();
  }
  await dialog(page).getByRole("button", { name: webhooks.editor.create }).click();
  await expect(page.getByText(services.created).last()).toBeVisible();
  const secret = await dialog(page).locator("code").innerText();
  await dialog(page).getByRole("button", { name: webhooks.secret.done }).click();
  await expect(row(page, name)).toBeVisible();
  return secret;
}

async function remove(page: Page, name: string) {
  await press(page, webhooks.delete, name);
  await expect(row(page, name)).toContainText(services.delete_question);
  await row(page, name).getByRole("button", { name: services.delete_yes }).click();
  await expect(page.getByText(services.deleted).last()).toBeVisible();
  await expect(row(page, name)).toHaveCount(0);
}

test.beforeEach(async ({ page, context, server, reader }) => {
  await signIn(context, reader);
  await page.goto(`${server.origin}/admin/config?section=webhooks`);
  await expect(card(page)).toBeVisible();
});

test("a service is added, tested, changed and deleted", async ({ page, receiver }) => {
  await test.step("the form reports missing values, and keeps the input", async () => {
    await card(page).getByRole("button", { name: services.add }).click();
    await dialog(page).getByRole("button", { name: webhooks.editor.create }).click();
    await expect(dialog(page).getByRole("alert")).toHaveText(rules.violations.webhook_name_url_required);
    await expect(dialog(page).getByLabel(webhooks.editor.name, { exact: true })).toBeFocused();
    await expectAccessible(page);
    await dialog(page).getByLabel(webhooks.editor.name, { exact: true }).fill("Чужа");
    await dialog(page).getByLabel(webhooks.editor.url, { exact: true }).fill("http://10.0.0.1/");
    await dialog(page).getByRole("button", { name: webhooks.editor.create }).click();
    await expect(dialog(page).getByRole("alert")).toContainText(problems.codes.webhook_address_refused);
    await page.keyboard.press("Escape");
    await dialog(page).getByRole("button", { name: common.unsaved.discard }).click();
    await expect(card(page).getByRole("button", { name: services.add })).toBeFocused();
  });

  const secret = await add(page, "Нотатки", receiver.url, "utility");
  expect(secret).toMatch(/^whsec_/);

  await test.step("its test is signed, and the response is shown", async () => {
    await press(page, webhooks.test, "Нотатки");
    await expect(page.getByText("Нотатки: Працює")).toBeVisible();
    const [call] = receiver.calls;
    if (!call) throw new Error("nothing came");
    expect(isSigned(call, secret)).toBe(true);
    expect(call.body).toMatchObject({ type: "test", test: true });
    receiver.answer = () => [503];
    await press(page, webhooks.test, "Нотатки");
    await expect(page.getByText("Нотатки: Помилка 503")).toBeVisible();
    await expect(row(page, "Нотатки")).toContainText(webhooks.reasons.http_status.replace("{{status}}", "503"));
  });

  await test.step("it is changed, and gets a new secret", async () => {
    await press(page, webhooks.edit, "Нотатки");
    await dialog(page).getByLabel(webhooks.editor.name, { exact: true }).fill("Архів");
    await dialog(page).getByRole("button", { name: webhooks.editor.save }).click();
    await expect(page.getByText(services.updated)).toBeVisible();
    await press(page, webhooks.edit, "Архів");
    await dialog(page).getByRole("button", { name: services.secret.new }).click();
    await dialog(page).getByRole("button", { name: services.secret.yes }).click();
    await expect(dialog(page).locator("code")).not.toHaveText(secret);
    await dialog(page).getByRole("button", { name: webhooks.secret.done }).click();
  });

  await test.step("all are tested, including those without events", async () => {
    const stopped = await Receiver.start();
    await add(page, "Тиша", stopped.url, "processing");
    await stopped.stop();
    receiver.answer = () => [204];
    await card(page).getByRole("button", { name: services.test_all }).click();
    await expect(page.getByText("Архів: Працює")).toBeVisible();
    await expect(page.getByText("Тиша: Недоступний")).toBeVisible();
    await expect(card(page).getByRole("heading", { level: 3 })).toHaveText([
      rules.webhook_category.processing,
      rules.webhook_category.utility,
    ]);
  });
  await remove(page, "Тиша");
  await remove(page, "Архів");
  await expect(card(page)).toContainText(services.empty);
});

test("a service transcribes, another one receives the text, and a delivery is repeated", async ({
  page,
  server,
  reader,
  receiver,
}) => {
  receiver.answer = ({ body }) =>
    body.type === "transcription.request"
      ? [
          200,
          {
            text: "Recognised elsewhere.",
            language: "en",
            duration: 2,
            segments: [{ start: 0, end: 1.5, text: "Recognised elsewhere." }],
          },
        ]
      : [204];
  await add(page, "Розпізнавач", receiver.url, "transcription");
  await add(page, "Архів", receiver.url, "processing");
  const settings = { transcription_type: "lite", language_code: "en" } as const;
  const job = await finishedJob(server, reader, recording("short.mp3", SHORT), settings);
  expect(job.model).toBe("webhook:Розпізнавач");

  await press(page, webhooks.log.open, "Архів");
  const delivery = dialog(page).getByRole("listitem").filter({ hasText: "job.completed" });
  await expect(delivery).toContainText(webhooks.log.status.delivered);
  await delivery.getByRole("button", { name: new RegExp(`^${webhooks.log.show}`) }).click();
  await expect(delivery.getByLabel(webhooks.log.payload)).toHaveValue(/"text_length": 21/);
  await expectAccessible(page);
  const before = receiver.calls.length;
  await delivery.getByRole("button", { name: new RegExp(`^${webhooks.log.resend}`) }).click();
  await expect(page.getByText(webhooks.log.resent)).toBeVisible();
  await expect.poll(() => receiver.calls.length).toBe(before + 1);
  const calls = receiver.calls.filter(({ body }) => body.type === "job.completed");
  expect(new Set(calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  const text = await fetch(String(calls[1]?.body.data.transcript_url));
  expect(await text.json()).toMatchObject({ segments: [{ text: "Recognised elsewhere." }] });
  await page.keyboard.press("Escape");
  await expect(row(page, "Архів").getByRole("button", { name: named(webhooks.log.open, "Архів") })).toBeFocused();

  await page.goto(`${server.origin}/transcription/${job.my_job_id}`);
  await expect(page.getByTestId("transcript-text")).toContainText("Recognised elsewhere.");
  await page.goto(`${server.origin}/admin/config?section=webhooks`);
  await remove(page, "Розпізнавач");
  await remove(page, "Архів");
});

test("a failure to load is shown, and can be retried", async ({ page }) => {
  const list = "**/api/v1/admin/webhook-services";
  await page.route(list, (route) => route.fulfill({ status: 500, json: { code: "internal", status: 500 } }));
  await page.reload();
  await expect(card(page).getByRole("alert")).toContainText(services.load_failed);
  await page.unroute(list);
  await card(page).getByRole("button", { name: common.actions.try_again }).click();
  await expect(card(page)).toContainText(services.empty);
});

const LOOKS = eachLook([
  { locale: "uk", theme: "light", width: 390, height: 844 },
  { locale: "en", theme: "dark", width: 1280, height: 800 },
  { locale: "uk", theme: "light", width: 1280, height: 800 },
  { locale: "en", theme: "dark", width: 390, height: 844 },
]);

for (const { width, height, ...look } of LOOKS) {
  test.describe(`${look.locale}, ${look.theme}, ${width} px`, () => {
    test.use({ viewport: { width, height } });

    test("screenshots", async ({ page, context, server, reader, receiver }) => {
      const texts = textsOf(look.locale, "webhooks");
      const headers = { authorization: `Bearer ${reader.access_token}` };
      const address = `${server.origin}/api/v1/admin/webhook-services`;
      const post = async (path: string, body?: object) =>
        (await page.request.post(address + path, { headers, ...(body && { data: body }) })).json();
      const serviceIds = [];
      for (const form of [
        { name: "Архів редакції", category: "processing", description: "Складає готові тексти до спільної теки редакції." },
        { name: "Whisper large-v3 на відеокарті", category: "transcription", modes: ["full"] },
        { name: "n8n", category: "utility", is_active: false },
      ]) {
        serviceIds.push((await post("", { url: receiver.url, ...form })).service.id);
      }
      await post(`/${serviceIds[0]}/test`);
      receiver.answer = () => [410];
      await post(`/${serviceIds[0]}/test`);
      await signIn(context, reader, look);
      await page.goto(`${server.origin}/admin/config?section=webhooks`);
      const section = page.getByRole("region", { name: textsOf(look.locale, "admin-webhooks").title, exact: true });
      await expect(section.getByRole("heading", { name: "Архів редакції" })).toBeVisible();
      const picture = async (name: string) => {
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, "nothing sticks out to the right").toBeLessThanOrEqual(0);
        const path = `e2e/shots/admin-webhooks-${name}-${look.locale}-${look.theme}-${width}.png`;
        await shoot(page, path);
        await expectAccessible(page);
      };
      await section.scrollIntoViewIfNeeded();
      await picture("card");
      const of = (action: string) => texts.named.replace("{{action}}", action).replace("{{name}}", "Архів редакції");
      await section.getByRole("button", { name: of(texts.log.open) }).click();
      await expect(page.getByRole("dialog").getByText("test").first()).toBeVisible();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: new RegExp(`^${texts.log.show}`) })
        .first()
        .click();
      await picture("log");
      await page.keyboard.press("Escape");
      await section.getByRole("button", { name: of(texts.edit) }).click();
      await picture("editor");
      await page.keyboard.press("Escape");
      for (const id of serviceIds) await page.request.delete(`${address}/${id}`, { headers });
    });
  });
}
