/**
 * Streams of frames without an index (mp3, ADTS, FLAC): to find the frame of a time, all before it would have to be read.
 * So a piece is cut out of the middle of the file instead, and read as a small file of its own.
 */
import { ADTS, FLAC, type InputFormat, MP3 } from "mediabunny";
import { flacTime } from "../flac-time";
import { measureBeginning } from "./loudness";
import { open } from "./open";

/** Bytes of a piece: some frames of the thinnest speech, some of the fattest FLAC. */
const MIN_PIECE = 16 * 1024;
const MAX_PIECE = 512 * 1024;
/** A sign that looks like the beginning of a frame may be chance; so many are tried. */
const MAX_TRIES = 12;
/** `fLaC`, the header of the first block, and the block that describes the stream. */
const FLAC_HEADER = 42;

interface Framing {
  format: InputFormat;
  /** The bits of the first two bytes of a frame that are always the same. */
  mask: number;
  sign: number;
}

const FRAMINGS: Framing[] = [
  { format: MP3, mask: 0xffe0, sign: 0xffe0 },
  { format: ADTS, mask: 0xfff6, sign: 0xfff0 },
  { format: FLAC, mask: 0xfffe, sign: 0xfff8 },
];

/** How the frames of this format can be found; null where it has an index, or where nobody knows. */
export const framingOf = (format: InputFormat): Framing | null => FRAMINGS.find((framing) => framing.format === format) ?? null;

export interface Piece {
  /** Mean loudness. */
  loudness: number;
  /** Where it really begins, in seconds; null where its frames do not say. */
  start: number | null;
}

/** About `seconds` at `position`, in bytes. `rate` is the file's bytes a second. */
export async function measurePiece(
  file: Blob,
  framing: Framing,
  position: number,
  seconds: number,
  rate: number,
): Promise<Piece | null> {
  const length = Math.min(MAX_PIECE, Math.max(MIN_PIECE, Math.ceil(rate * seconds * 1.5)));
  const piece = new Uint8Array(await file.slice(position, position + length).arrayBuffer());
  const head = framing.format === FLAC ? await flacHeader(file) : null;
  let tries = MAX_TRIES;
  for (let at = 0; at + 1 < piece.length && tries > 0; at++) {
    const sign = ((piece[at] ?? 0) << 8) | (piece[at + 1] ?? 0);
    if ((sign & framing.mask) !== framing.sign) continue;
    tries -= 1;
    const frames = piece.subarray(at);
    const loudness = await measureFrames(new Blob(head ? [head, frames] : [frames]), framing, seconds);
    if (loudness !== null) return { loudness, start: head && flacTime(head, frames) };
  }
  return null;
}

async function measureFrames(piece: Blob, { format }: Framing, seconds: number): Promise<number | null> {
  const input = open(piece, [format]);
  try {
    const [track] = await input.getAudioTracks();
    return track ? await measureBeginning(track, seconds) : null;
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

/** The header of the file with nothing after it but frames. */
async function flacHeader(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(await file.slice(0, FLAC_HEADER).arrayBuffer());
  head[4] = (head[4] ?? 0) | 0x80;
  return head;
}
