/** A user's webhook with the real server, a receiver, and the published library for verifying calls. */
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import webhooks from "../src/locales/uk/webhooks.json" with { type: "json" };
import { finishedJob, signIn } from "./accounts";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";
import { test as base, expect, expectAccessible } from "./test";
import { type Call, Receiver } from "./webhook-receiver";

const test = base.extend<{ receiver: Receiver }, { server: Server }>({
  // Allows webhooks of users at local addresses.
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const server = await Server.start({ SLOVO_USER_WEBHOOK_ALLOW: "127.0.0.1" });
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

/** The event of a call, if its signature is right. */
function verified(call: Call | undefined, secret: string): Call["body"] {
  if (!call) throw new Error("nothing came");
  return new Webhook(secret).verify(call.text, call.headers as Record<string, string>) as Call["body"];
}

test("a webhook is told of a finished recording, and its call is verified", async ({
  page,
  context,
  server,
  reader,
  receiver,
}) => {
  test.setTimeout(240_000);
  await signIn(context, reader);
  const dialog = page.getByRole("dialog");

  const secret = await test.step("it is added in the settings", async () => {
    await page.goto(`${server.origin}/settings?tab=webhooks`);
    await expect(page.getByText(webhooks.empty)).toBeVisible();
    await page.getByRole("button", { name: webhooks.add }).click();
    await dialog.getByLabel(webhooks.editor.name, { exact: true }).fill("n8n");
    await dialog.getByLabel(webhooks.editor.url, { exact: true }).fill("http://10.0.0.1/hook");
    await dialog.getByRole("button", { name: webhooks.editor.create }).click();
    await expect(dialog.getByText(webhooks.editor.address_refused)).toBeVisible();
    await dialog.getByLabel(webhooks.editor.url, { exact: true }).fill(receiver.url);
    await dialog.getByRole("button", { name: webhooks.editor.create }).click();
    const shown = await dialog.getByText(/^whsec_/).innerText();
    await dialog.getByRole("button", { name: webhooks.secret.done }).click();
    await expect(page.getByText("n8n", { exact: true })).toBeVisible();
    await expectAccessible(page);
    return shown;
  });

  await test.step("a test arrives, and no other secret verifies it", async () => {
    await page
      .getByRole("button", { name: webhooks.named.replace("{{action}}", webhooks.test).replace("{{name}}", "n8n") })
      .click();
    await expect(page.getByText(webhooks.tested.works.replace("{{name}}", "n8n"))).toBeVisible();
    expect(verified(receiver.calls[0], secret)).toMatchObject({ type: "test", test: true });
    const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    expect(() => verified(receiver.calls[0], other)).toThrow(WebhookVerificationError);
  });

  await test.step("a finished recording arrives, with a link to its text", async () => {
    const job = await finishedJob(server, reader, recording("webhooks.mp3", SHORT), { language_code: "en" });
    await expect.poll(() => receiver.calls.length, { timeout: 30_000 }).toBe(2);
    const event = verified(receiver.calls[1], secret);
    expect(event).toMatchObject({ type: "job.completed", data: { job_id: job.my_job_id, language: "en" } });
    const text = await fetch(String(event.data["transcript_url"]));
    expect(text.status).toBe(200);
    const { segments } = (await text.json()) as { segments: { text: string }[] };
    expect(segments.map((segment) => segment.text).join(" ")).toContain("telemarketers");
  });

  await test.step("the log shows both, and sends one again", async () => {
    await page
      .getByRole("button", { name: webhooks.named.replace("{{action}}", webhooks.log.open).replace("{{name}}", "n8n") })
      .click();
    await expect(dialog.getByText("job.completed")).toBeVisible();
    await dialog
      .getByRole("button", { name: new RegExp(`^${webhooks.log.resend}: job.completed`) })
      .first()
      .click();
    await expect.poll(() => receiver.calls.length, { timeout: 30_000 }).toBe(3);
    expect(receiver.calls[2]?.headers["webhook-id"]).toBe(receiver.calls[1]?.headers["webhook-id"]);
  });
});
