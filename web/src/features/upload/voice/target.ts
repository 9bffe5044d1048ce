/**
 * The upload that a recording is sent to, and what is known of it. A length that was declared is for good: a recording that
 * goes on after that, or whose upload the server has let go of, gets another upload, from its first byte on.
 */
import type { ChunkQueue } from "./chunk-queue";
import type { Appending, VoiceTransfer } from "./voice-transfer";

/** The same recording was appended to from another place. */
export class TakenElsewhere extends Error {}

export interface TargetParts {
  transfer: VoiceTransfer;
  queue: ChunkQueue;
  /** Returns the pieces of this recording that are stored here. */
  kept: () => Promise<readonly { offset: number; length: number }[]>;
  /** Whether everything from the first byte on is kept here. */
  whole: () => Promise<boolean>;
  filename: string;
  events: {
    /** An upload has been created for it. */
    onUpload: (id: string) => void;
    /** This length is about to be declared. */
    onDeclare: (length: number) => void;
    onAcked: () => void;
  };
}

export interface KnownTarget {
  uploadId: string | null;
  /** The length that was declared of it last, whether or not that arrived. */
  declared: number | null;
  /** The queue has just been made by what the server said. */
  sure: boolean;
}

/** Every function that asks the server throws what its transfer throws. */
export function createTarget(parts: TargetParts, begin: KnownTarget, signal: AbortSignal) {
  const { transfer, queue, events } = parts;
  let { uploadId, sure } = begin;
  /** The length in the last request that declared one: it may have arrived though no answer came. */
  let asked = begin.declared;
  /** The length as the server knows it; null while it does not. */
  let told: number | null = null;
  /** An upload that another one stands in for. */
  let former: string | null = null;
  let made = 0;

  const create = async () => {
    uploadId = await transfer.create(parts.filename, signal);
    made += 1;
    told = asked = null;
    sure = true;
    events.onUpload(uploadId);
    if (former !== null) {
      // What cannot be removed now expires on the server.
      void transfer.remove(former, false).catch(() => {});
      former = null;
    }
    return uploadId;
  };

  /** Asks what the server has, and makes the queue agree with it. */
  const compare = async (id: string) => {
    const { stored, length } = await transfer.look(id, signal);
    // A length that was declared here can be shorter than what there is: the recording went on after that.
    if (stored > queue.end() || (length !== null && length !== queue.end() && length !== asked)) {
      throw new TakenElsewhere();
    }
    if (stored < queue.acked()) {
      queue.rewind(stored, await parts.kept());
    } else {
      queue.ack(stored);
    }
    told = asked = length;
    sure = true;
    events.onAcked();
  };

  const append = async (id: string, at: Appending) => {
    // Until the answer is there nobody knows what the server has.
    sure = false;
    queue.ack(await transfer.append(id, at, signal));
    sure = true;
    events.onAcked();
  };

  const target = {
    uploadId: () => uploadId,
    /** Uploads that were made for it since the reader asked for something last. */
    made: () => made,
    forgetMade() {
      made = 0;
    },
    /** The server is to be asked before anything is sent. */
    doubt() {
      sure = false;
    },

    /** Everything is there, and its length is known. */
    complete: () => told === queue.end() && queue.pending() === 0,
    /** Whether sound can still be added: the server cannot know the length, or all of it is here to be sent anew. */
    extendable: async () => asked === null || (await parts.whole()),

    /** Returns the id of an upload that accepts the next bytes. */
    async ready(): Promise<string> {
      const id = uploadId ?? (await create());
      if (!sure) {
        await compare(id);
      }
      if (told === null || told === queue.end()) {
        return id;
      }
      if (!(await parts.whole())) {
        throw new TakenElsewhere();
      }
      former = id;
      await target.leave();
      return create();
    },

    append: (id: string, { offset, parts: bytes }: Appending) => append(id, { offset, parts: bytes }),

    async declare(id: string) {
      const length = queue.end();
      asked = length;
      events.onDeclare(length);
      await append(id, { offset: length, parts: [], total: length });
      told = length;
    },

    /** The next upload gets all of it, from the first byte on. */
    async leave() {
      queue.rewind(0, await parts.kept());
      uploadId = null;
      events.onAcked();
    },
  };
  return target;
}
