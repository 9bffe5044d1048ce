/**
 * A one-hour recording on the real server. A webhook service for transcription returns the text, which saves the time for
 * recognition; everything after that is real.
 */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import editor from "../src/locales/uk/editor.json" with { type: "json" };
import player from "../src/locales/uk/player.json" with { type: "json" };
import sharing from "../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../src/locales/uk/transcript.json" with { type: "json" };
import { finishedJob, signIn } from "./accounts";
import { entry } from "./archive";
import { hourOfTalk, UNIQUE_PHRASE } from "./hour-text";
import { expectReadable, seekTo } from "./readable";
import { hourOfSound } from "./recordings";
import { Server } from "./server";
import { readSrt, readStl, readTtml, readVtt } from "./subtitle-files";
import { test as base, expect, playerState } from "./test";
import { Receiver } from "./webhook-receiver";

const test = base.extend<{ receiver: Receiver }, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      // Allows webhooks to local addresses.
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

test.setTimeout(480_000);

/** Maximum number of cues that exceed the reading speed. */
const MAX_FAST = 0.03;
/** The default limits; times in files are rounded to milliseconds. */
const CHARACTERS_A_SECOND = 17.05;
/** The page's mark on such a cue. */
const FAST = editor.subtitles.tooFast.split(/\s/).at(-1) ?? "?";

const solid = (text: string) => text.replace(/\s+/g, "");

type FileFormat = "srt" | "vtt" | "ttml" | "stl" | "docx" | "pdf";

async function downloaded(page: Page, format: FileFormat): Promise<Buffer> {
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  const dialog = page.getByRole("dialog", { name: sharing.export.title });
  await dialog.getByRole("radio", { name: sharing.export.formats[format].name }).click();
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: sharing.export.download, exact: true }).click();
  const path = await (await downloading).path();
  await expect(dialog).toBeHidden();
  return readFileSync(path);
}

/** The texts of the cues seen while scrolling from the start; only cues near the window are rendered. */
async function cuesOnScreen(page: Page, turns: number): Promise<string[]> {
  const rowTexts = new Map<string, string>();
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, -1_000_000);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  for (let turn = 0; turn < turns; turn += 1) {
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const rows = page.getByTestId("cue");
    const visibleRows = await rows.evaluateAll((all) =>
      all.map((row) => [(row as HTMLElement).dataset.row ?? "", row.textContent ?? ""] as const),
    );
    for (const [row, text] of visibleRows) rowTexts.set(row, text);
    await page.mouse.wheel(0, 400);
  }
  return [...rowTexts.values()];
}

/** The elements of this name, from the browser's XML parser. */
const paragraphs = (page: Page, xml: string, name: string) =>
  page.evaluate(
    ([text, tag]) => {
      const document = new DOMParser().parseFromString(text, "application/xml");
      if (document.querySelector("parsererror")) throw new Error(document.documentElement.textContent ?? "no XML");
      return [...document.getElementsByTagName(tag)].map((p) => ({
        begin: p.getAttribute("begin") ?? "",
        end: p.getAttribute("end") ?? "",
        text: p.textContent ?? "",
      }));
    },
    [xml, name] as const,
  );

