/** For tests: a server with uploads in memory, and an IndexedDB in a map. */
import { ApiError } from "@/api";
import type { RecordingDatabase, StoredRecording } from "./recording-database";
import type { VoiceTransfer } from "./voice-transfer";

type Name = "create" | "append" | "look" | "remove" | "list";

export function createTestServer() {
  const uploads = new Map<string, { bytes: number[]; length: number | null; filename: string }>();
  const calls: string[] = [];
  /** Thrown before the call does anything, or after it has done it. */
  let before: ((name: Name) => unknown) | null = null;
  let after: ((name: Name) => unknown) | null = null;
  let slow: ((name: Name) => boolean) | null = null;
  const pending: (() => void)[] = [];

  const find = (id: string) => {
    const upload = uploads.get(id);
    if (!upload) {
      throw new ApiError({ status: 404, code: "not_found" });
    }
    return upload;
  };
  const call = async <T>(name: Name, act: () => T): Promise<T> => {
    calls.push(name);
    const early = before?.(name);
    if (early) {
      throw early;
    }
    const answer = act();
    if (slow?.(name)) {
      await new Promise<void>((resolve) => pending.push(resolve));
    }
    const late = after?.(name);
    if (late) {
      throw late;
    }
    return answer;
  };

  const transfer: VoiceTransfer = {
    create: (filename) =>
      call("create", () => {
        const id = `up${calls.filter((name) => name === "create").length}`;
        uploads.set(id, { bytes: [], length: null, filename });
        return id;
      }),
    append: (id, { offset, parts, total }) =>
      call("append", () => {
        const upload = find(id);
        const end = offset + parts.reduce((sum, part) => sum + part.length, 0);
        if (offset !== upload.bytes.length || end > (upload.length ?? end)) {
          throw new ApiError({ status: 409, code: "upload_offset_mismatch" });
        }
        for (const part of parts) {
          upload.bytes.push(...part);
        }
        if (total !== undefined) {
          if (upload.length !== null) {
            throw new ApiError({ status: 409, code: "upload_length_mismatch" });
          }
          upload.length = total;
        }
        return upload.bytes.length;
      }),
    look: (id) =>
      call("look", () => {
        const upload = find(id);
        return { stored: upload.bytes.length, length: upload.length };
      }),
    remove: (id) =>
      call("remove", () => {
        uploads.delete(id);
      }),
    list: () =>
      call("list", () =>
        [...uploads].map(([id, upload]) => ({
          id,
          filename: upload.filename,
          size: upload.length,
          stored: upload.bytes.length,
          startedAt: 1_000,
        })),
      ),
  };
  return {
    transfer,
    uploads,
    calls,
    failBefore: (fault: typeof before) => {
      before = fault;
    },
    failAfter: (fault: typeof after) => {
      after = fault;
    },
    /** Responses to these calls are delayed; null releases all of them. */
    slow: (which: typeof slow) => {
      slow = which;
      for (const answer of which === null ? pending.splice(0) : []) {
        answer();
      }
    },
  };
}

export function createTestDatabase(): RecordingDatabase & {
  full: boolean;
  recordings: Map<string, StoredRecording>;
  pieces: Map<string, Map<number, Uint8Array<ArrayBuffer>>>;
} {
  const recordings = new Map<string, StoredRecording>();
  const pieces = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>();
  const database = {
    full: false,
    recordings,
    pieces,
    save: async (recording: StoredRecording) => {
      recordings.set(recording.id, { ...recording });
    },
    list: async (owner: string) => [...recordings.values()].filter((recording) => recording.owner === owner),
    put: async (id: string, offset: number, bytes: Uint8Array<ArrayBuffer>) => {
      if (database.full) {
        throw new DOMException("no space", "QuotaExceededError");
      }
      const mine = pieces.get(id) ?? new Map();
      mine.set(offset, bytes);
      pieces.set(id, mine);
    },
    spans: async (id: string) => [...(pieces.get(id) ?? [])].map(([offset, { length }]) => ({ offset, length })),
    read: async (id: string, { offset }: { offset: number }) => pieces.get(id)?.get(offset) ?? null,
    prune: async (id: string, end: number) => {
      for (const [offset, bytes] of pieces.get(id) ?? []) {
        if (offset + bytes.length <= end) {
          pieces.get(id)?.delete(offset);
        }
      }
    },
    remove: async (id: string) => {
      recordings.delete(id);
      pieces.delete(id);
    },
  };
  return database;
}
