/** Passes levels to the meter without React: they change 21 times per second. */

/** Levels below are inaudible; the meter's left end. In dBFS. */
export const QUIETEST_DB = -60;

/** dBFS of a peak between 0 and 1, at least `QUIETEST_DB`. */
export function decibels(peak: number): number {
  return peak > 0 ? Math.max(QUIETEST_DB, Math.min(0, 20 * Math.log10(peak))) : QUIETEST_DB;
}

/** 0 to 1 along the meter. */
export function levelOf(peak: number): number {
  return 1 - decibels(peak) / QUIETEST_DB;
}

export function createLevels() {
  const listeners = new Set<(peak: number) => void>();
  return {
    publish(peak: number) {
      for (const listener of listeners) {
        listener(peak);
      }
    },
    subscribe(listener: (peak: number) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type LevelWarning = "loud" | "silent" | null;

/** How long the warning stays after the last clipped sample, in ms. */
const LOUD_MS = 2_000;
/** How long silence lasts before it is reported, in ms. */
const SILENT_MS = 5_000;
const CLIPPED = 0.985;
/** A live microphone is above it even in a quiet room: -55 dB. */
const HEARD = 0.0018;

/** Tells whether the microphone is too loud or silent. `now` in ms. */
export function createLevelCheck(begin: number) {
  let clippedAt = Number.NEGATIVE_INFINITY;
  let lastSoundAt = begin;
  return {
    note(peak: number, now: number): LevelWarning {
      if (peak >= CLIPPED) {
        clippedAt = now;
      }
      if (peak >= HEARD) {
        lastSoundAt = now;
      }
      if (now - clippedAt < LOUD_MS) {
        return "loud";
      }
      return now - lastSoundAt >= SILENT_MS ? "silent" : null;
    },
  };
}
