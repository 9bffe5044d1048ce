/** Fallback for formats that `mediabunny` cannot read: the browser's own decoder, which needs the whole file in memory. */
import { whenIdle } from "@/lib/when-idle";
import { cleanDuration } from "./sanitise-facts";
import { barsOf } from "./windows";

/** Larger files are not loaded for a small waveform. In bytes. */
const MAX_BYTES = 50 * 2 ** 20;
/** In seconds. Decoding needs all samples in memory at the full rate: about 200 MB for ten minutes of stereo. */
const MAX_SECONDS = 600;
/** The lowest sample rate supported by all browsers, in Hz; sufficient for loudness. */
const RATE = 8_000;
/** Timeout for the player to report the duration, in ms. */
const DURATION_LIMIT_MS = 5_000;

/** In seconds; null if the browser cannot tell. */
export function durationByBrowser(file: File, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve) => {
    const address = URL.createObjectURL(file);
    const player = new Audio();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve(signal.aborted ? null : cleanDuration(player.duration));
      // Cancels loading.
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

/** The bars of the waveform; null if the file is too large, too long or cannot be decoded. `duration` in seconds. */
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
    // Unsupported or damaged: the server reports what is wrong with the file.
    return null;
  }
}

const idle = () => new Promise<void>((resolve) => void whenIdle(resolve));

/** The first two channels: in an interview each often has one voice. */
const channelsOf = (sound: AudioBuffer): Float32Array[] =>
  Array.from({ length: Math.min(2, sound.numberOfChannels) }, (_, channel) => sound.getChannelData(channel));