test("an hour is opened, played, searched, shown as subtitles, downloaded and edited", async ({
  page,
  context,
  server,
  reader,
  receiver,
}) => {
  const talk = hourOfTalk();
  const text = talk.map((segment) => segment.text).join(" ");
  receiver.answer = ({ body }) =>
    body.type === "transcription.request" ? [200, { text, language: "uk", duration: 3600, segments: talk }] : [204];
  const response = await page.request.post(`${server.origin}/api/v1/admin/webhook-services`, {
    headers: { authorization: `Bearer ${reader.access_token}` },
    data: { name: "Година", url: receiver.url, category: "transcription", modes: ["full"] },
  });
  expect(response.ok(), await response.text()).toBe(true);
  const settings = { transcription_type: "full", language_code: "uk", diarization: true } as const;
  const job = await finishedJob(server, reader, await hourOfSound(), settings);
  expect(job.model).toBe("webhook:Година");
  expect(job.duration).toBeGreaterThan(3590);
  await signIn(context, reader);
  const address = `${server.origin}/transcription/${job.my_job_id}`;
  const words = page.getByTestId("transcript-text");
  const active = page.locator("[data-active]");

  await test.step("its first lines are visible", async () => {
    await page.goto(address);
    for (const at of [0, 1]) {
      const line = page.locator(`[data-segment="${at}"]`).first();
      await expect(line).toContainText(talk[at]?.text.split(" ").slice(0, 2).join(" ") ?? "?");
      const dock = await page.locator("[data-player]").boundingBox();
      const box = await line.boundingBox();
      expect(box?.y, `line ${at}`).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 9_999) + 20, `line ${at}`).toBeLessThan(dock?.y ?? 0);
    }
  });

  await test.step("minute 42 is played and visible", async () => {
    const line = talk.find(({ start }) => start >= 42 * 60);
    if (!line) throw new Error("no line at minute 42");
    await seekTo(page, player.seek, line.start + 0.05);
    await expect(active).toContainText(line.text.split(" ").slice(0, 2).join(" "));
    await expectReadable(page, "[data-active]");
    await page.keyboard.press("k");
    await expect.poll(async () => (await playerState(page)).paused).toBe(false);
    await expect.poll(async () => (await playerState(page)).time).toBeGreaterThan(line.start + 0.3);
    await page.keyboard.press("k");
    await expect.poll(async () => (await playerState(page)).paused).toBe(true);
    await expectReadable(page, "[data-active]");
  });

  const once = talk.findIndex((segment) => segment.text === UNIQUE_PHRASE.text);
  const foundMark = page.locator("[data-found]");

  await test.step("a phrase is found, and opens at its position", async () => {
    const hit = page.getByRole("link").filter({ hasText: UNIQUE_PHRASE.phrase }).first();
    // The search index is updated asynchronously.
    await expect(async () => {
      await page.goto(`${server.origin}/transcriptions?q=${encodeURIComponent(`"${UNIQUE_PHRASE.phrase}"`)}`);
      await expect(hit).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
    await hit.click();
    await expect(foundMark).toContainText(UNIQUE_PHRASE.phrase);
    await expectReadable(page, "[data-found]");
    const away = async () => Math.abs((await playerState(page)).time - (talk[once]?.start ?? -1));
    await expect.poll(away).toBeLessThan(1.5);
  });

  let visibleCues: string[] = [];
  await test.step("its subtitles are readable", async () => {
    await page.getByRole("tab", { name: editor.tabs.subtitles, exact: true }).click();
    await expect(page.getByTestId("cue").first()).toBeVisible();
    visibleCues = await cuesOnScreen(page, 24);
    const fast = visibleCues.filter((cue) => cue.includes(FAST));
    expect(visibleCues.length).toBeGreaterThan(50);
    expect(fast.length / visibleCues.length, fast.slice(0, 5).join("\n")).toBeLessThanOrEqual(MAX_FAST);
  });

  await test.step("files are valid and complete", async () => {
    const srt = readSrt((await downloaded(page, "srt")).toString("utf8"));
    expect(srt.length).toBeGreaterThan(500);
    const isFast = ({ start, end, text: cueText }: (typeof srt)[number]) =>
      ([...cueText].length * 1000) / (end - start) > CHARACTERS_A_SECOND;
    expect(srt.filter(isFast).length / srt.length, "characters per second, in the file").toBeLessThanOrEqual(MAX_FAST);
    for (const [at, cueText] of visibleCues.slice(0, 20).entries()) {
      expect(solid(cueText), `cue ${at + 1} on the screen`).toContain(
        solid(srt[at]?.text.split("\n").at(-1) ?? "?").replace(/^S\d+:/, ""),
      );
    }
    const times = srt.map(({ start, end }) => [start, end]);
    const flat = (cues: { text: string }[]) => cues.map((cue) => cue.text.replace(/\s+/g, " ")).join(" ");
    expect(flat(srt)).toContain(UNIQUE_PHRASE.phrase);
    const vtt = readVtt((await downloaded(page, "vtt")).toString("utf8"));
    expect(vtt.map(({ start, end }) => [start, end])).toEqual(times);
    expect(flat(vtt)).toContain(UNIQUE_PHRASE.phrase);
    const ttml = readTtml(await paragraphs(page, (await downloaded(page, "ttml")).toString("utf8"), "p"));
    expect(ttml.map(({ start, end }) => [start, end])).toEqual(times);
    const stl = readStl(await downloaded(page, "stl"));
    expect(stl.length).toBe(srt.length);
    for (const [at, { start }] of stl.entries()) expect(Math.abs(start - (srt[at]?.start ?? -1))).toBeLessThanOrEqual(21);
    const docx = await downloaded(page, "docx");
    const paragraphTexts = await paragraphs(page, entry(docx, "word/document.xml").toString("utf8"), "w:p");
    const document = paragraphTexts.map((paragraph) => paragraph.text).join(" ");
    expect(document).toContain(UNIQUE_PHRASE.phrase);
    expect(document.length).toBeGreaterThan(text.length * 0.98);
    const pdf = await downloaded(page, "pdf");
    expect(pdf.subarray(0, 5).toString("latin1")).toBe("%PDF-");
    expect(pdf.subarray(-8).toString("latin1")).toContain("%%EOF");
    expect(pdf.length).toBeGreaterThan(50_000);
  });

  await test.step("an edited line survives a reload", async () => {
    await page.goto(`${address}?t=${talk[once]?.start}`);
    await expectReadable(page, "[data-found]");
    await page.getByRole("button", { name: editor.toolbar.edit, exact: true }).click();
    await page.locator(`[data-segment="${once}"] [data-w]`).last().click();
    await expect(page.getByTestId("segment-editor")).toBeFocused();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Дописано.");
    await expect(page.getByTestId("save-status")).toContainText(editor.save.saved);
    await page.goto(`${address}?t=${talk[once]?.start}`);
    await page.reload();
    await expect(words).toContainText("Дописано.");
    const line = page.locator(`[data-segment="${once}"]`).first();
    await expect(line).toContainText(`${UNIQUE_PHRASE.phrase}, і всі вийшли на берег. Дописано.`);
    const box = await line.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(800);
  });
});
