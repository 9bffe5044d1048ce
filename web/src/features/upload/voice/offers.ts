/** Recordings that were broken off, here or on another device: what can be made of them. */
import { isWhole, planResume, type Span } from "./resume-plan";
import type { KeptRecording } from "./voice-shelf";
import type { VoiceUpload } from "./voice-transfer";
import { HEADER_BYTES, secondsOf } from "./wav";

/** A recording in this browser. */
export interface KeptHere extends KeptRecording {
  pieces: readonly Span[];
  /** Another tab has it in hand. */
  busy: boolean;
}

export interface Offer {
  /** Of this browser where it has it, else of the server. */
  id: string;
  uploadId: string | null;
  filename: string;
  /** In ms. */
  startedAt: number;
  /** Bytes that there are in all. */
  bytes: number;
  seconds: number;
  /** Sound can be added: the server does not know its length yet, or all of it is here to be sent anew. */
  open: boolean;
  busy: boolean;
  /** Null when this browser has nothing of it. */
  kept: KeptHere | null;
}

/** The newest first. `uploads` is null when the server cannot be asked. */
export function findOffers(here: readonly KeptHere[], uploads: readonly VoiceUpload[] | null): Offer[] {
  const mine = here.flatMap((kept) => offerOf(kept, uploads) ?? []);
  const known = new Set(here.map((kept) => kept.uploadId));
  const elsewhere = (uploads ?? [])
    .filter((upload) => !known.has(upload.id))
    .map((upload) => ({
      id: upload.id,
      uploadId: upload.id,
      filename: upload.filename,
      startedAt: upload.startedAt,
      bytes: upload.stored,
      seconds: secondsOf(upload.stored),
      open: upload.size === null,
      busy: false,
      kept: null,
    }));
  return [...mine, ...elsewhere]
    .filter(({ bytes, busy }) => bytes > HEADER_BYTES || busy)
    .sort((a, b) => b.startedAt - a.startedAt);
}

/** Null when nothing is left of it. */
function offerOf(kept: KeptHere, uploads: readonly VoiceUpload[] | null): Offer | null {
  const { id, uploadId, filename, startedAt, busy, pieces } = kept;
  const upload = uploads?.find((one) => one.id === uploadId);
  const gone = uploads !== null && uploadId !== null && !upload;
  const stored = upload?.stored ?? (gone || uploadId === null ? 0 : kept.acked);
  const { end } = planResume(stored, pieces);
  const size = upload?.size ?? null;
  // Declared here, and then gone on with: it is more than its upload.
  const ours = size !== null && size === kept.declared && isWhole(pieces, Math.max(size, end));
  const bytes = size === null || ours ? end : size;
  if (gone && !busy && !isWhole(pieces, bytes)) {
    return null;
  }
  return {
    id,
    uploadId: gone ? null : uploadId,
    filename,
    startedAt,
    bytes,
    seconds: secondsOf(bytes),
    open: size === null || ours,
    busy,
    kept,
  };
}

/** Those whose upload the server has no more, and of which this browser has too little. */
export function findRemains(here: readonly KeptHere[], offers: readonly Offer[]): KeptHere[] {
  const offered = new Set(offers.map(({ id }) => id));
  return here.filter(({ id, busy }) => !busy && !offered.has(id));
}
