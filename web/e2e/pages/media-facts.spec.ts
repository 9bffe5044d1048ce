/** The facts of real files, read by the built page in a real browser under the server's policy. No server runs. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as base, expect, type Page } from "@playwright/test";
import { build, preview } from "vite";
import type { MediaFacts } from "../../src/lib/media-facts";
import { freePort } from "../server";

const WEB = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = "e2e/pages/media-facts/index.html";
/** Ten seconds: five seconds of speech, five seconds of silence. */
const VOICE = ["-f", "lavfi", "-i", "aevalsrc='if(lt(t,5),0.5*sin(1200*t),0)':d=10:s=44100"];

interface MediaFixtures {
  folder: string;
  address: string;
}

const test = base.extend<object, MediaFixtures>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "slovo-media-facts-"));
      await use(folder);
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  address: [
    async ({ folder }, use) => {
      const outDir = join(folder, "page");
      await build({
        root: WEB,
        logLevel: "warn",
        build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(WEB, PAGE) } },
      });
      const server = await preview({
        root: WEB,
        build: { outDir },
        preview: { host: "127.0.0.1", port: await freePort(), strictPort: true },
      });
      await use(`${server.resolvedUrls?.local[0]}${PAGE}`);
      await server.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** The facts of these files as read by the page; fails on any other error. */
async function factsOf(page: Page, address: string, paths: string[]): Promise<MediaFacts[]> {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(address);
  await page.getByLabel("files").setInputFiles(paths);
  const facts: MediaFacts[] = [];
  for (const path of paths) {
    const item = page.getByTestId(path.slice(path.lastIndexOf("/") + 1));
    await expect(item).toHaveAttribute("data-state", "read", { timeout: 60_000 });
    facts.push(JSON.parse((await item.getAttribute("data-facts")) ?? ""));
  }
  expect(faults).toEqual([]);
  return facts;
}

function ffmpeg(folder: string, name: string, ...options: string[]): string {
  const path = join(folder, name);
  execFileSync("ffmpeg", ["-v", "error", "-y", ...options, path]);
  return path;
}

/** Loud in the first half and silent in the second, like `VOICE`. */
function expectVoiceThenSilence(peaks: readonly number[] | null) {
  const bars = peaks ?? [];
  expect(bars.length).toBe(96);
  const middle = bars.length / 2;
  expect(Math.min(...bars.slice(1, middle - 2))).toBeGreaterThan(0.4);
  expect(Math.max(...bars.slice(middle + 2))).toBeLessThan(0.1);
}

const CODECS = [
  ["voice.wav", "pcm-s16", []],
  ["voice.mp3", "mp3", []],
  ["voice.m4a", "aac", []],
  ["voice.webm", "opus", ["-c:a", "libopus"]],
  ["voice.ogg", "vorbis", ["-c:a", "libvorbis"]],
  ["voice.flac", "flac", []],
  ["voice.aac", "aac", []],
] as const;

test("reads duration, track and waveform of each format", async ({ page, folder, address }) => {
  const paths = CODECS.map(([name, , options]) => ffmpeg(folder, name, ...VOICE, ...options));
  for (const [at, facts] of (await factsOf(page, address, paths)).entries()) {
    const [name, codec] = CODECS[at] ?? [];
    expect(Math.abs((facts.duration ?? 0) - 10), `${name} lasts ${facts.duration}`).toBeLessThan(0.1);
    expect(facts.tracks, name).toEqual([
      { index: 0, codec, language: null, title: null, channels: 1, default: expect.any(Boolean) },
    ]);
    await test.step(`waveform of ${name}`, () => expectVoiceThenSilence(facts.peaks));
  }
});

test("reads the waveform of the chosen track", async ({ page, folder, address }) => {
  const silence = ["-f", "lavfi", "-i", "anullsrc=d=10:cl=stereo"];
  const names = ["-metadata:s:a:0", "language=ukr", "-metadata:s:a:0", "title=Зала", "-metadata:s:a:1", "language=eng"];
  const path = ffmpeg(folder, "tracks.mkv", ...VOICE, ...silence, "-map", "0", "-map", "1", "-c:a", "libopus", ...names);
  const [facts] = await factsOf(page, address, [path]);
  expect(facts?.tracks).toMatchObject([
    { index: 0, codec: "opus", language: "ukr", title: "Зала", channels: 1 },
    { index: 1, codec: "opus", language: "eng", title: null, channels: 2 },
  ]);
  expectVoiceThenSilence(facts?.peaks ?? null);

  const choice = page.getByLabel("Звукова доріжка");
  await expect(choice.getByRole("option")).toHaveText(["1. Українська — Зала · Opus · моно", "2. Англійська · Opus · стерео"]);
  await choice.selectOption({ index: 1 });
  await expect(page.getByRole("img", { name: "Хвиля запису: звуку майже не чути" })).toBeVisible();
});

