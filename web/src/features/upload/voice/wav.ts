/**
 * The format of a recording: WAV, 16-bit PCM, mono, at the sample rate of the rules. The length is unknown while
 * recording, so the header contains 0xFFFFFFFF; the server writes the true sizes when the length is declared.
 */
import { recordingConstraints } from "@/rules";

/** In hertz. */
export const SAMPLE_RATE = recordingConstraints().sampleRate;
export const BYTES_PER_SAMPLE = 2;
export const BYTES_PER_SECOND = SAMPLE_RATE * BYTES_PER_SAMPLE;
export const HEADER_BYTES = 44;

const UNKNOWN = 0xffff_ffff;

/** The header; without `dataBytes` (the bytes after it), that of a recording of unknown length. */
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

/** Duration in seconds of so many bytes of a recording, including the header. */
export function secondsOf(bytes: number): number {
  return Math.max(0, bytes - HEADER_BYTES) / BYTES_PER_SECOND;
}

/** Maximum length of a recording in bytes: whole samples within the `bytes` of an upload. */
export function longestRecording(bytes: number): number {
  return bytes - ((bytes - HEADER_BYTES) % BYTES_PER_SAMPLE);
}

/**
 * The bytes before the next sample of a recording with `end` bytes: the header or its rest, and a byte to complete a
 * sample that a lost connection has cut.
 */
export function bytesBeforeSound(end: number): Uint8Array<ArrayBuffer> {
  if (end < HEADER_BYTES) {
    return wavHeader().slice(end);
  }
  return new Uint8Array((end - HEADER_BYTES) % BYTES_PER_SAMPLE);
}
