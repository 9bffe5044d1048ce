/**
 * The upload that a recording is sent to, and its known state. A declared length is final: a recording that is
 * continued afterwards, or whose upload is gone from the server, gets another upload, from its first byte.
 */
import type { ChunkQueue } from "./chunk-queue";
import type { AppendRequest, VoiceTransfer } from "./voice-transfer";

/** The same recording was appended to from elsewhere. */
export class AppendedElsewhereError extends Error {}

export interface TargetParts {
  transfer: VoiceTransfer;
  queue: ChunkQueue;
  /** Returns the pieces of this recording that are stored here. */
  kept: () => Promise<readonly { offset: number; length: number }[]>;
  /** Whether everything from the first byte is stored here. */
  whole: () => Promise<boolean>;
  filename: string;
  events: {
    /** An upload was created for it. */
    onUpload: (id: string) => void;
    /** This length is about to be declared. */
    onDeclare: (length: number) => void;
    onAcked: () => void;
  };
}

export interface KnownTarget {
  uploadId: string | null;
  /** The last declared length, whether or not the server got it. */
  declared: number | null;
  /** Whether the queue matches what the server has just reported. */
  sure: boolean;
}

/** All functions with requests throw the errors of the transfer. */
export function createTarget(parts: TargetParts, begin: KnownTarget, signal: AbortSignal) {
  const { transfer, queue, events } = parts;
  let { uploadId, sure } = begin;
  /** The last declared length: the server may have got it even without a response. */
  let requestedLength = begin.declared;
  /** The length known to the server; null if unknown. */
  let knownLength: number | null = null;
  /** An upload that was replaced by another one. */
  let former: string | null = null;
  let createdCount = 0;

  const create = async () => {
    uploadId = await transfer.create(parts.filename, signal);
    createdCount += 1;
    knownLength = requestedLength = null;
    sure = true;
    events.onUpload(uploadId);
    if (former !== null) {
      // If it cannot be removed now, it expires on the server.
      void transfer.remove(former, false).catch(() => {});
      former = null;
    }
    return uploadId;
  };

  /** Asks the server for the offset, and adjusts the queue. */
  const compare = async (id: string) => {
    const { stored, length } = await transfer.look(id, signal);
    // A length declared here can be shorter than the recording, if it was continued afterwards.
    if (stored > queue.end() || (length !== null && length !== queue.end() && length !== requestedLength)) {
      throw new AppendedElsewhereError();
    }
    if (stored < queue.acked()) {
      queue.rewind(stored, await parts.kept());
    } else {
      queue.ack(stored);
    }
    knownLength = requestedLength = length;
    sure = true;
    events.onAcked();
  };

  const append = async (id: string, at: AppendRequest) => {
    // Until the response arrives, the server's state is unknown.
    sure = false;
    queue.ack(await transfer.append(id, at, signal));
    sure = true;
    events.onAcked();
  };

  const target = {
    uploadId: () => uploadId,
    /** Number of uploads created since the reader's last action. */
    made: () => createdCount,
    forgetMade() {
      createdCount = 0;
    },
    /** The server must be asked before anything is sent. */
    doubt() {
      sure = false;
    },

    /** Everything is sent, and the server knows the length. */
    complete: () => knownLength === queue.end() && queue.pending() === 0,
    /** Whether sound can still be added: the server cannot know the length, or all pieces are here to be sent again. */
    extendable: async () => requestedLength === null || (await parts.whole()),

    /** Returns the id of an upload that accepts the next bytes. */
    async ready(): Promise<string> {
      const id = uploadId ?? (await create());
      if (!sure) {
        await compare(id);
      }
      if (knownLength === null || knownLength === queue.end()) {
        return id;
      }
      if (!(await parts.whole())) {
        throw new AppendedElsewhereError();
      }
      former = id;
      await target.leave();
      return create();
    },

    append: (id: string, { offset, parts: bytes }: AppendRequest) => append(id, { offset, parts: bytes }),

    async declare(id: string) {
      const length = queue.end();
      requestedLength = length;
      events.onDeclare(length);
      await append(id, { offset: length, parts: [], total: length });
      knownLength = length;
    },

    /** The next upload gets everything, from the first byte. */
    async leave() {
      queue.rewind(0, await parts.kept());
      uploadId = null;
      events.onAcked();
    },
  };
  return target;
}
