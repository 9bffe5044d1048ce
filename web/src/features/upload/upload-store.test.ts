import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Upload } from "@/api";
import type { Settings } from "@/domain/settings";
import { createTransferSlots } from "./transfer-slots";
import type { TransferOptions } from "./tus-uploads";
import type { JobOrder, UploadParts } from "./upload-model";
import { createUploadStore } from "./upload-store";

const FILE = new File(["speech"], "interview.mp3", { type: "audio/mpeg", lastModified: 7 });

const FOUND = {
  upload_id: "u1",
  filename: "interview.mp3",
  size: 6,
  kind: "file",
  stored: 6,
  created_at: "2026-03-01T12:00:00Z",
  complete: true,
  media: { container: "mp3", codec: "mp3", duration: 61.5 },
  error: null,
} as unknown as Upload;

const SETTINGS = { transcription_type: "full", language_code: "uk" } as Settings;
const ORDER: JobOrder = { settings: SETTINGS, presetId: null, audioTrack: null };

class CutLine extends Error {}

/** A store whose transfers are controlled by the test and whose browser storage is a map. */
function setUp(over: Partial<UploadParts> = {}) {
  const transfers: (TransferOptions & { calls: string[] })[] = [];
  const database = new Map<string, File>();
  const held = new Set<string>();
  const forget = vi.fn();
  const queue = new Map<string, JobOrder>();
  const createJob = vi.fn(async (_uploadId: string, _order: JobOrder) => "j1");
  const listener = { onStarted: vi.fn(), onTrouble: vi.fn() };
  const store = createUploadStore({
    checkContent: async () => [],
    startTransfer: (options) => {
      const calls: string[] = [];
      transfers.push({ ...options, calls });
      return {
        pause: () => calls.push("pause"),
        resume: () => calls.push("resume"),
        cancel: async () => {
          calls.push("cancel");
        },
      };
    },
    endpoint: () => "http://slovo.test/api/v1/uploads",
    authorize: async () => ({}),
    inspect: async () => FOUND,
    isTransient: (error) => error instanceof CutLine,
    createJob,
    queue: {
      keep: (owner, order) => void (order ? queue.set(owner, order) : queue.delete(owner)),
      read: (owner) => queue.get(owner) ?? null,
    },
    listener,
    explain: ({ status }) => ({ code: `status_${status}`, params: {}, violations: [] }),
    explainError: () => ({ code: "unreachable", params: {}, violations: [] }),
    database: {
      put: async (owner, file) => void database.set(owner, file),
      take: async (owner) => database.get(owner) ?? null,
      remove: async (owner) => void database.delete(owner),
      clear: async () => database.clear(),
    },
    lock: async (name) => {
      if (held.has(name)) {
        return null;
      }
      held.add(name);
      return () => held.delete(name);
    },
    forget,
    slots: createTransferSlots(2),
    now: () => 0,
    ...over,
  });
  const newest = () => {
    const transfer = transfers.at(-1);
    if (!transfer) {
      throw new Error("no transfer was started");
    }
    return transfer;
  };
  return { store, transfers, newest, database, held, forget, queue, createJob, listener };
}

