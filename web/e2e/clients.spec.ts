/** A key is made in the settings, OpenAI's clients for Node transcribe with it, and it is revoked. */
import { createReadStream, readFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import { experimental_transcribe as transcribe } from "ai";
import OpenAI, { AuthenticationError, NotFoundError } from "openai";
import keys from "../src/locales/uk/api-keys.json" with { type: "json" };
import { PASSWORD, signIn } from "./accounts";
import { speech } from "./recordings";
import { expect, test } from "./test";

const NAME = "Клієнт OpenAI";

test("a program with a key of the settings transcribes, and is refused once the key is revoked", async ({
  page,
  context,
  server,
  reader,
}) => {
  test.setTimeout(300_000);
  await signIn(context, reader);
  const file = speech("clients.mp3", "en_US_f_Allison", ["demo-congrats"]);

  const secret = await test.step("a key is made and shown once", async () => {
    await page.goto(`${server.origin}/settings?tab=api-keys`);
    await page.getByRole("button", { name: keys.new.open }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByLabel(keys.new.name, { exact: true }).fill(NAME);
    await sheet.getByRole("checkbox", { name: new RegExp(`^${keys.scopes.transcribe.name}`) }).check();
    await sheet.getByLabel(keys.new.password, { exact: true }).fill(PASSWORD);
    await sheet.getByRole("button", { name: keys.new.submit }).click();
    const shown = await sheet.getByLabel(keys.created.secret, { exact: true }).inputValue();
    await sheet.getByRole("button", { name: keys.created.done }).click();
    await expect(page.getByText(NAME, { exact: true })).toBeVisible();
    await expect(page.getByText(shown)).toBeHidden();
    return shown;
  });

  const client = new OpenAI({ baseURL: `${server.origin}/v1`, apiKey: secret, maxRetries: 0 });
  const recording = () => createReadStream(file);

  await test.step("OpenAI's client streams the text", async () => {
    const stream = await client.audio.transcriptions.create({ model: "gpt-4o-transcribe", file: recording(), stream: true });
    let [sent, whole, ends] = ["", "", 0];
    for await (const event of stream) {
      if (event.type === "transcript.text.delta") sent += event.delta;
      if (event.type === "transcript.text.done") [whole, ends] = [event.text, ends + 1];
    }
    expect(ends).toBe(1);
    expect(sent).toBe(whole);
    expect(whole).toContain("Congratulations");
  });

  await test.step("it has words with their times, and knows the errors", async () => {
    const verbose = await client.audio.transcriptions.create({
      model: "whisper-1",
      file: recording(),
      language: "en",
      response_format: "verbose_json",
      timestamp_granularities: ["word"],
    });
    expect(verbose.words?.map((word) => word.word).join(" ")).toBe(verbose.text);
    await expect(client.models.retrieve("dall-e-3")).rejects.toThrow(NotFoundError);
  });

  await test.step("the AI SDK transcribes", async () => {
    const openai = createOpenAI({ baseURL: `${server.origin}/v1`, apiKey: secret });
    const result = await transcribe({
      model: openai.transcription("whisper-1"),
      audio: readFileSync(file),
      providerOptions: { openai: { timestampGranularities: ["segment"] } },
    });
    expect(result.text).toContain("Congratulations");
    expect(result.language).toBe("en");
    expect(result.segments.length).toBeGreaterThan(2);
  });

  await test.step("the recordings are in the library", async () => {
    await page.goto(`${server.origin}/transcriptions`);
    await expect(page.getByText("clients.mp3").first()).toBeVisible();
  });

  await test.step("a revoked key is refused at once", async () => {
    await page.goto(`${server.origin}/settings?tab=api-keys`);
    await page.getByRole("button", { name: keys.revoke.named.replace("{{name}}", NAME) }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: keys.revoke.action }).click();
    await expect(page.getByText(keys.empty)).toBeVisible();
    await expect(client.models.list()).rejects.toThrow(AuthenticationError);
  });
});
