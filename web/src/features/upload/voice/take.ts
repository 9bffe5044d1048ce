/**
 * One recording, from its first sample until it is used: collects sound into pieces, stores them in the browser and
 * has them sent. Independent of microphones and of the page.
 */
import { createChunkQueue } from "./chunk-queue";
import { isWhole, planResume, type Span } from "./resume-plan";
import { createSender, type SenderParts } from "./sender";
import type { KeptRecording, VoiceShelf } from "./voice-shelf";
import type { VoiceTransfer } from "./voice-transfer";
import { BYTES_PER_SECOND, bytesBeforeSound, secondsOf, wavHeader } from "./wav";

/** A piece is a second: with the pause before the disk has it, far less than five seconds can be lost. */
const PIECE_BYTES = BYTES_PER_SECOND;
/** Pieces that are put together for the player before the next ones are read: 5 MB. */
const PLAYED_AT_ONCE = 64;

export interface TakeParts {
  shelf: VoiceShelf;
  transfer: VoiceTransfer;
  wait: SenderParts["wait"];
  /** Bytes of the longest recording, as the server takes it when a recording begins. */
  most: () => number;
}

export interface TakeEvents {
  /** Bytes of the recording, or those that the server has, are others now. */
  onChange: () => void;
  onWaiting: (error: unknown) => void;
  onFailed: (error: unknown) => void;
  /** The browser keeps no copy; it says so once. */
  onNotKept: () => void;
}

export type Take = ReturnType<typeof createTake>;

/** `kept` are the pieces that this browser has of it, `stored` what the server has as far as is known. */
export function createTake(
  parts: TakeParts,
  recording: KeptRecording,
  known: { stored: number; kept: readonly Span[]; sure: boolean },
  events: TakeEvents,
) {
  const { shelf } = parts;
  const most = parts.most();
  const plan = planResume(known.stored, known.kept);
  const queue = createChunkQueue({ ...plan, kept: plan.unsent }, (span) => shelf.read(recording.id, span).catch(() => null));
  const now = { ...recording };
  let gathered: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let notKept = false;
  let closed = false;

  const write = (act: () => Promise<void>): Promise<boolean> => {
    const done = writing.then(act).then(
      () => true,
      () => {
        if (!notKept) {
          notKept = true;
          events.onNotKept();
        }
        return false;
      },
    );
    writing = done;
    return done;
  };

  const kept = () => shelf.spans(now.id).catch(() => []);

  const sender = createSender(
    {
      transfer: parts.transfer,
      queue,
      kept,
      whole: async () => {
        // What comes while this is looked up is in memory.
        const end = queue.end();
        await writing;
        return !notKept && isWhole(await kept(), end);
      },
      wait: parts.wait,
      filename: now.filename,
      events: {
        onUpload: (uploadId) => {
          now.uploadId = uploadId;
          now.acked = 0;
          now.declared = null;
          void write(() => shelf.save({ ...now }));
        },
        onDeclare: (length) => {
          now.declared = length;
          void write(() => shelf.save({ ...now }));
        },
        onAcked: () => {
          now.acked = queue.acked();
          events.onChange();
        },
        onWaiting: events.onWaiting,
        onFailed: events.onFailed,
      },
    },
    { uploadId: now.uploadId, declared: now.declared, sure: known.sure },
  );

  const addPiece = (bytes: Uint8Array<ArrayBuffer>) => {
    if (bytes.length === 0) {
      return;
    }
    const span = queue.push(bytes);
    void write(() => shelf.put(now.id, span.offset, bytes)).then((isKept) => isKept && queue.noteKept(span));
  };

  const gather = () => {
    addPiece(joined(gathered, waiting));
    gathered = [];
    waiting = 0;
  };

  const bytes = () => queue.end() + waiting;

  return {
    id: now.id,
    filename: now.filename,
    startedAt: now.startedAt,
    uploadId: sender.uploadId,
    /** Bytes of the recording with its header; before its first sample they may be none. */
    bytes,
    /** Bytes that the server has. */
    acked: queue.acked,
    seconds: () => secondsOf(bytes()),
    /** Seconds until it is as long as it may be. */
    secondsLeft: () => (most - bytes()) / BYTES_PER_SECOND,

    /** Sound is about to come: notes the recording, and what has to stand before it. */
    open(): void {
      void write(() => shelf.save({ ...now }));
      addPiece(bytesBeforeSound(queue.end()));
    },

    /** Adds sound; false when there is no room for all of it. */
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

    /** Nothing more comes for now: keeps and sends what there is. */
    rest(): void {
      gather();
      sender.hurry();
    },

    /** Sends the rest, and tells the server that this was all. Rejects when that failed for good. */
    finish(): Promise<string> {
      gather();
      return sender.finish();
    },

    callOff: sender.callOff,
    extendable: sender.extendable,
    retry: sender.retry,

    /** The whole recording for the player; null when not all of it is here. */
    async play(): Promise<Blob | null> {
      // What is gathered counts, too; what comes later is another file.
      gather();
      const end = queue.end();
      await writing;
      return assemble(shelf, now.id, await kept(), end);
    },

    /** Stops, and keeps what it has. With `prune` only what the server does not have. */
    async close(prune = false): Promise<void> {
      if (closed) {
        return;
      }
      closed = true;
      sender.stop();
      gather();
      await write(() => shelf.save({ ...now }));
      if (prune) {
        await write(() => shelf.prune(now.id, now.acked));
      }
    },
  };
}

/** A file that a player understands: the true sizes, and the sound of all pieces. */
async function assemble(shelf: VoiceShelf, id: string, kept: readonly Span[], end: number): Promise<Blob | null> {
  const header = wavHeader(end - wavHeader().length);
  if (end <= header.length || !isWhole(kept, end)) {
    return null;
  }
  let file = new Blob([header]);
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let at = header.length;
  for (const span of planResume(0, kept).unsent) {
    const bytes = await shelf.read(id, span).catch(() => null);
    if (bytes === null) {
      return null;
    }
    const part = bytes.subarray(Math.max(0, at - span.offset), end - span.offset);
    parts.push(part);
    at += part.length;
    if (parts.length === PLAYED_AT_ONCE) {
      // The browser may put a blob on the disk; five hundred megabytes of arrays it may not.
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
