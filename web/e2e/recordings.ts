/** Recordings made by ffmpeg from prompts of Debian's asterisk-core-sounds-en-wav (Allison Smith, CC-BY-SA 3.0). */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MADE = fileURLToPath(new URL("../node_modules/.cache/slovo-recordings", import.meta.url));
const PROMPTS = "/usr/share/asterisk/sounds/en_US_f_Allison";

/** In this order, with a pause of so many seconds after each; some words of each that recognition must find. */
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

/** The same over and over: work that is still under way when a page has found it. */
export const LONGER = { ...LONG, parts: [...LONG.parts, ...LONG.parts] } as const;

export const SHORT = {
  parts: [
    ["tt-allbusy", 1],
    ["vm-newuser", 0],
  ],
  words: ["telemarketers", "welcome"],
} as const;

/** One file of all parts. */
export function recording(name: string, { parts }: typeof LONG | typeof LONGER | typeof SHORT): string {
  const inputs = parts.flatMap(([prompt]) => ["-i", join(PROMPTS, `${prompt}.wav`)]);
  const padded = parts.map(([, pause], at) => `[${at}]apad=pad_dur=${pause}[p${at}]`).join(";");
  const joined = `${parts.map((_, at) => `[p${at}]`).join("")}concat=n=${parts.length}:v=0:a=1`;
  return made(name, [...inputs, "-filter_complex", `${padded};${joined}`, "-ar", "16000"]);
}

/** An hour of one prompt over and over. */
export const hourOfSound = () =>
  made("hour.mp3", [
    ...["-stream_loop", "-1", "-i", join(PROMPTS, "tt-allbusy.wav"), "-t", "3600"],
    ...["-ar", "16000", "-ac", "1", "-b:a", "24k"],
  ]);

/** Silence that is large on disk: an upload that takes a while. Noise where no two stretches of the file may be alike. */
export function largeRecording(name: string, seconds: number, sound: "silence" | "noise" = "silence"): string {
  const source = sound === "silence" ? `anullsrc=r=48000:d=${seconds}` : `anoisesrc=r=48000:d=${seconds}`;
  return made(name, ["-f", "lavfi", "-i", source, "-ac", "2", "-c:a", "pcm_s16le"]);
}

/**
 * What ffmpeg makes of these arguments, once for all workers and runs of this clone. Whoever makes it at the same time makes
 * the same; nobody sees half a file.
 */
function made(name: string, how: readonly string[]): string {
  const folder = join(MADE, createHash("sha256").update(how.join("\0")).digest("hex").slice(0, 16));
  const path = join(folder, name);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const own = mkdtempSync(join(folder, "part-"));
    execFileSync("ffmpeg", ["-v", "error", "-y", ...how, join(own, name)]);
    renameSync(join(own, name), path);
    rmdirSync(own);
  }
  return path;
}
