/**
 * The form of a recording: WAV, PCM of 16 bit, one channel, at the sample rate of the rules. Its length is not known while
 * it runs, so the header says 0xFFFFFFFF; the server writes the true sizes when the length is declared.
 */
import { recordingConstraints } from "@/rules";

/** In hertz. */
export const SAMPLE_RATE = recordingConstraints().sampleRate;
export const BYTES_PER_SAMPLE = 2;
export const BYTES_PER_SECOND = SAMPLE_RATE * BYTES_PER_SAMPLE;
export const HEADER_BYTES = 44;

const UNKNOWN = 0xffff_ffff;

/** The header; without `dataBytes` (the bytes behind it) that of a recording whose length is still open. */
export function wavHeader(dataBytes?: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES));
  const text = (at: number, word: string) => {
    for (let i = 0; i < word.length; i += 1) {
      view.setUint8(at + i, word.charCodeAt(i));
    }
  };
  text(0, "RIFF");
  view.setUint32(4, dataBytes === undefined ? UNKNOWN : dataBytes + HEADER_BYTES - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  // PCM, one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, BYTES_PER_SECOND, true);
  view.setUint16(32, BYTES_PER_SAMPLE, true);
  view.setUint16(34, 8 * BYTES_PER_SAMPLE, true);
  text(36, "data");
  view.setUint32(40, dataBytes ?? UNKNOWN, true);
  return new Uint8Array(view.buffer);
}

/** Seconds of sound in so many bytes of a recording, its header among them. */
export function secondsOf(bytes: number): number {
  return Math.max(0, bytes - HEADER_BYTES) / BYTES_PER_SECOND;
}

/** Bytes of the longest recording: whole samples within the `bytes` that an upload may have. */
export function longestRecording(bytes: number): number {
  return bytes - ((bytes - HEADER_BYTES) % BYTES_PER_SAMPLE);
}

/**
 * What has to come before the next sample of a recording that has `end` bytes: the header or its rest, and a byte where a
 * broken connection has left half a sample.
 */
export function bytesBeforeSound(end: number): Uint8Array<ArrayBuffer> {
  if (end < HEADER_BYTES) {
    return wavHeader().slice(end);
  }
  return new Uint8Array((end - HEADER_BYTES) % BYTES_PER_SAMPLE);
}
