/** The user's own DOCX template with the real server: the example is downloaded and uploaded, and used for an export. */
import { readFileSync } from "node:fs";
import type { Download } from "@playwright/test";
import { finishedJob, signIn, signUp } from "./accounts";
import { archived, entry } from "./archive";
import { recording, SHORT } from "./recordings";
import { expect, expectAccessible, test } from "./test";
import { textsOf } from "./texts";

const bytesOf = async (download: Promise<Download>) => readFileSync(await (await download).path());

test("a text is downloaded in the user's own template", async ({ page, context, server }) => {
  const t = textsOf("uk", "settings").docx_template;
  const { codes } = textsOf("uk", "problems");
  const sharing = textsOf("uk", "sharing").export;
  const session = await signUp(server);
  await signIn(context, session);
  const settings = { transcription_type: "full", language_code: "en" } as const;
  const job = await finishedJob(server, session, recording("short.mp3", SHORT), settings);

  await page.goto(`${server.origin}/settings?tab=preferences`);
  const section = page.getByRole("region", { name: t.title });
  const exampleOf = page.waitForEvent("download");
  await section.getByRole("button", { name: t.example.button }).click();
  expect((await exampleOf).suggestedFilename()).toBe(t.example.file);
  const example = await bytesOf(exampleOf);
  const picker = section.getByTestId("docx-template-file");
  const buffer = Buffer.from("no document");
  await picker.setInputFiles({ name: "bad.docx", mimeType: "text/plain", buffer });
  await expect(section.getByRole("alert")).toContainText(codes.docx_template_not_word);
  await picker.setInputFiles({ name: "Бланк.docx", mimeType: "application/octet-stream", buffer: example });
  await expect(section.getByText("Бланк.docx")).toBeVisible();
  await page.reload();
  await expect(section.getByText("Бланк.docx")).toBeVisible();
  await expectAccessible(page);
  const backOf = page.waitForEvent("download");
  await section.getByRole("button", { name: t.download }).click();
  expect((await bytesOf(backOf)).equals(example)).toBe(true);

  await page.goto(`${server.origin}/transcription/${job.my_job_id}`);
  await page.getByRole("button", { name: textsOf("uk", "transcript").downloads.menu }).click();
  const dialog = page.getByRole("dialog", { name: sharing.title });
  await dialog.getByRole("radio", { name: sharing.formats.docx.name }).click();
  await dialog.getByRole("switch", { name: sharing.template.use }).click();
  const fileOf = page.waitForEvent("download");
  await dialog.getByRole("button", { name: sharing.download, exact: true }).click();
  const file = await bytesOf(fileOf);
  expect(archived(file).sort()).toEqual(archived(example).sort());
  for (const part of ["word/styles.xml", "word/footer1.xml", "word/_rels/document.xml.rels"])
    expect(entry(file, part).equals(entry(example, part)), part).toBe(true);
  const body = entry(file, "word/document.xml").toString("utf8");
  expect(body).toContain("telemarketers");
  expect(body).toContain(`${t.example.language}: `);
  expect(body).toContain('<w:pStyle w:val="Transcript"/>');
  expect(body).not.toContain("{{");
  expect(entry(file, "word/header1.xml").toString("utf8")).toContain("short");
});
