/**
 * One recording, from its first sample until it is used: collects sound into pieces, stores them in the browser and
 * has them sent. Independent of microphones and of the page.
 */
import { createChunkQueue } from "./chunk-queue";
import type { RecordingDatabase, StoredRecording } from "./recording-database";
import { isWhole, planResume, type Span } from "./resume-plan";
import { createSender, type SenderParts } from "./sender";
import type { VoiceTransfer } from "./voice-transfer";
import { BYTES_PER_SECOND, bytesBeforeSound, secondsOf, wavHeader } from "./wav";

/** A piece is a second: including the delay until it is on the disk, far less than five seconds can be lost. */
const PIECE_BYTES = BYTES_PER_SECOND;
/** Number of pieces that the player joins before the next ones are read: 5 MB. */
const PLAYED_AT_ONCE = 64;

export interface TakeParts {
  database: RecordingDatabase;
  transfer: VoiceTransfer;
  wait: SenderParts["wait"];
  /** Maximum length of a recording in bytes, as accepted by the server when it starts. */
  most: () => number;
}

export interface TakeEvents {
  /** The length, or the number of bytes on the server, has changed. */
  onChange: () => void;
  onWaiting: (error: unknown) => void;
  onFailed: (error: unknown) => void;
  /** The browser cannot store a copy; called once. */
  onNotKept: () => void;
}

export type Take = ReturnType<typeof createTake>;

/** `kept` are the pieces in this browser, `stored` the bytes on the server as far as known. */
export function createTake(
  parts: TakeParts,
  recording: StoredRecording,
  known: { stored: number; kept: readonly Span[]; sure: boolean },
  events: TakeEvents,
) {
  const { database } = parts;
  const most = parts.most();
  const plan = planResume(known.stored, known.kept);
  const queue = createChunkQueue({ ...plan, kept: plan.unsent }, (span) => database.read(recording.id, span).catch(() => null));
  const current = { ...recording };
  let gathered: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let storeFailed = false;
  let closed = false;

  const write = (act: () => Promise<void>): Promise<boolean> => {
    const written = writing.then(act).then(
      () => true,
      () => {
        if (!storeFailed) {
          storeFailed = true;
          events.onNotKept();
        }
        return false;
      },
    );
    writing = written;
    return written;
  };

  const storedSpans = () => database.spans(current.id).catch(() => []);

  const sender = createSender(
    {
      transfer: parts.transfer,
      queue,
      kept: storedSpans,
      whole: async () => {
        // Sound that arrives during this lookup is in memory.
        const end = queue.end();
        await writing;
        return !storeFailed && isWhole(await storedSpans(), end);
      },
      wait: parts.wait,
      filename: current.filename,
      events: {
        onUpload: (uploadId) => {
          current.uploadId = uploadId;
          current.acked = 0;
          current.declared = null;
          void write(() => database.save({ ...current }));
        },
        onDeclare: (length) => {
          current.declared = length;
          void write(() => database.save({ ...current }));
        },
        onAcked: () => {
          current.acked = queue.acked();
          events.onChange();
        },
        onWaiting: events.onWaiting,
        onFailed: events.onFailed,
      },
    },
    { uploadId: current.uploadId, declared: current.declared, sure: known.sure },
  );

  const addPiece = (bytes: Uint8Array<ArrayBuffer>) => {
    if (bytes.length === 0) {
      return;
    }
    const span = queue.push(bytes);
    void write(() => database.put(current.id, span.offset, bytes)).then((isStored) => isStored && queue.noteKept(span));
  };

  const gather = () => {
    addPiece(joined(gathered, waiting));
    gathered = [];
    waiting = 0;
  };

  const bytes = () => queue.end() + waiting;

  return {
    id: current.id,
    filename: current.filename,
    startedAt: current.startedAt,
    uploadId: sender.uploadId,
    /** Length in bytes, including the header; may be 0 before the first sample. */
    bytes,
    /** Bytes on the server. */
    acked: queue.acked,
    seconds: () => secondsOf(bytes()),
    /** Seconds until the maximum length. */
    secondsLeft: () => (most - bytes()) / BYTES_PER_SECOND,

    /** Called before the first sound: stores the recording, and adds the bytes before its first sample. */
    open(): void {
      void write(() => database.save({ ...current }));
      addPiece(bytesBeforeSound(queue.end()));
    },

    /** Adds sound; false if there is no room for all of it. */
    add(pcm: Uint8Array<ArrayBuffer>): boolean {
      const room = Math.max(0, most - bytes());
      const part = pcm.length > room ? pcm.slice(0, room) : pcm;
      gathered.push(part);
      waiting += part.length;
      if (waiting >= PIECE_BYTES || bytes() >= most) {
        gather();
        sender.wake();
      }
      return bytes() < most;
    },

    /** No more sound for now: stores and sends what there is. */
    rest(): void {
      gather();
      sender.hurry();
    },

    /** Sends the rest and declares the length. Rejects on a permanent failure. */
    finish(): Promise<string> {
      gather();
      return sender.finish();
    },

    callOff: sender.callOff,
    extendable: sender.extendable,
    retry: sender.retry,

    /** The whole recording for the player; null if it is not complete here. */
    async play(): Promise<Blob | null> {
      // Includes sound collected so far; later sound is not part of this file.
      gather();
      const end = queue.end();
      await writing;
      return assemble(database, current.id, await storedSpans(), end);
    },

    /** Stops, and keeps what is stored. With `prune`, only what is not on the server. */
    async close(prune = false): Promise<void> {
      if (closed) {
        return;
      }
      closed = true;
      sender.stop();
      gather();
      await write(() => database.save({ ...current }));
      if (prune) {
        await write(() => database.prune(current.id, current.acked));
      }
    },
  };
}

/** A playable file: with the true sizes, and the sound of all pieces. */
async function assemble(database: RecordingDatabase, id: string, spans: readonly Span[], end: number): Promise<Blob | null> {
  const header = wavHeader(end - wavHeader().length);
  if (end <= header.length || !isWhole(spans, end)) {
    return null;
  }
  let file = new Blob([header]);
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let at = header.length;
  for (const span of planResume(0, spans).unsent) {
    const bytes = await database.read(id, span).catch(() => null);
    if (bytes === null) {
      return null;
    }
    const part = bytes.subarray(Math.max(0, at - span.offset), end - span.offset);
    parts.push(part);
    at += part.length;
    if (parts.length === PLAYED_AT_ONCE) {
      // The browser may store a blob on the disk, but not 500 MB of arrays.
      file = new Blob([file, ...parts]);
      parts = [];
    }
  }
  return new Blob([file, ...parts], { type: "audio/wav" });
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
