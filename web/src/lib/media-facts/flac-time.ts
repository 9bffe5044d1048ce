/** The time of a FLAC frame, which is part of the frame's header (RFC 9639, 9.1). Other formats without index lack it. */

/**
 * Seconds from the start of the recording. `head`: the first 42 bytes of the file; `frame`: bytes that start with a frame.
 * Null if either is damaged.
 */
export function flacTime(head: Uint8Array, frame: Uint8Array): number | null {
  const blockSize = byte(head, 8) * 256 + byte(head, 9);
  const sampleRate = (byte(head, 18) << 12) | (byte(head, 19) << 4) | (byte(head, 20) >> 4);
  const number = codedNumber(frame.subarray(4));
  if (number === null || sampleRate === 0) {
    return null;
  }
  const countsSamples = (byte(frame, 1) & 1) === 1;
  return (countsSamples ? number : number * blockSize) / sampleRate;
}

/** Decodes a number in the encoding of UTF-8, extended to seven bytes. */
function codedNumber(bytes: Uint8Array): number | null {
  const first = byte(bytes, 0);
  if (first < 0x80) {
    return first;
  }
  const ones = Math.clz32(~(first << 24));
  if (ones < 2 || ones > 7) {
    return null;
  }
  let number = first & (0x7f >> ones);
  for (let at = 1; at < ones; at++) {
    const next = bytes[at] ?? 0;
    if ((next & 0xc0) !== 0x80) return null;
    // Up to 36 bits; bitwise operators work with 32.
    number = number * 64 + (next & 0x3f);
  }
  return number;
}

const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;
