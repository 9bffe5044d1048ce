/** The transcript page with the real server and a real recording: no correction is lost. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Job, Session } from "../src/api/schema";
import editor from "../src/locales/uk/editor.json" with { type: "json" };
import sharing from "../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../src/locales/uk/transcript.json" with { type: "json" };
import transcripts from "../src/locales/uk/transcripts.json" with { type: "json" };
import { finishedJob, signIn, signUp } from "./accounts";
import { archived, entry } from "./archive";
import { recording, SHORT } from "./recordings";
import { expect, expectAccessible, test } from "./test";

let session: Session;
let job: Job;

test.beforeEach(async ({ context, server }) => {
  session = await signUp(server);
  await signIn(context, session);
  const settings = { transcription_type: "full", language_code: "en", srt: true } as const;
  job = await finishedJob(server, session, recording("short.mp3", SHORT), settings);
});

const words = (page: Page) => page.getByTestId("transcript-text");
const field = (page: Page) => page.getByTestId("segment-editor");
const status = (page: Page) => page.getByTestId("save-status");

async function writeAt(page: Page, word: string): Promise<void> {
  const doneButton = page.getByRole("button", { name: editor.toolbar.done });
  const edit = page.getByRole("button", { name: editor.toolbar.edit, exact: true });
  await expect(doneButton.or(edit)).toBeVisible();
  if (await edit.isVisible()) await edit.click();
  await words(page).getByText(word, { exact: true }).first().click();
  await expect(field(page)).toBeFocused();
}

async function corrected(page: Page, word: string, addition: string): Promise<void> {
  await writeAt(page, word);
  await page.keyboard.press("Control+End");
  await page.keyboard.type(addition);
  await expect(status(page)).toContainText(editor.save.saved);
}

/** Downloads the file in this format with the dialog. */
async function downloaded(page: Page, format: "docx" | "pdf" | "srt"): Promise<Buffer> {
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  const dialog = page.getByRole("dialog", { name: sharing.export.title });
  await dialog.getByRole("radio", { name: sharing.export.formats[format].name }).click();
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: sharing.export.download, exact: true }).click();
  const path = await (await downloading).path();
  await expect(dialog).toBeHidden();
  return readFileSync(path);
}

test("a correction appears in another tab, survives a killed server, and is in files, links and the search", async ({
  page,
  context,
  server,
  browser,
}) => {
  const address = `${server.origin}/transcription/${job.my_job_id}`;
  const other = await context.newPage();
  await other.goto(address);
  await expect(words(other)).toBeVisible();
  await page.goto(address);

  await test.step("it appears in the other tab", async () => {
    await corrected(page, "telemarketers.", " Виправлено.");
    await expect(words(other)).toContainText("Виправлено.", { timeout: 5_000 });
  });

  await test.step("a killed server has stored it, and accepts the next one", async () => {
    await server.crashAndRestart();
    await page.reload();
    await expect(words(page)).toContainText("Виправлено.");
    await corrected(page, "process.", " Дописано.");
    await expect(words(other)).toContainText("Дописано.");
  });

  await test.step("undo and redo survive a reload", async () => {
    await page.keyboard.press("Control+Enter");
    await page.reload();
    await page.getByRole("button", { name: editor.toolbar.undo }).click();
    await expect(words(page)).not.toContainText("Дописано.");
    await page.reload();
    await expect(words(page)).not.toContainText("Дописано.");
    await page.getByRole("button", { name: editor.toolbar.redo }).click();
    await expect(words(page)).toContainText("Дописано.");
  });

  await test.step("files contain it", async () => {
    expect(entry(await downloaded(page, "docx"), "word/document.xml").toString("utf8")).toContain("Виправлено.");
    expect((await downloaded(page, "srt")).toString("utf8")).toMatch(/00:00:0\d,\d{3} --> [\s\S]*Виправлено\./);
    const pdf = await downloaded(page, "pdf");
    expect(pdf.subarray(0, 5).toString("latin1")).toBe("%PDF-");
  });

  await test.step("visitors of a link can read it until the link is withdrawn", async () => {
    await page.getByRole("button", { name: sharing.share.open }).click();
    const dialog = page.getByRole("dialog", { name: sharing.share.title });
    await dialog.getByRole("button", { name: sharing.share.create }).click();
    const row = dialog.getByRole("listitem").first();
    const link = await row.getByRole("textbox").inputValue();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(link);
    await expect(stranger.getByText("Виправлено.").first()).toBeVisible();
    const content = await stranger.content();
    expect(content).not.toContain(session.user.email);
    await expectAccessible(stranger);
    await row.getByRole("button", { name: /^Відкликати посилання/ }).click();
    await row.getByRole("button", { name: sharing.share.withdrawYes, exact: true }).click();
    await expect(dialog.getByRole("listitem")).toHaveCount(0);
    await stranger.reload();
    await expect(stranger.getByRole("heading", { name: sharing.page.gone })).toBeVisible();
    await expect(stranger.getByText("Виправлено.")).toHaveCount(0);
    await stranger.context().close();
    await page.keyboard.press("Escape");
  });

  await test.step("the library finds it and opens at its second", async () => {
    await page.goto(`${server.origin}/transcriptions?q=${encodeURIComponent("ДОПИСАНО")}`);
    const hit = page.getByRole("link").filter({ hasText: "Дописано" }).first();
    await expect(hit).toBeVisible();
    await hit.click();
    await expect(page).toHaveURL(/\/transcription\/.+\?t=\d+/);
    await expect(words(page)).toContainText("Дописано.");
  });
});

