import { describe, expect, it, vi } from "vitest";
import type { Upload } from "@/api";
import type { TransferOptions } from "./tus-transfer";
import { createUploadStore, type UploadParts } from "./upload-store";

const FILE = new File(["speech"], "interview.mp3", { type: "audio/mpeg", lastModified: 7 });

const FOUND = {
  upload_id: "u1",
  filename: "interview.mp3",
  size: 6,
  offset: 6,
  complete: true,
  media: { container: "mp3", codec: "mp3", duration: 61.5 },
  error: null,
} as unknown as Upload;

/** A store whose transfers are driven by hand and whose browser storage is a map. */
function setUp(over: Partial<UploadParts> = {}) {
  const transfers: (TransferOptions & { calls: string[] })[] = [];
  const shelf = new Map<string, File>();
  const held = new Set<string>();
  const forget = vi.fn();
  const store = createUploadStore({
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
    explain: ({ status }) => ({ code: `status_${status}`, params: {}, violations: [] }),
    explainError: () => ({ code: "unreachable", params: {}, violations: [] }),
    shelf: {
      put: async (owner, file) => void shelf.set(owner, file),
      take: async (owner) => shelf.get(owner) ?? null,
      remove: async (owner) => void shelf.delete(owner),
      clear: async () => shelf.clear(),
    },
    lock: async (name) => {
      if (held.has(name)) {
        return null;
      }
      held.add(name);
      return () => held.delete(name);
    },
    forget,
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
  return { store, transfers, newest, shelf, held, forget };
}

describe("an upload", () => {
  it("goes from the file to what the server found in it", async () => {
    const { store, newest, shelf } = setUp();
    await store.getState().begin("ann", FILE);
    expect(store.getState()).toMatchObject({ phase: "uploading", file: { name: "interview.mp3", size: 6 } });
    expect(shelf.get("ann")).toBe(FILE);
    newest().events.onProgress(3, 6);
    expect(store.getState().sent).toBe(3);
    newest().events.onDone("u1");
    expect(store.getState().phase).toBe("checking");
    await vi.waitFor(() => expect(store.getState().phase).toBe("ready"));
    expect(store.getState().upload?.media?.duration).toBe(61.5);
  });

  it("waits for the connection and goes on", async () => {
    const { store, newest } = setUp();
    await store.getState().begin("ann", FILE);
    newest().events.onWaiting();
    expect(store.getState().phase).toBe("waiting");
    newest().events.onProgress(4, 6);
    expect(store.getState().phase).toBe("uploading");
  });

  it("pauses, and a late report does not undo that", async () => {
    const { store, newest } = setUp();
    await store.getState().begin("ann", FILE);
    store.getState().pause();
    newest().events.onProgress(4, 6);
    expect(store.getState().phase).toBe("paused");
    store.getState().resume();
    expect(store.getState().phase).toBe("uploading");
    expect(newest().calls).toEqual(["pause", "resume"]);
  });

  it("says why the server refused it, removes it and can begin again", async () => {
    const { store, newest, shelf, held } = setUp();
    await store.getState().begin("ann", FILE);
    newest().events.onFailed({ status: 415, body: "" });
    expect(store.getState()).toMatchObject({ phase: "failed", failure: { code: "status_415" } });
    expect(newest().calls).toEqual(["cancel"]);
    expect(shelf.size + held.size).toBe(0);
    await store.getState().begin("ann", FILE);
    expect(store.getState().phase).toBe("uploading");
  });

  it("keeps everything when there is simply no answer for long", async () => {
    const { store, newest, shelf } = setUp();
    await store.getState().begin("ann", FILE);
    newest().events.onFailed({ status: null, body: "" });
    expect(store.getState().phase).toBe("paused");
    expect(shelf.size).toBe(1);
  });

  it("fails when the content is not what it should be", async () => {
    const { store, newest } = setUp({
      inspect: async () => ({ ...FOUND, error: { code: "no_audio_track", params: {} } }) as unknown as Upload,
    });
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.waitFor(() => expect(store.getState().failure?.code).toBe("no_audio_track"));
  });

  it("discards: nothing is left, and the old transfer is not heard any more", async () => {
    const { store, newest, shelf, held } = setUp();
    await store.getState().begin("ann", FILE);
    await store.getState().discard();
    expect(newest().calls).toEqual(["cancel"]);
    newest().events.onProgress(5, 6);
    newest().events.onDone("u1");
    expect(store.getState()).toMatchObject({ phase: "empty", file: null, sent: 0 });
    expect(shelf.size + held.size).toBe(0);
  });

  it("goes on after a reload with the file that was kept, only for its owner", async () => {
    const { store, shelf, newest, transfers } = setUp();
    shelf.set("ann", FILE);
    await store.getState().restore("bob");
    expect(transfers).toHaveLength(0);
    await store.getState().restore("ann");
    expect(store.getState().file?.name).toBe("interview.mp3");
    expect(newest()).toMatchObject({ owner: "ann", resumable: true });
  });

  it("leaves the upload of another tab alone", async () => {
    const { store, shelf, held, newest, transfers } = setUp();
    held.add("slovo.upload.ann");
    const other = new File(["x"], "other.wav");
    shelf.set("ann", other);
    await store.getState().restore("ann");
    expect(transfers).toHaveLength(0);
    await store.getState().begin("ann", FILE);
    expect(newest().resumable).toBe(false);
    await store.getState().discard();
    expect(shelf.get("ann")).toBe(other);
    expect(held.has("slovo.upload.ann")).toBe(true);
  });

  it("is forgotten but not removed once the job has it", async () => {
    const { store, newest, shelf, forget } = setUp();
    await store.getState().begin("ann", FILE);
    newest().events.onDone("u1");
    await vi.waitFor(() => expect(store.getState().phase).toBe("ready"));
    store.getState().handOver();
    expect(store.getState().phase).toBe("empty");
    expect(newest().calls).toEqual([]);
    expect(forget).toHaveBeenCalledOnce();
    expect(shelf.size).toBe(0);
  });
});
