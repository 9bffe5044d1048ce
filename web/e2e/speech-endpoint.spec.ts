/** An administrator has recordings recognised by another server: with a real server that has models, and one that has none. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../src/api/schema";
import configuration from "../src/locales/uk/admin-config.json" with { type: "json" };
import problems from "../src/locales/uk/problems.json" with { type: "json" };
import { finishedJob, PASSWORD, signIn, signUp } from "./accounts";
import { speech } from "./recordings";
import { MODELS, Server } from "./server";
import { test as base, expect, expectAccessible } from "./test";

/** The model that finds speech; it recognises none. */
const VOICE_ACTIVITY = "ggml-silero-v6.2.0.bin";

/** A server without models, and its administrator: the first account. */
interface Weak {
  server: Server;
  admin: Session;
}

const test = base.extend<{ weak: Weak; strong: Server }>({
  weak: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "slovo-e2e-models-"));
      copyFileSync(join(MODELS, VOICE_ACTIVITY), join(folder, VOICE_ACTIVITY));
      const server = await Server.start({ SLOVO_MODELS: folder });
      await use({ server, admin: await signUp(server) });
      await server.stop();
      rmSync(folder, { recursive: true });
    },
    { timeout: 120_000 },
  ],
  strong: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { timeout: 120_000 },
  ],
});

test("a server without models has recordings recognised by another one", async ({ page, context, weak, strong }) => {
  test.setTimeout(240_000);
  const { server, admin } = weak;
  await signIn(context, admin);
  const { access_token } = await signUp(strong);
  const created = await fetch(`${strong.origin}/api/v1/me/api-keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Slovo", scopes: ["read", "transcribe"], password: PASSWORD }),
  });
  const { secret } = (await created.json()) as { secret: string };
  const card = page.getByRole("region", { name: configuration.speech.title });
  const file = speech("elsewhere.mp3", "en_US_f_Allison", ["demo-congrats"]);

  await test.step("the endpoint is entered and tested", async () => {
    await page.goto(`${server.origin}/admin/config?section=speech`);
    await expect(card.getByText(configuration.speech.none)).toBeVisible();
    await card.getByLabel(configuration.endpoint.url).fill(`${strong.origin}/v1`);
    await card.getByLabel(configuration.endpoint.model).fill("whisper-1");
    await card.getByLabel(configuration.endpoint.key_field).fill(`${secret}x`);
    await card.getByRole("button", { name: configuration.save, exact: true }).click();
    await card.getByRole("button", { name: configuration.endpoint.test }).click();
    await expect(card.getByText(configuration.endpoint.outcome.unauthorized.title)).toBeVisible();
    await card.getByLabel(configuration.endpoint.key_field).fill(secret);
    await card.getByRole("button", { name: configuration.save, exact: true }).click();
    await card.getByRole("button", { name: configuration.endpoint.test }).click();
    await expect(card.getByText(configuration.endpoint.outcome.works.title)).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(secret)).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step("a recording is recognised there, and its page says so", async () => {
    const job = await finishedJob(server, admin, file, { language_code: "en", transcription_type: "full" });
    await page.goto(`${server.origin}/transcription/${job.my_job_id}`);
    await expect(page.getByText("Congratulations").first()).toBeVisible();
    await expect(page.getByText("endpoint:whisper-1").first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("without the other server a job says why it fails", async () => {
    await strong.stop();
    const failed = finishedJob(server, admin, file, { language_code: "en", transcription_type: "full" });
    await expect(failed).rejects.toThrow('"code":"speech_endpoint_failed","params":{"reason":"no_connection"}');
    await page.goto(`${server.origin}/transcriptions`);
    await page.getByRole("link", { name: "elsewhere.mp3" }).first().click();
    await expect(page.getByText(problems.reasons.no_connection)).toBeVisible();
  });
});
