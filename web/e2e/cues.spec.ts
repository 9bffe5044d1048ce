/** Manual subtitles with the real server: their times survive a reload, and are in files. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import editor from "../src/locales/uk/editor.json" with { type: "json" };
import sharing from "../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../src/locales/uk/transcript.json" with { type: "json" };
import { finishedJob, signIn, signUp } from "./accounts";
import { recording, SHORT } from "./recordings";
import { expect, expectAccessible, test } from "./test";

/** The first subtitle of the text, or of a line with several. */
const first = (page: Page, label: string) =>
  page.getByRole("textbox", { name: new RegExp(`^${label.replace("{{number}}", "1")}(\\.1)?$`) });

const secondsOf = (written: string): number => {
  const [minutes = "0", seconds = "0"] = written.split(":");
  return Number(minutes) * 60 + Number(seconds.replace(",", "."));
};
const written = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, "0").replace(".", ",")}`;
/** In the format of SRT. */
const stamp = (seconds: number): string =>
  `00:${String(Math.floor(seconds / 60)).padStart(2, "0")}:${(seconds % 60).toFixed(3).padStart(6, "0").replace(".", ",")}`;

async function downloadedSrt(page: Page): Promise<string> {
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  const dialog = page.getByRole("dialog", { name: sharing.export.title });
  await dialog.getByRole("radio", { name: sharing.export.formats.srt.name }).click();
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: sharing.export.download, exact: true }).click();
  const path = await (await downloading).path();
  await expect(dialog).toBeHidden();
  return readFileSync(path, "utf8");
}

test("typed times and an inserted line are stored and exported, and undo reverts them", async ({ page, context, server }) => {
  const session = await signUp(server);
  await signIn(context, session);
  const settings = { transcription_type: "full", language_code: "en", srt: true } as const;
  const job = await finishedJob(server, session, recording("short.mp3", SHORT), settings);
  const address = `${server.origin}/transcription/${job.my_job_id}?tab=subtitles`;
  const status = page.getByTestId("save-status");
  const [start, end] = [first(page, editor.cues.startOf), first(page, editor.cues.endOf)];
  await page.goto(address);

  // A whole number of frames, so that no format needs rounding.
  const until = Math.floor((secondsOf(await end.inputValue()) - 0.3) / 0.04) * 0.04;
  await start.fill("0:00,040");
  await page.keyboard.press("Enter");
  await expect(status).toContainText(editor.save.saved);
  await end.fill(written(until));
  await page.keyboard.press("Enter");
  await expect(end).toHaveValue(written(until));
  await expect(status).toContainText(editor.save.saved);
  await page.reload();
  await expect(start).toHaveValue("0:00,040");
  await expect(end).toHaveValue(written(until));
  await expectAccessible(page);
  expect(await downloadedSrt(page)).toContain(`${stamp(0.04)} --> ${stamp(until)}`);

  await page.getByRole("button", { name: /^Дії із субтитром 1(\.1)?$/ }).click();
  await page.getByRole("menuitem", { name: editor.cues.tools.insert }).click();
  const sheet = page.getByRole("dialog", { name: editor.cues.line.insert });
  await sheet.getByRole("textbox", { name: editor.cues.line.text, exact: true }).fill("Put in by hand.");
  await sheet.getByRole("button", { name: editor.cues.line.add }).click();
  await expect(sheet).toBeHidden();
  await expect(status).toContainText(editor.save.saved);
  await page.reload();
  await expect(page.getByRole("textbox").filter({ hasText: "Put in by hand." })).toHaveCount(1);
  expect(await downloadedSrt(page)).toContain("Put in by hand.");

  const undo = page.getByRole("button", { name: editor.toolbar.undo, exact: true });
  for (let step = 0; step < 3; step += 1) await undo.click();
  await expect(page.getByRole("textbox").filter({ hasText: "Put in by hand." })).toHaveCount(0);
  await expect(start).not.toHaveValue("0:00,040");
});
