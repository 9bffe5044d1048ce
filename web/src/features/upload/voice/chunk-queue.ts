/**
 * What has been recorded and is not at the server yet, by its place in the file. Pieces that the browser's database has,
 * too, leave memory when there are many of them (the network may be away for an hour), and are read again when it is
 * their turn.
 */
import type { Span } from "./resume-plan";

/** Bytes of unsent sound that stay in memory: six minutes. */
const MEMORY_BYTES = 32 * 1024 * 1024;

interface Piece extends Span {
  /** Null when only the database has them. */
  bytes: Uint8Array<ArrayBuffer> | null;
  kept: boolean;
}

/** What can be sent in one request. */
export interface Batch {
  offset: number;
  length: number;
  parts: Uint8Array<ArrayBuffer>[];
}

/** Returns the bytes of a piece; null when the database has lost it. */
export type LoadPiece = (span: Span) => Promise<Uint8Array<ArrayBuffer> | null>;

export type ChunkQueue = ReturnType<typeof createChunkQueue>;

/**
 * `end`: bytes that the recording has so far; `acked`: those of them that the server has; `kept`: pieces between the two
 * that the database has.
 */
export function createChunkQueue(
  begin: { acked: number; end: number; kept: readonly Span[] },
  load: LoadPiece,
  memoryBytes = MEMORY_BYTES,
) {
  let pieces: Piece[] = begin.kept.map((span) => ({ ...span, bytes: null, kept: true }));
  let { acked, end } = begin;
  let inMemory = 0;

  const release = (piece: Piece) => {
    inMemory -= piece.bytes?.length ?? 0;
    piece.bytes = null;
  };

  return {
    /** Bytes of the recording. */
    end: () => end,
    /** Bytes that the server has. */
    acked: () => acked,
    pending: () => end - acked,

    /** Adds sound at the end, and says where that was. */
    push(bytes: Uint8Array<ArrayBuffer>): Span {
      const piece = { offset: end, length: bytes.length, bytes, kept: false };
      pieces.push(piece);
      end += bytes.length;
      inMemory += bytes.length;
      return { offset: piece.offset, length: piece.length };
    },

    /** The database has this piece. */
    noteKept({ offset }: Span) {
      const piece = pieces.find((one) => one.offset === offset);
      if (piece) {
        piece.kept = true;
        if (inMemory > memoryBytes) {
          // The newest goes: it is sent last.
          release(piece);
        }
      }
    },

    /** The server has everything before `offset`. */
    ack(offset: number) {
      acked = Math.max(acked, Math.min(offset, end));
      for (const piece of pieces) {
        if (endOf(piece) <= acked) {
          release(piece);
        }
      }
      pieces = pieces.filter((piece) => endOf(piece) > acked);
    },

    /** The server has less than it said before: what is kept of it is to be sent again. */
    rewind(offset: number, kept: readonly Span[]) {
      acked = offset;
      const here = new Set(pieces.map((piece) => piece.offset));
      const again = kept.filter((span) => endOf(span) > offset && !here.has(span.offset));
      pieces = [...again.map((span) => ({ ...span, bytes: null, kept: true })), ...pieces].sort((a, b) => a.offset - b.offset);
    },

    /** The next bytes to send, at most `most`; null when there are none, or when the next ones are lost. */
    async next(most: number): Promise<Batch | null> {
      const offset = acked;
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let at = offset;
      for (const piece of [...pieces]) {
        const room = offset + most - at;
        if (piece.offset > at || room <= 0) {
          break;
        }
        const bytes = endOf(piece) > at ? (piece.bytes ?? (await load(piece))) : new Uint8Array();
        if (bytes === null) {
          break;
        }
        const part = bytes.subarray(at - piece.offset, at - piece.offset + room);
        parts.push(part);
        at += part.length;
      }
      return at > offset ? { offset, length: at - offset, parts } : null;
    },
  };
}

function endOf({ offset, length }: Span): number {
  return offset + length;
}
