/** Recordings made by ffmpeg from prompts of Debian's asterisk-core-sounds-en-wav (Allison Smith, CC-BY-SA 3.0). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
export const LONGER = { ...LONG, parts: [...LONG.parts, ...LONG.parts, ...LONG.parts] } as const;

export const SHORT = {
  parts: [
    ["tt-allbusy", 1],
    ["vm-newuser", 0],
  ],
  words: ["telemarketers", "welcome"],
} as const;

/** One file of all parts; made once, in a folder of its own. */
export function recording(name: string, { parts }: typeof LONG | typeof LONGER | typeof SHORT): string {
  const folder = join(tmpdir(), "slovo-e2e-recordings");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  if (!existsSync(path)) {
    const inputs = parts.flatMap(([prompt]) => ["-i", join(PROMPTS, `${prompt}.wav`)]);
    const padded = parts.map(([, pause], at) => `[${at}]apad=pad_dur=${pause}[p${at}]`).join(";");
    const joined = `${parts.map((_, at) => `[p${at}]`).join("")}concat=n=${parts.length}:v=0:a=1`;
    execFileSync("ffmpeg", ["-v", "error", "-y", ...inputs, "-filter_complex", `${padded};${joined}`, "-ar", "16000", path]);
  }
  return path;
}

/** Silence that is large on disk: an upload that takes a while. Noise where no two stretches of the file may be alike. */
export function largeRecording(name: string, seconds: number, sound: "silence" | "noise" = "silence"): string {
  const folder = join(tmpdir(), "slovo-e2e-recordings");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  if (!existsSync(path)) {
    const source = sound === "silence" ? `anullsrc=r=48000:d=${seconds}` : `anoisesrc=r=48000:d=${seconds}`;
    execFileSync("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", source, "-ac", "2", "-c:a", "pcm_s16le", path]);
  }
  return path;
}
