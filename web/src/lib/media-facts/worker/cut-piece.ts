/**
 * Reads pieces of formats without an index (MP3, ADTS, FLAC), where finding the frame of a time would mean reading
 * everything before it. Instead, bytes from the middle of the file are decoded as a small file of their own.
 */
import { ADTS, FLAC, type InputFormat, MP3 } from "mediabunny";
import { flacTime } from "../flac-time";
import { measureBeginning } from "./loudness";
import { open } from "./open";

/** Size of a piece in bytes: some frames even of FLAC with the highest bit rate. */
const MIN_PIECE = 16 * 1024;
const MAX_PIECE = 512 * 1024;
/** Bytes that look like the start of a frame may occur by chance; this many are tried. */
const MAX_TRIES = 12;
/** Length of `fLaC`, the header of the first metadata block, and the STREAMINFO block, in bytes. */
const FLAC_HEADER = 42;

interface Framing {
  format: InputFormat;
  /** The constant bits in the first two bytes of a frame. */
  mask: number;
  sign: number;
}

const FRAMINGS: Framing[] = [
  { format: MP3, mask: 0xffe0, sign: 0xffe0 },
  { format: ADTS, mask: 0xfff6, sign: 0xfff0 },
  { format: FLAC, mask: 0xfffe, sign: 0xfff8 },
];

/** How to find frames of this format; null if it has an index or is not supported here. */
export const framingOf = (format: InputFormat): Framing | null => FRAMINGS.find((framing) => framing.format === format) ?? null;

export interface Piece {
  /** Mean loudness. */
  loudness: number;
  /** The actual start in seconds; null if the frames do not contain it. */
  start: number | null;
}

/** Measures about `seconds` from the byte `position`. `rate`: bytes per second of the file. */
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

/** The header of the file, marked as having no further metadata blocks. */
async function flacHeader(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(await file.slice(0, FLAC_HEADER).arrayBuffer());
  head[4] = (head[4] ?? 0) | 0x80;
  return head;
}
