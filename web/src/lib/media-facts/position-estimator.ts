/** Estimates the byte position of a time in a file of variable bit rate, by interpolation between known positions. */

interface Anchor {
  /** Seconds. */
  time: number;
  /** Bytes. */
  position: number;
}

/** Starts with both ends; each learned position improves the estimates. `duration` in seconds, above 0; `size` in bytes. */
export function createPositionEstimator(duration: number, size: number) {
  const known: Anchor[] = [
    { time: 0, position: 0 },
    { time: duration, position: size },
  ];
  return {
    /** The estimated position in bytes; `halve` bisects the interval instead, for a very uneven distribution. */
    guess(time: number, halve = false): number {
      const after = Math.max(
        1,
        known.findIndex((anchor) => anchor.time > time),
      );
      const [from, to] = [known[after - 1], known[after]];
      if (!from || !to) return 0;
      const share = halve ? 0.5 : (time - from.time) / (to.time - from.time);
      return Math.floor(from.position + share * (to.position - from.position));
    },
    /** Records the time found at a position. Ignored if it contradicts the order of the known ones. */
    learn(time: number, position: number): void {
      const after = known.findIndex((anchor) => anchor.time > time);
      const [from, to] = [known[after - 1], known[after]];
      if (from && to && time > from.time && position > from.position && position < to.position) {
        known.splice(after, 0, { time, position });
      }
    },
  };
}
