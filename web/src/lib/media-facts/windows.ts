/** Selects the parts of a recording that are decoded for its waveform, and computes the bars. */

/** Recordings up to this duration are decoded completely. In seconds. */
const HEARD_IN_FULL = 600;
/** Decoded part of each bar of a longer recording, in seconds. */
const SAMPLE = 0.5;
/** Loudness below -60 dBFS counts as silence, so that noise is not scaled up to look like speech. */
const SILENCE = 0.001;
/** Nothing is drawn if fewer than one in this many bars is known: the waveform would be misleading. */
const MIN_KNOWN = 6;

export interface Window {
  /** Index of its bar. */
  bar: number;
  /** In seconds. */
  start: number;
  end: number;
}

/**
 * A window for each bar, ordered from coarse to fine over the whole recording, so that reading can stop at any time.
 * `duration` in seconds, above 0.
 */
export function chooseWindows(duration: number, bars: number): Window[] {
  const step = duration / bars;
  const length = duration <= HEARD_IN_FULL ? step : Math.min(step, SAMPLE);
  return coarseToFine(bars).map((bar) => {
    const start = bar * step + (step - length) / 2;
    return { bar, start, end: start + length };
  });
}

/** 0 to count - 1, each in the middle of the widest gap so far: multiples of high powers of 2 come first. */
function coarseToFine(count: number): number[] {
  const order: number[] = [];
  let step = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
  for (let bar = 0; bar < count; bar += step) order.push(bar);
  for (; step > 1; step /= 2) {
    for (let bar = step / 2; bar < count; bar += step) order.push(bar);
  }
  return order;
}

/** The sum of squares of samples, and their number. */
export interface LoudnessSum {
  squares: number;
  values: number;
}

/** Adds samples from -1 to 1; NaN counts as 0. */
export function addSamples(sum: LoudnessSum, samples: Float32Array): void {
  for (const value of samples) sum.squares += value * value || 0;
  sum.values += samples.length;
}

/** The root mean square, 0 to 1; null without samples. */
export function loudness({ squares, values }: LoudnessSum): number | null {
  return values > 0 ? Math.min(1, Math.sqrt(squares / values)) : null;
}

/** The waveform of a completely decoded recording; `channels` have equal lengths. Null if there are no samples. */
export function barsOf(channels: readonly Float32Array[], bars: number): number[] | null {
  const length = channels[0]?.length ?? 0;
  const known = Array.from({ length: bars }, (_, bar) => {
    const sum: LoudnessSum = { squares: 0, values: 0 };
    const [from, to] = [Math.floor((bar * length) / bars), Math.floor(((bar + 1) * length) / bars)];
    for (const channel of channels) addSamples(sum, channel.subarray(from, to));
    return loudness(sum);
  });
  return drawBars(known);
}

/**
 * The bars of a waveform, relative to the loudest one; unknown bars equal their nearest known neighbour. Null if too few
 * are known.
 */
export function drawBars(known: readonly (number | null)[]): number[] | null {
  const measured = known.filter((value) => value !== null);
  if (measured.length === 0 || measured.length * MIN_KNOWN < known.length) {
    return null;
  }
  const loudest = Math.max(...measured);
  if (loudest < SILENCE) {
    return known.map(() => 0);
  }
  return known.map((_, bar) => Math.round(((nearest(known, bar) ?? 0) / loudest) * 1000) / 1000);
}

function nearest(known: readonly (number | null)[], bar: number): number | null {
  for (let away = 0; away < known.length; away++) {
    const neighbour = known[bar - away] ?? known[bar + away];
    if (neighbour != null) return neighbour;
  }
  return null;
}
