/** Recordings made by ffmpeg from prompts of Debian's asterisk-core-sounds-en-wav (Allison Smith, CC-BY-SA 3.0). */
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MADE = fileURLToPath(new URL("../node_modules/.cache/slovo-recordings", import.meta.url));
const SOUNDS = "/usr/share/asterisk/sounds";
const PROMPTS = join(SOUNDS, "en_US_f_Allison");

/** Prompts in this order, each followed by a pause in seconds; recognition must find some words of each. */
export const LONG = {
  parts: [
    ["vm-newuser", 2],
    ["demo-abouttotry", 2],
    ["tt-allbusy", 3],
    ["demo-echotest", 2],
    ["demo-congrats", 0],
  ],
  words: ["setup", "demonstration", "telemarketers", "latency", "congratulations"],
} as const;

/** Repeated prompts, so that recognition is still running when a page shows it. */
export const LONGER = { ...LONG, parts: [...LONG.parts, ...LONG.parts] } as const;

export const SHORT = {
  parts: [
    ["tt-allbusy", 1],
    ["vm-newuser", 0],
  ],
  words: ["telemarketers", "welcome"],
} as const;

/** One file with all parts. */
export const recording = (name: string, { parts }: typeof LONG | typeof LONGER | typeof SHORT): string =>
  joined(name, PROMPTS, parts);

/** One file with these prompts, each followed by a second of silence, by a voice of Debian's packages. */
export const speech = (name: string, voice: "en_US_f_Allison" | "it_IT_m_Carlo", prompts: readonly string[]): string =>
  joined(
    name,
    join(SOUNDS, voice),
    prompts.map((prompt) => [prompt, 1] as const),
  );

/** Prompts of a folder, each followed by a pause in seconds. */
function joined(name: string, folder: string, parts: readonly (readonly [string, number])[]): string {
  const inputs = parts.flatMap(([prompt]) => ["-i", join(folder, `${prompt}.wav`)]);
  const padded = parts.map(([, pause], at) => `[${at}]apad=pad_dur=${pause}[p${at}]`).join(";");
  const concatenated = `${parts.map((_, at) => `[p${at}]`).join("")}concat=n=${parts.length}:v=0:a=1`;
  return cachedOutput(name, [...inputs, "-filter_complex", `${padded};${concatenated}`, "-ar", "16000"]);
}

/**
 * One hour of a repeated prompt. Encoding it takes many seconds. A caller that blocked the event loop meanwhile would not notice
 * that the server has closed an idle connection, and would send its next request on it.
 */
export const hourOfSound = () =>
  cachedOutputAsync("hour.mp3", [
    ...["-stream_loop", "-1", "-i", join(PROMPTS, "tt-allbusy.wav"), "-t", "3600"],
    ...["-ar", "16000", "-ac", "1", "-b:a", "24k"],
  ]);

/** A large file for slow uploads: silence, or noise if all parts of the file must differ. */
export function largeRecording(name: string, seconds: number, sound: "silence" | "noise" = "silence"): string {
  const source = sound === "silence" ? `anullsrc=r=48000:d=${seconds}` : `anoisesrc=r=48000:d=${seconds}`;
  return cachedOutput(name, ["-f", "lavfi", "-i", source, "-ac", "2", "-c:a", "pcm_s16le"]);
}

/**
 * The output of ffmpeg for these arguments, cached for all workers and runs. Of concurrent runs, the file of the first one is
 * kept: a browser refuses to read a selected file that is replaced meanwhile.
 */
function cachedOutput(name: string, how: readonly string[]): string {
  const output = cacheEntry(name, how);
  if (!existsSync(output.path)) {
    const part = output.start();
    execFileSync("ffmpeg", part.arguments);
    part.finish();
  }
  return output.path;
}

/** Like {@link cachedOutput}, without blocking the event loop. */
async function cachedOutputAsync(name: string, how: readonly string[]): Promise<string> {
  const output = cacheEntry(name, how);
  if (!existsSync(output.path)) {
    const part = output.start();
    await promisify(execFile)("ffmpeg", part.arguments);
    part.finish();
  }
  return output.path;
}

function cacheEntry(name: string, how: readonly string[]) {
  const folder = join(MADE, createHash("sha256").update(how.join("\0")).digest("hex").slice(0, 16));
  const path = join(folder, name);
  const start = () => {
    mkdirSync(folder, { recursive: true });
    const partFolder = mkdtempSync(join(folder, "part-"));
    const partPath = join(partFolder, name);
    const finish = () => {
      try {
        linkSync(partPath, path);
      } catch (error) {
        if (!existsSync(path)) throw error;
      }
      rmSync(partFolder, { recursive: true });
    };
    return { arguments: ["-v", "error", "-y", ...how, partPath], finish };
  };
  return { path, start };
}