test("falls back to the browser's decoder for other formats, unless the file is large", async ({ page, folder, address }) => {
  const long = ["-f", "lavfi", "-i", "anullsrc=d=700:r=8000:cl=mono"];
  const paths = [
    ffmpeg(folder, "mp3-inside.wav", ...VOICE, "-c:a", "libmp3lame"),
    ffmpeg(folder, "flac-inside.ogg", ...VOICE, "-c:a", "flac"),
    ffmpeg(folder, "long.wav", ...long, "-c:a", "libmp3lame", "-b:a", "8k"),
  ];
  const [wav, ogg, tooLong] = await factsOf(page, address, paths);
  for (const facts of [wav, ogg]) {
    expect(Math.abs((facts?.duration ?? 0) - 10)).toBeLessThan(0.1);
    expect(facts?.tracks).toEqual([]);
    expectVoiceThenSilence(facts?.peaks ?? null);
  }
  expect(Math.abs((tooLong?.duration ?? 0) - 700)).toBeLessThan(1);
  expect(tooLong?.peaks).toBeNull();
});

test("reads the waveform without a decoder in workers, as on a page without https", async ({ page, folder, address }) => {
  const path = ffmpeg(folder, "plain.mp3", ...VOICE);
  // The worker's script, preceded by a line that removes the decoder.
  await page.route(/worker.*\.js/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `delete self.AudioDecoder;${await answer.text()}` });
  });
  const [facts] = await factsOf(page, address, [path]);
  expect(facts?.tracks).toMatchObject([{ codec: "mp3" }]);
  expectVoiceThenSilence(facts?.peaks ?? null);
});

test("unreadable files have no facts and do no harm", async ({ page, folder, address }) => {
  const fullFile = readFileSync(ffmpeg(folder, "whole.mp4", ...VOICE));
  const cut = join(folder, "cut.mp4");
  writeFileSync(cut, fullFile.subarray(0, fullFile.length / 2));
  const empty = join(folder, "empty.mp3");
  writeFileSync(empty, "");
  const noise = join(folder, "noise.webm");
  writeFileSync(noise, Buffer.concat([Buffer.from("1a45dfa3", "hex"), Buffer.alloc(1_000_000, 0xff)]));
  // A file of 400 MB with a box of that size.
  const greedy = join(folder, "greedy.mp4");
  const box = Buffer.alloc(40);
  box.writeUInt32BE(24, 0);
  box.write("ftypisom", 4);
  box.writeUInt32BE(400_000_000, 24);
  box.write("moov", 28);
  writeFileSync(greedy, box);
  truncateSync(greedy, 400_000_024);

  const paths = [cut, empty, noise, greedy, ffmpeg(folder, "old.avi", ...VOICE)];
  for (const facts of await factsOf(page, address, paths)) {
    expect(facts).toEqual({ duration: null, tracks: [], peaks: null });
  }
  await expect(page.getByRole("img")).toHaveCount(0);
});

test("samples long and large files", async ({ page, folder, address }) => {
  const long = ["-f", "lavfi", "-i", "aevalsrc='if(lt(t,900),0.5*sin(1200*t),0)':d=1800:s=16000"];
  const half = ffmpeg(folder, "half-hour.mp3", ...long, "-b:a", "32k");
  const flac = ffmpeg(folder, "half-hour.flac", ...long);
  const silent = ffmpeg(folder, "silent.mp3", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono:d=7200", "-b:a", "16k");
  const large = join(folder, "large.wav");
  const header = readFileSync(ffmpeg(folder, "short.wav", ...VOICE, "-bitexact")).subarray(0, 44);
  const size = 500_000_000;
  header.writeUInt32LE(size + 36, 4);
  header.writeUInt32LE(size, 40);
  const handle = openSync(large, "w");
  writeSync(handle, header);
  closeSync(handle);
  truncateSync(large, size + 44);

  const [halfFacts, flacFacts, silentFacts, largeFacts] = await factsOf(page, address, [half, flac, silent, large]);
  expect(Math.abs((halfFacts?.duration ?? 0) - 1800)).toBeLessThan(0.1);
  expect(Math.abs((flacFacts?.duration ?? 0) - 1800)).toBeLessThan(0.1);
  expect(Math.abs((silentFacts?.duration ?? 0) - 7200)).toBeLessThan(0.1);
  expectVoiceThenSilence(halfFacts?.peaks ?? null);
  expectVoiceThenSilence(flacFacts?.peaks ?? null);
  expect(new Set(silentFacts?.peaks)).toEqual(new Set([0]));
  expect(Math.abs((largeFacts?.duration ?? 0) - size / 88_200)).toBeLessThan(0.1);
  expect(new Set(largeFacts?.peaks)).toEqual(new Set([0]));
});
