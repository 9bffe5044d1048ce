/** Recordings that were interrupted, here or on another device, and what can be done with them. */

import type { StoredRecording } from "./recording-database";
import { isWhole, planResume, type Span } from "./resume-plan";
import type { VoiceUpload } from "./voice-transfer";
import { HEADER_BYTES, secondsOf } from "./wav";

/** A recording stored in this browser. */
export interface LocalRecording extends StoredRecording {
  pieces: readonly Span[];
  /** Another tab is using it. */
  busy: boolean;
}

export interface Offer {
  /** The id in this browser, or else on the server. */
  id: string;
  uploadId: string | null;
  filename: string;
  /** In ms. */
  startedAt: number;
  /** Total length in bytes. */
  bytes: number;
  seconds: number;
  /** Sound can be added: the server does not know the length yet, or all pieces are here to be sent again. */
  open: boolean;
  busy: boolean;
  /** Null if nothing is stored in this browser. */
  kept: LocalRecording | null;
}

/** The newest first. `uploads` is null if the server is unreachable. */
export function findOffers(local: readonly LocalRecording[], uploads: readonly VoiceUpload[] | null): Offer[] {
  const mine = local.flatMap((recording) => offerOf(recording, uploads) ?? []);
  const known = new Set(local.map((recording) => recording.uploadId));
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

/** Null if nothing is left of it. */
function offerOf(recording: LocalRecording, uploads: readonly VoiceUpload[] | null): Offer | null {
  const { id, uploadId, filename, startedAt, busy, pieces } = recording;
  const upload = uploads?.find((candidate) => candidate.id === uploadId);
  const isRemoved = uploads !== null && uploadId !== null && !upload;
  const stored = upload?.stored ?? (isRemoved || uploadId === null ? 0 : recording.acked);
  const { end } = planResume(stored, pieces);
  const size = upload?.size ?? null;
  // Its length was declared here, and it was continued afterwards: it is longer than its upload.
  const isDeclared = size !== null && size === recording.declared && isWhole(pieces, Math.max(size, end));
  const bytes = size === null || isDeclared ? end : size;
  if (isRemoved && !busy && !isWhole(pieces, bytes)) {
    return null;
  }
  return {
    id,
    uploadId: isRemoved ? null : uploadId,
    filename,
    startedAt,
    bytes,
    seconds: secondsOf(bytes),
    open: size === null || isDeclared,
    busy,
    kept: recording,
  };
}

/** Recordings whose upload is gone from the server, and of which this browser has too little. */
export function findLostRecordings(local: readonly LocalRecording[], offers: readonly Offer[]): LocalRecording[] {
  const offered = new Set(offers.map(({ id }) => id));
  return local.filter(({ id, busy }) => !busy && !offered.has(id));
}
