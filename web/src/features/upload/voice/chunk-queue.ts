/**
 * Recorded pieces that are not on the server yet, by their position in the file. Pieces that are also in IndexedDB are
 * removed from memory if there are many (the network may be down for an hour), and are loaded again when needed.
 */
import type { Span } from "./resume-plan";

/** Maximum unsent sound in memory, in bytes: six minutes. */
const MEMORY_BYTES = 32 * 1024 * 1024;

interface Piece extends Span {
  /** Null if only in IndexedDB. */
  bytes: Uint8Array<ArrayBuffer> | null;
  kept: boolean;
}

/** The bytes of one request. */
export interface Batch {
  offset: number;
  length: number;
  parts: Uint8Array<ArrayBuffer>[];
}

/** Returns the bytes of a piece; null if IndexedDB has lost it. */
export type LoadPiece = (span: Span) => Promise<Uint8Array<ArrayBuffer> | null>;

export type ChunkQueue = ReturnType<typeof createChunkQueue>;

/** `end`: length of the recording in bytes; `acked`: bytes on the server; `kept`: pieces between these in IndexedDB. */
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
    /** Length of the recording in bytes. */
    end: () => end,
    /** Bytes on the server. */
    acked: () => acked,
    pending: () => end - acked,

    /** Appends sound, and returns its position. */
    push(bytes: Uint8Array<ArrayBuffer>): Span {
      const piece = { offset: end, length: bytes.length, bytes, kept: false };
      pieces.push(piece);
      end += bytes.length;
      inMemory += bytes.length;
      return { offset: piece.offset, length: piece.length };
    },

    /** The piece has been stored in IndexedDB. */
    noteKept({ offset }: Span) {
      const piece = pieces.find((candidate) => candidate.offset === offset);
      if (piece) {
        piece.kept = true;
        if (inMemory > memoryBytes) {
          // The newest piece, which is sent last.
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

    /** The server has less than before: the stored pieces must be sent again. */
    rewind(offset: number, stored: readonly Span[]) {
      acked = offset;
      const present = new Set(pieces.map((piece) => piece.offset));
      const resent = stored.filter((span) => endOf(span) > offset && !present.has(span.offset));
      pieces = [...resent.map((span) => ({ ...span, bytes: null, kept: true })), ...pieces].sort((a, b) => a.offset - b.offset);
    },

    /** The next bytes to send, at most `most`; null if there are none, or if they are lost. */
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