test("a conflict between two tabs shows both texts in the later one", async ({ page, context, server }) => {
  const address = `${server.origin}/transcription/${job.my_job_id}`;
  const other = await context.newPage();
  for (const editorPage of [page, other]) {
    await editorPage.goto(address);
    await writeAt(editorPage, "telemarketers.");
    await editorPage.keyboard.press("Control+End");
  }
  // The later text is typed before the first one's event arrives, and sent afterwards, so that a conflict is certain.
  let send = () => {};
  const released = new Promise<void>((release) => {
    send = release;
  });
  await other.route("**/edits", async (route) => {
    await released;
    await route.continue();
  });
  await other.bringToFront();
  await other.keyboard.type(" Два.");
  await page.bringToFront();
  await page.keyboard.type(" Один.");
  await expect(status(page)).toContainText(editor.save.saved);
  send();
  const conflict = other.getByRole("region", { name: editor.conflict.label });
  await expect(conflict).toContainText("Один.");
  await expect(conflict).toContainText("Два.");
  await conflict.getByRole("button", { name: editor.conflict.keepMine }).click();
  await expect(words(page)).toContainText("Два.");
});

test("several texts are downloaded from the library as one archive, with corrections", async ({ page, server }) => {
  const settings = { transcription_type: "full", language_code: "en" } as const;
  const second = await finishedJob(server, session, recording("short.mp3", SHORT), settings);
  await page.goto(`${server.origin}/transcription/${second.my_job_id}`);
  await corrected(page, "telemarketers.", " Виправлено.");
  // Another page in the same tab.
  await page.goto(`${server.origin}/transcriptions`);
  await page.getByRole("checkbox", { name: transcripts.choose_all }).click();
  const bar = page.getByRole("region", { name: transcripts.bulk.label });
  const dialog = page.getByRole("dialog", { name: "2" });
  for (const format of ["docx", "txt"] as const) {
    await bar.getByRole("button", { name: transcripts.bulk.export }).click();
    await dialog.getByRole("radio", { name: sharing.export.formats[format].name }).click();
    const downloading = page.waitForEvent("download");
    await dialog.getByRole("button", { name: sharing.export.download, exact: true }).click();
    const download = await downloading;
    await expect(dialog).toBeHidden();
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    const archive = readFileSync(await download.path());
    const names = archived(archive);
    expect(names).toHaveLength(2);
    // Both recordings have the same name.
    expect(new Set(names).size).toBe(2);
    const texts = names.map((name) => {
      expect(name).toMatch(new RegExp(`^\\d-short\\.${format}$`));
      const file = entry(archive, name);
      return (format === "docx" ? entry(file, "word/document.xml") : file).toString("utf8");
    });
    for (const text of texts) expect(text).toContain("telemarketers");
    expect(texts.filter((text) => text.includes("Виправлено."))).toHaveLength(1);
  }
});
