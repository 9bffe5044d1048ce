/** What the browser itself can play where the reader cannot: its decoder runs apart from the page, but takes whole files. */
import { whenIdle } from "@/lib/when-idle";
import { cleanDuration } from "./sanitise-facts";
import { barsOf } from "./windows";

/** Bytes; a larger file is not loaded for the sake of a small picture. */
const MAX_BYTES = 50 * 2 ** 20;
/** Seconds. Decoding holds all of it at its full rate: two channels of ten minutes are some 200 MB. */
const MAX_SECONDS = 600;
/** The lowest rate that every browser has, in Hz: enough for loudness. */
const RATE = 8_000;
/** For a player to tell the duration; one that takes longer waits for something. In ms. */
const DURATION_LIMIT_MS = 5_000;

/** Seconds; null where the browser does not know either. */
export function durationByBrowser(file: File, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve) => {
    const address = URL.createObjectURL(file);
    const player = new Audio();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve(signal.aborted ? null : cleanDuration(player.duration));
      // Gives up whatever is still being loaded.
      player.removeAttribute("src");
      player.load();
      URL.revokeObjectURL(address);
    };
    const timer = setTimeout(end, DURATION_LIMIT_MS);
    signal.addEventListener("abort", end);
    player.addEventListener("loadedmetadata", end, { once: true });
    player.addEventListener("error", end, { once: true });
    player.preload = "metadata";
    player.src = address;
  });
}

/** The bars of its waveform; null where it is too large or too long for that, or cannot be decoded. `duration` in seconds. */
export async function peaksByBrowser(
  file: File,
  duration: number,
  bars: number,
  signal: AbortSignal,
): Promise<readonly number[] | null> {
  if (file.size > MAX_BYTES || duration > MAX_SECONDS) {
    return null;
  }
  await idle();
  if (signal.aborted) return null;
  try {
    const context = new OfflineAudioContext(1, 1, RATE);
    const sound = await context.decodeAudioData(await file.arrayBuffer());
    return signal.aborted ? null : barsOf(channelsOf(sound), bars);
  } catch {
    // Not a format of this browser's, or damaged: the server says what is wrong with the file.
    return null;
  }
}

const idle = () => new Promise<void>((resolve) => void whenIdle(resolve));

/** The first two: an interview often has a voice on each. */
const channelsOf = (sound: AudioBuffer): Float32Array[] =>
  Array.from({ length: Math.min(2, sound.numberOfChannels) }, (_, channel) => sound.getChannelData(channel));
