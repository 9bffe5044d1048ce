/**
 * Resamples sound block by block. Only for browsers that cannot use the recording's sample rate (Firefox, whose
 * microphones keep their own). Runs in the audio worklet: no imports.
 */

/** Number of input samples on either side that contribute to an output sample. */
const REACH = 16;
/** Number of precomputed filter phases between two input samples. */
const PHASES = 256;

/** Both rates in hertz. The function takes the next input and returns the output that is complete. */
export function createResampler(from: number, to: number): (input: Float32Array) => Float32Array {
  if (from === to) {
    return (input) => input;
  }
  const step = from / to;
  const filter = filterTable(Math.min(1, to / from));
  /** Silence before the first sample, as its left neighbours. */
  let waiting = new Float32Array(REACH);
  /** Position of the next output sample within `waiting`, in input samples. */
  let at = REACH;

  return (input) => {
    const all = new Float32Array(waiting.length + input.length);
    all.set(waiting);
    all.set(input, waiting.length);
    const output: number[] = [];
    while (Math.floor(at) + REACH + 1 < all.length) {
      output.push(sampleAt(all, at, filter));
      at += step;
    }
    const used = Math.max(0, Math.floor(at) - REACH);
    waiting = all.slice(used);
    at -= used;
    return Float32Array.from(output);
  };
}

/** One row of weights per phase; `cutoff` is the highest frequency kept, as a fraction of the input's. */
function filterTable(cutoff: number): Float32Array[] {
  return Array.from({ length: PHASES }, (_, phase) => {
    const row = new Float32Array(2 * REACH);
    let sum = 0;
    for (let tap = 0; tap < row.length; tap += 1) {
      const x = tap - (REACH - 1) - phase / PHASES;
      // A sinc with a Hann window.
      const sinc = x === 0 ? cutoff : Math.sin(Math.PI * x * cutoff) / (Math.PI * x);
      const weight = sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / (REACH + 1)));
      row[tap] = weight;
      sum += weight;
    }
    return row.map((weight) => weight / sum);
  });
}

function sampleAt(all: Float32Array, at: number, filter: readonly Float32Array[]): number {
  let index = Math.floor(at);
  let phase = Math.round((at - index) * PHASES);
  if (phase === PHASES) {
    phase = 0;
    index += 1;
  }
  const row = filter[phase];
  let sum = 0;
  for (let tap = 0; tap < 2 * REACH; tap += 1) {
    sum += (all[index - (REACH - 1) + tap] ?? 0) * (row?.[tap] ?? 0);
  }
  return sum;
}
