/** A voice is remembered from one recording, known again in another one, and not taken for somebody else's. */
import voices from "../src/locales/uk/voices.json" with { type: "json" };
import { finishedJob, signIn } from "./accounts";
import { speech } from "./recordings";
import { expect, test } from "./test";

const NAME = "Алісон";

test("a remembered voice proposes its name in the next recording, and not to another speaker", async ({
  page,
  context,
  server,
  reader,
}) => {
  test.setTimeout(300_000);
  const english = { transcription_type: "lite", language_code: "en", diarization: true } as const;
  const italian = { transcription_type: "full", language_code: "it", diarization: true } as const;
  const first = await finishedJob(server, reader, speech("voice-first.mp3", "en_US_f_Allison", ["demo-congrats"]), english);
  await signIn(context, reader);
  const panel = page.getByRole("region", { name: "Мовці" });
  const open = async (id: string) => {
    await page.goto(`${server.origin}/transcription/${id}`);
    await expect(panel).toBeVisible();
  };

  await test.step("nothing is stored before the person's consent is stated", async () => {
    await open(first.my_job_id);
    await panel.getByRole("button", { name: /^Дії/ }).first().click();
    await page.getByRole("menuitem", { name: voices.remember.action }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByLabel(voices.remember.name, { exact: true }).fill(NAME);
    await sheet.getByRole("button", { name: voices.remember.submit }).click();
    await expect(sheet.getByText(voices.remember.consent_missing)).toBeVisible();
    await sheet.getByLabel(voices.remember.consent).check();
    await sheet.getByRole("button", { name: voices.remember.submit }).click();
    await expect(panel.getByText(voices.speaker.ready, { exact: true })).toBeVisible({ timeout: 60_000 });
    await expect(panel.getByText(NAME, { exact: true })).toBeVisible();
  });

  const [second, stranger] = [
    await finishedJob(server, reader, speech("voice-second.mp3", "en_US_f_Allison", ["vm-options", "demo-abouttotry"]), english),
    await finishedJob(server, reader, speech("voice-stranger.mp3", "it_IT_m_Carlo", ["demo-congrats"]), italian),
  ];

  await test.step("her name is proposed, and given only when it is accepted", async () => {
    await open(second.my_job_id);
    const use = panel.getByRole("button", { name: voices.proposal.use });
    await expect(use).toBeVisible({ timeout: 60_000 });
    await expect(panel.getByText(voices.proposal.text.replace("{{name}}", NAME), { exact: true })).toBeVisible();
    await use.click();
    await expect(use).toBeHidden();
    await expect(panel.getByText(NAME, { exact: true })).toBeVisible();
  });

  await test.step("another voice gets no name", async () => {
    const compared = page.waitForResponse((answer) => /\/voices\?version=1$/.test(answer.url()) && answer.ok());
    await open(stranger.my_job_id);
    await compared;
    const state = async () => {
      const url = `${server.origin}/api/v1/jobs/${stranger.my_job_id}/voices?version=1`;
      return (await page.request.get(url, { headers: { authorization: `Bearer ${reader.access_token}` } })).json();
    };
    await expect.poll(async () => (await state()).compared, { timeout: 60_000 }).toBe(true);
    expect((await state()).proposals).toEqual([]);
    await expect(panel.getByRole("button", { name: voices.proposal.use })).toBeHidden();
  });

  await test.step("the voice is deleted in the settings, and the names stay", async () => {
    await page.goto(`${server.origin}/settings?tab=preferences`);
    await page.getByRole("button", { name: voices.list.more.replace("{{name}}", NAME) }).click();
    await page.getByRole("menuitem", { name: "Видалити" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Видалити" }).click();
    await expect(page.getByText(voices.list.empty)).toBeVisible();
    await open(second.my_job_id);
    await expect(panel.getByText(NAME, { exact: true })).toBeVisible();
  });
});