describe("an upload", () => {
  it("sends the file and gets the server's description of it", async () => {
    const { store, newest, database } = setUp();
    await store.getState().begin("ann", FILE);
    expect(store.getState()).toMatchObject({ phase: "uploading", file: { name: "interview.mp3", size: 6 } });
    expect(database.get("ann")).toBe(FILE);
    newest().events.onProgress(3, 6);
    expect(store.getState().sent).toBe(3);
    newest().events.onDone("u1");
    expect(store.getState().phase).toBe("checking");
    await vi.waitFor(() => expect(store.getState().phase).toBe("ready"));
    expect(store.getState().upload?.media?.duration).toBe(61.5);
  });

  it("waits for the connection and continues", async () => {
    const { store, newest } = setUp();
    await store.getState().begin("ann", FILE);
    newest().events.onWaiting();
    expect(store.getState().phase).toBe("waiting");
    newest().events.onProgress(4, 6);
    expect(store.getState().phase).toBe("uploading");
  });

  it("pauses, and ignores a late progress event", async () => {
    const { store, newest } = setUp();
    await store.getState().begin("ann", FILE);
    store.getState().pause();
    newest().events.onProgress(4, 6);
    expect(store.getState().phase).toBe("paused");
    store.getState().resume();
    expect(store.getState().phase).toBe("uploading");
    expect(newest().calls).toEqual(["pause", "resume"]);
  });

  it("shows why the server refused it, deletes it and can start again", async () => {
    const { store, newest, database, held } = setUp();
    await store.getState().begin("ann", FILE);
    newest().events.onFailed({ status: 415, body: "" });
    expect(store.getState()).toMatchObject({ phase: "failed", failure: { code: "status_415" } });
    expect(newest().calls).toEqual(["cancel"]);
    expect(database.size + held.size).toBe(0);
    await store.getState().begin("ann", FILE);
    expect(store.getState().phase).toBe("uploading");
  });

  it("is not started if the first bytes are not those of a recording", async () => {
    const violations = [{ field: "file", code: "content_refused" as const, params: { found: "html" } }];
    const { store, transfers, database, held, listener } = setUp({ checkContent: async () => violations });
    await store.getState().begin("ann", FILE);
    expect(store.getState()).toMatchObject({ phase: "failed", file: { name: "interview.mp3" }, failure: { violations } });
    expect(transfers).toEqual([]);
    expect(database.size + held.size).toBe(0);
    expect(listener.onTrouble).toHaveBeenCalledWith("upload");
  });

  it("keeps everything if there is no response for a long time", async () => {
    const { store, newest, database } = setUp();
    await store.getState().begin("ann", FILE);
    newest().events.onFailed({ status: null, body: "" });
    expect(store.getState().phase).toBe("paused");
    expect(database.size).toBe(1);
  });

  it("fails if the content is invalid", async () => {
    const { store, newest } = setUp({
      inspect: async () => ({ ...FOUND, error: { code: "no_audio_track", params: {} } }) as unknown as Upload,
    });
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.waitFor(() => expect(store.getState().failure?.code).toBe("no_audio_track"));
  });

  it("leaves nothing after a discard, and ignores the old transfer", async () => {
    const { store, newest, database, held } = setUp();
    await store.getState().begin("ann", FILE);
    await store.getState().discard();
    expect(newest().calls).toEqual(["cancel"]);
    newest().events.onProgress(5, 6);
    newest().events.onDone("u1");
    expect(store.getState()).toMatchObject({ phase: "empty", file: null, sent: 0 });
    expect(database.size + held.size).toBe(0);
  });

  it("continues after a reload with the stored file, only for its owner", async () => {
    const { store, database, newest, transfers } = setUp();
    database.set("ann", FILE);
    await store.getState().restore("bob");
    expect(transfers).toHaveLength(0);
    await store.getState().restore("ann");
    expect(store.getState().file?.name).toBe("interview.mp3");
    expect(newest()).toMatchObject({ owner: "ann", resumable: true });
  });

  it("is stored if it is chosen while an earlier one is being restored", async () => {
    const storedFiles = new Map<string, File>();
    const { store, held, newest } = setUp({
      database: {
        put: async (owner, file) => void storedFiles.set(owner, file),
        // IndexedDB answers asynchronously.
        take: () => new Promise((resolve) => setTimeout(() => resolve(null), 20)),
        remove: async (owner) => void storedFiles.delete(owner),
        clear: async () => storedFiles.clear(),
      },
    });
    const looking = store.getState().restore("ann");
    await store.getState().begin("ann", FILE);
    await looking;
    expect(newest()).toMatchObject({ file: FILE, resumable: true });
    expect(storedFiles.get("ann")).toBe(FILE);
    expect(held.has("slovo.upload.ann")).toBe(true);
  });

  it("ignores the upload of another tab", async () => {
    const { store, database, held, newest, transfers } = setUp();
    held.add("slovo.upload.ann");
    const other = new File(["x"], "other.wav");
    database.set("ann", other);
    await store.getState().restore("ann");
    expect(transfers).toHaveLength(0);
    await store.getState().begin("ann", FILE);
    expect(newest().resumable).toBe(false);
    await store.getState().discard();
    expect(database.get("ann")).toBe(other);
    expect(held.has("slovo.upload.ann")).toBe(true);
  });

  it("is removed from the browser, but not from the server, when its job was created", async () => {
    const { store, newest, database, forget, createJob, listener } = setUp();
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.waitFor(() => expect(store.getState().phase).toBe("ready"));
    store.getState().start(ORDER);
    expect(store.getState().submitting).toBe(true);
    await vi.waitFor(() => expect(listener.onStarted).toHaveBeenCalledWith("j1"));
    expect(createJob).toHaveBeenCalledExactlyOnceWith("u1", ORDER);
    expect(store.getState()).toMatchObject({ phase: "empty", file: null });
    expect(newest().calls).toEqual([]);
    expect(forget).toHaveBeenCalledOnce();
    expect(database.size).toBe(0);
  });
});

