/** Where a time is in a file whose bytes are not spread evenly over its duration. */

interface Anchor {
  /** Seconds. */
  time: number;
  /** Bytes. */
  position: number;
}

/** Knows both ends, and learns of places between them; each makes the next guess better. `duration` in seconds, above 0. */
export function anchors(duration: number, size: number) {
  const known: Anchor[] = [
    { time: 0, position: 0 },
    { time: duration, position: size },
  ];
  return {
    /** The likely place of a time, in bytes; `halve` takes the middle of where it can be, for what is spread very unevenly. */
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
    /** What was found there. A place that contradicts the order of the others teaches nothing. */
    learn(time: number, position: number): void {
      const after = known.findIndex((anchor) => anchor.time > time);
      const [from, to] = [known[after - 1], known[after]];
      if (from && to && time > from.time && position > from.position && position < to.position) {
        known.splice(after, 0, { time, position });
      }
    },
  };
}
