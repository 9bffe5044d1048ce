/** Which parts of a recording are listened to for its waveform, and what the bars are made of. */

/** Up to this long, in seconds, a recording is heard in full. */
const HEARD_IN_FULL = 600;
/** Of a longer one so many seconds stand for each bar. */
const SAMPLE = 0.5;
/** As loud as this counts as nothing: 60 dB below full scale. Silence is drawn as silence, not blown up to speech. */
const SILENCE = 0.001;
/** Fewer known bars than one in so many would draw something that is not there. */
const LEAST_KNOWN = 6;

export interface Window {
  /** Which bar it stands for. */
  bar: number;
  /** Seconds. */
  start: number;
  end: number;
}

/**
 * A window for each bar, so ordered that the recording is known coarsely after a few of them and finer with each one. So
 * the work can end at any time. `duration` in seconds, above 0.
 */
export function chooseWindows(duration: number, bars: number): Window[] {
  const step = duration / bars;
  const length = duration <= HEARD_IN_FULL ? step : Math.min(step, SAMPLE);
  return coarseToFine(bars).map((bar) => {
    const start = bar * step + (step - length) / 2;
    return { bar, start, end: start + length };
  });
}

/** 0 to count - 1, each next one in the middle of the widest gap: those that are multiples of a high power of 2 come first. */
function coarseToFine(count: number): number[] {
  const order: number[] = [];
  let step = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
  for (let bar = 0; bar < count; bar += step) order.push(bar);
  for (; step > 1; step /= 2) {
    for (let bar = step / 2; bar < count; bar += step) order.push(bar);
  }
  return order;
}

/** The sum of squares of what was heard, and of how many values. */
export interface LoudnessSum {
  squares: number;
  values: number;
}

/** Adds what is in `samples`, each -1 to 1; a value that is no number counts as silence. */
export function addSamples(heard: LoudnessSum, samples: Float32Array): void {
  for (const value of samples) heard.squares += value * value || 0;
  heard.values += samples.length;
}

/** The mean loudness, 0 to 1; null when nothing was heard. */
export function loudness({ squares, values }: LoudnessSum): number | null {
  return values > 0 ? Math.min(1, Math.sqrt(squares / values)) : null;
}

/** The waveform of a recording that is decoded in full; `channels` are equally long. Null when there is nothing in it. */
export function barsOf(channels: readonly Float32Array[], bars: number): number[] | null {
  const length = channels[0]?.length ?? 0;
  const known = Array.from({ length: bars }, (_, bar) => {
    const heard: LoudnessSum = { squares: 0, values: 0 };
    const [from, to] = [Math.floor((bar * length) / bars), Math.floor(((bar + 1) * length) / bars)];
    for (const channel of channels) addSamples(heard, channel.subarray(from, to));
    return loudness(heard);
  });
  return drawBars(known);
}

/**
 * The bars of a waveform: the loudest is 1, and what is not known yet is as its nearest known neighbour. Null when too
 * little is known.
 */
export function drawBars(known: readonly (number | null)[]): number[] | null {
  const heard = known.filter((value) => value !== null);
  if (heard.length === 0 || heard.length * LEAST_KNOWN < known.length) {
    return null;
  }
  const loudest = Math.max(...heard);
  if (loudest < SILENCE) {
    return known.map(() => 0);
  }
  return known.map((_, bar) => Math.round(((nearest(known, bar) ?? 0) / loudest) * 1000) / 1000);
}

function nearest(known: readonly (number | null)[], bar: number): number | null {
  for (let away = 0; away < known.length; away++) {
    const found = known[bar - away] ?? known[bar + away];
    if (found != null) return found;
  }
  return null;
}