describe("checking a complete upload", () => {
  /** An `inspect` that fails this many times before it succeeds. */
  const failing = (times: number, error: Error = new CutLine()) => {
    let remaining = times;
    return vi.fn(async () => {
      remaining -= 1;
      if (remaining >= 0) {
        throw error;
      }
      return FOUND;
    });
  };

  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it("waits for the connection and retries, and deletes nothing", async () => {
    const inspect = failing(2);
    const { store, newest } = setUp({ inspect });
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState().phase).toBe("waiting");
    await vi.advanceTimersByTimeAsync(499);
    expect(inspect).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1_001);
    expect(store.getState()).toMatchObject({ phase: "ready", sent: 6 });
    expect(newest().calls).toEqual([]);
  });

  it("retries at once when the network is back", async () => {
    const { store, newest } = setUp({ inspect: failing(1) });
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.advanceTimersByTimeAsync(0);
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState().phase).toBe("ready");
  });

  it("fails on a permanent error", async () => {
    const { store, newest } = setUp({ inspect: failing(1, new Error("404")) });
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState()).toMatchObject({ phase: "failed", failure: { code: "unreachable" } });
    expect(newest().calls).toEqual(["cancel"]);
  });

  it("can be paused while waiting, pauses after an hour, and retries when resumed", async () => {
    const inspect = failing(400);
    const { store, newest } = setUp({ inspect });
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.advanceTimersByTimeAsync(0);
    store.getState().pause();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.getState().phase).toBe("paused");
    expect(inspect).toHaveBeenCalledOnce();
    store.getState().resume();
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(store.getState().phase).toBe("paused");
    expect(inspect.mock.calls.length).toBeGreaterThan(200);
    inspect.mockResolvedValue(FOUND);
    store.getState().resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState().phase).toBe("ready");
    expect(newest().calls).toEqual([]);
  });

  it("is ignored after the upload was discarded", async () => {
    const inspect = failing(1);
    const { store, newest } = setUp({ inspect });
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.advanceTimersByTimeAsync(0);
    await store.getState().discard();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.getState().phase).toBe("empty");
    expect(inspect).toHaveBeenCalledOnce();
  });
});

describe("a queued upload", () => {
  const waiting = async () => {
    const slots = createTransferSlots(1);
    const leave = slots.ask(() => {});
    const given = setUp({ slots });
    await given.store.getState().begin("ann", FILE);
    return { ...given, slots, leave };
  };

  it("is stored at once, and is sent when a slot is free", async () => {
    const { store, transfers, database, leave } = await waiting();
    expect(store.getState().phase).toBe("next");
    expect(transfers).toHaveLength(0);
    expect(database.get("ann")).toBe(FILE);
    leave();
    expect(store.getState().phase).toBe("uploading");
    expect(transfers).toHaveLength(1);
  });

  it("can be paused before its turn, and another one is sent instead", async () => {
    const { store, transfers, slots, leave } = await waiting();
    store.getState().pause();
    leave();
    expect(store.getState().phase).toBe("paused");
    const other = vi.fn();
    const leaveSlot = slots.ask(other);
    expect(other).toHaveBeenCalledOnce();
    store.getState().resume();
    expect(store.getState().phase).toBe("next");
    leaveSlot();
    expect(transfers).toHaveLength(1);
  });

  it.each([
    ["it is complete", (newest: () => TransferOptions) => newest().events.onDone("u1")],
    ["it has failed", (newest: () => TransferOptions) => newest().events.onFailed({ status: 415, body: "" })],
    [
      "the server was unreachable for an hour",
      (newest: () => TransferOptions) => newest().events.onFailed({ status: null, body: "" }),
    ],
  ])("releases its slot when %s", async (_, end) => {
    const { newest, slots, leave } = await waiting();
    leave();
    const other = vi.fn();
    slots.ask(other);
    expect(other).not.toHaveBeenCalled();
    end(newest);
    expect(other).toHaveBeenCalledOnce();
  });

  it("releases its slot when it is paused, discarded or suspended", async () => {
    for (const act of ["pause", "discard", "suspend"] as const) {
      const { store, slots, leave } = await waiting();
      leave();
      const other = vi.fn();
      slots.ask(other);
      void store.getState()[act]();
      expect(other, act).toHaveBeenCalledOnce();
    }
  });
});

