/** Geometry of the illustration used in several places: a voice as bars, and a text as dashes for words. */

export interface Dash {
  x: number;
  width: number;
  line: number;
}

/** Heights from 0.1 to 1 that look like speech: words of a few bars, with pauses. Deterministic for a seed. */
export function voiceBars(count: number, seed = 1): number[] {
  const random = randomFrom(seed);
  const bars: number[] = [];
  while (bars.length < count) {
    const length = 3 + Math.floor(random() * 7);
    const loudness = 0.4 + 0.6 * random();
    for (let i = 0; i < length; i++) {
      const swell = Math.sin((Math.PI * (i + 0.6)) / (length + 0.2)) ** 0.8;
      bars.push(Math.max(0.1, loudness * swell * (0.7 + 0.3 * random())));
    }
    if (random() < 0.6) bars.push(0.1);
  }
  const loudest = Math.max(...bars.slice(0, count));
  return bars.slice(0, count).map((height) => height / loudest);
}

/** Words as dashes over `lines` lines of the given width, ragged at the right edge. */
export function wordDashes(lines: number, width: number, seed = 1, ragged = 0.3): Dash[] {
  const random = randomFrom(seed);
  const dashes: Dash[] = [];
  for (let line = 0; line < lines; line++) {
    const end = width * (1 - ragged * random());
    let x = 0;
    while (x < end - 4) {
      const word = Math.min(end - x, 6 + Math.round(random() * 18));
      dashes.push({ x, width: word, line });
      x += word + 4;
    }
  }
  return dashes;
}

/** The generator mulberry32, because `Math.random` cannot be seeded. */
function randomFrom(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