describe("a queued job", () => {
  it("starts automatically with the latest settings", async () => {
    const { store, newest, queue, createJob, listener } = setUp();
    await store.getState().begin("ann", FILE);
    store.getState().start(ORDER);
    const changed = { ...ORDER, settings: { ...SETTINGS, language_code: "pl" } as Settings };
    store.getState().start(changed);
    expect(queue.get("ann")).toBe(changed);
    newest().events.onDone("u1");
    await vi.waitFor(() => expect(listener.onStarted).toHaveBeenCalledWith("j1"));
    expect(createJob).toHaveBeenCalledExactlyOnceWith("u1", changed);
    expect(queue.size).toBe(0);
  });

  it("does not start after it was cancelled", async () => {
    const { store, newest, queue, createJob } = setUp();
    await store.getState().begin("ann", FILE);
    store.getState().start(ORDER);
    store.getState().unqueue();
    newest().events.onDone("u1");
    await vi.waitFor(() => expect(store.getState().phase).toBe("ready"));
    expect(createJob).not.toHaveBeenCalled();
    expect(queue.size).toBe(0);
  });

  it("starts after a reload", async () => {
    const { store, newest, database, queue, createJob } = setUp();
    database.set("ann", FILE);
    queue.set("ann", ORDER);
    await store.getState().restore("ann");
    expect(store.getState().queued).toBe(ORDER);
    newest().events.onDone("u1");
    await vi.waitFor(() => expect(createJob).toHaveBeenCalledWith("u1", ORDER));
  });

  it("keeps the upload and the reason if it cannot be created, and can be retried", async () => {
    const { store, newest, createJob, listener } = setUp();
    const refusal = new Error("no");
    createJob.mockRejectedValueOnce(refusal);
    await store.getState().begin("ann", FILE);
    store.getState().start(ORDER);
    newest().events.onDone("u1");
    await vi.waitFor(() => expect(listener.onTrouble).toHaveBeenCalledWith("job"));
    expect(store.getState()).toMatchObject({ phase: "ready", queued: null, submitting: false, jobError: refusal });
    store.getState().start(ORDER);
    await vi.waitFor(() => expect(listener.onStarted).toHaveBeenCalledWith("j1"));
  });

  it("is cancelled when the upload fails", async () => {
    const { store, newest, queue, listener } = setUp();
    await store.getState().begin("ann", FILE);
    store.getState().start(ORDER);
    newest().events.onFailed({ status: 415, body: "" });
    expect(store.getState()).toMatchObject({ phase: "failed", queued: null });
    expect(queue.size).toBe(0);
    expect(listener.onTrouble).toHaveBeenCalledWith("upload");
  });
});

describe("an upload after the end of its owner's session", () => {
  it("stops and shows nothing, and continues when its owner signs in again", async () => {
    const { store, newest, transfers, database, held, queue } = setUp();
    await store.getState().begin("ann", FILE);
    store.getState().start(ORDER);
    store.getState().suspend();
    expect(newest().calls).toEqual(["pause"]);
    expect(store.getState()).toMatchObject({ phase: "empty", file: null, queued: null });
    expect(held.size).toBe(0);
    expect(database.get("ann")).toBe(FILE);
    expect(queue.get("ann")).toBe(ORDER);
    await store.getState().restore("bob");
    expect(store.getState().phase).toBe("empty");
    expect(transfers).toHaveLength(1);
    // In a browser that cannot store files, this tab still has it.
    database.clear();
    await store.getState().restore("ann");
    expect(store.getState()).toMatchObject({ phase: "uploading", file: { name: "interview.mp3" }, queued: ORDER });
  });

  it("is deleted after a sign-out", async () => {
    const { store, transfers, database } = setUp();
    await store.getState().begin("ann", FILE);
    store.getState().suspend();
    await store.getState().discard();
    database.clear();
    await store.getState().restore("ann");
    expect(transfers).toHaveLength(1);
  });
});
