import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Upload } from "@/api";
import type { Settings } from "@/domain/settings";
import { MAX_OPEN_UPLOADS, UNDO_MS } from "@/rules/constants";
import { createTransferSlots } from "./transfer-slots";
import { MAX_SENDING, type TrayItem } from "./tray-model";
import { browserTrayStorage } from "./tray-storage";
import { createTray } from "./tray-store";
import type { TransferOptions } from "./tus-uploads";
import { setUploadLimit } from "./upload-limit";
import type { JobOrder } from "./upload-model";
import { createUploadStore } from "./upload-store";

const file = (name: string, text = "speech") => new File([text], name, { type: "audio/mpeg", lastModified: 7 });
const keyOf = (name: string) => `6/7/${name}`;

const SETTINGS = { transcription_type: "full", language_code: "uk", url: "" } as Settings;
const ORDER: JobOrder = { settings: SETTINGS, presetId: null, audioTrack: null };
const FOUND = { kind: "youtube", title: "A talk", filename: null, duration: 90, size: null, content_type: null } as const;
const RECORDING = { id: "v1", filename: "voice.wav", size: 9, duration: 3 };

/** The state of a browser, shared by its tabs. */
function createBrowser() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  } as Storage;
  return { database: new Map<string, File>(), locked: new Set<string>(), memory: browserTrayStorage(storage), stored };
}

/** One tab: a tray whose transfers are controlled by the test. */
function openTab(browser = createBrowser()) {
  const { database, locked, memory, stored } = browser;
  const ownLocks = new Set<string>();
  const transfers = new Map<string, TransferOptions & { calls: string[] }>();
  const createJob = vi.fn(async (_source: unknown, _order: JobOrder) => `job ${createJob.mock.calls.length}`);
  const removeUpload = vi.fn(async (_id: string) => {});
  const findTransfers = (fingerprint: string) => [`upload under ${fingerprint}`];
  const forgetTransfer = vi.fn();
  const listener = { onStarted: vi.fn(), onTrouble: vi.fn() };
  const lock = async (name: string) => {
    if (locked.has(name)) {
      return null;
    }
    locked.add(name);
    ownLocks.add(name);
    return () => {
      locked.delete(name);
      ownLocks.delete(name);
    };
  };
  const tray = createTray({
    createUpload: (parts) =>
      createUploadStore({
        checkContent: async () => [],
        startTransfer: (options) => {
          const calls: string[] = [];
          transfers.set(options.file.name, { ...options, calls });
          return {
            pause: () => calls.push("pause"),
            resume: () => calls.push("resume"),
            cancel: async () => void calls.push("cancel"),
          };
        },
        endpoint: () => "http://slovo.test/api/v1/uploads",
        authorize: async () => ({}),
        inspect: async (upload_id) => ({ upload_id, media: { duration: 61.5 }, error: null }) as unknown as Upload,
        isTransient: () => false,
        createJob: (uploadId, order) => createJob({ uploadId }, order),
        explain: ({ status }) => ({ code: `status_${status}`, params: {}, violations: [] }),
        explainError: () => ({ code: "unreachable", params: {}, violations: [] }),
        now: () => 0,
        ...parts,
      }),
    createJob,
    removeUpload,
    findTransfers,
    forgetTransfer,
    database: {
      put: async (key, saved) => void database.set(key, saved),
      take: async (key) => database.get(key) ?? null,
      remove: async (key) => void database.delete(key),
      clear: async () => database.clear(),
    },
    lock,
    memory,
    slots: createTransferSlots(MAX_SENDING),
    listener,
  });
  const items = () => tray.getState().items;
  const phases = () =>
    Object.fromEntries(items().map((item) => [item.name, item.kind === "file" ? item.state.phase : item.kind]));
  const transfer = (name: string) => {
    const foundTransfer = transfers.get(name);
    if (!foundTransfer) {
      throw new Error(`${name} is not being sent`);
    }
    return foundTransfer;
  };
  const arrive = async (name: string) => {
    transfer(name).events.onDone(`upload of ${name}`);
    await vi.waitFor(() => expect(phases()[name]).not.toBe("checking"));
  };
  /** Closes the tab, as in a reload; its locks are released. */
  const close = () => {
    for (const name of ownLocks) {
      locked.delete(name);
    }
  };
  return {
    tray,
    items,
    phases,
    transfer,
    transfers,
    arrive,
    close,
    createJob,
    removeUpload,
    forgetTransfer,
    listener,
    database,
    locked,
    memory,
    stored,
  };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe("files on the tray", () => {
  it("are sent two at a time, in order", async () => {
    const { tray, phases, arrive } = openTab();
    await tray.getState().addFiles(
      "ann",
      ["a.mp3", "b.mp3", "c.mp3", "d.mp3"].map((name) => file(name)),
    );
    expect(Object.entries(phases())).toEqual([
      ["a.mp3", "uploading"],
      ["b.mp3", "uploading"],
      ["c.mp3", "next"],
      ["d.mp3", "next"],
    ]);
    await arrive("b.mp3");
    expect(phases()).toEqual({ "a.mp3": "uploading", "b.mp3": "ready", "c.mp3": "uploading", "d.mp3": "next" });
  });

  it("are refused individually with name and reason, while the others continue", async () => {
    const { tray, phases } = openTab();
    const refusals = await tray
      .getState()
      .addFiles("ann", [file("a.mp3"), new File(["%PDF"], "b.pdf", { type: "application/pdf" }), file("a.mp3"), file("c.mp3")]);
    expect(refusals).toMatchObject([
      { name: "b.pdf", reason: [{ code: "file_unsupported" }] },
      { name: "a.mp3", reason: "again" },
    ]);
    expect(Object.keys(phases())).toEqual(["a.mp3", "c.mp3"]);
  });

  it("are checked against this server's limit, which the message contains", async () => {
    const { tray, phases } = openTab();
    const large = new File([new Uint8Array(1_048_577)], "large.mp3", { type: "audio/mpeg" });
    setUploadLimit(1_048_576);
    expect(await tray.getState().addFiles("ann", [large])).toMatchObject([
      { name: "large.mp3", reason: [{ code: "file_too_large", params: { max_mb: 1 } }] },
    ]);
    setUploadLimit(null);
    expect(await tray.getState().addFiles("ann", [large])).toEqual([]);
    expect(Object.keys(phases())).toEqual(["large.mp3"]);
  });

  it("are limited to the number of open uploads that the server allows", async () => {
    const { tray, items } = openTab();
    const many = Array.from({ length: MAX_OPEN_UPLOADS + 1 }, (_, n) => file(`${n}.mp3`));
    expect(await tray.getState().addFiles("ann", many)).toEqual([{ name: `${MAX_OPEN_UPLOADS}.mp3`, reason: "full" }]);
    expect(items()).toHaveLength(MAX_OPEN_UPLOADS);
    expect(await tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND)).toBe("full");
    expect(await tray.getState().addRecording("ann", RECORDING)).toBe("full");
  });

  it("show their error without delaying the others, and can be chosen again", async () => {
    const { tray, phases, transfer, database } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3"), file("c.mp3")]);
    transfer("a.mp3").events.onFailed({ status: 415, body: "" });
    expect(phases()).toEqual({ "a.mp3": "failed", "b.mp3": "uploading", "c.mp3": "uploading" });
    expect([...database.keys()]).toEqual([`ann/${keyOf("b.mp3")}`, `ann/${keyOf("c.mp3")}`]);
    expect(await tray.getState().addFiles("ann", [file("a.mp3")])).toEqual([]);
    expect(phases()).toEqual({ "b.mp3": "uploading", "c.mp3": "uploading", "a.mp3": "next" });
  });
});

describe("a reload", () => {
  it("restores everything in order, with settings, track and the queued job", async () => {
    const first = openTab();
    await first.tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3")]);
    await first.tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND);
    await first.tray.getState().addRecording("ann", RECORDING);
    first.tray.getState().setSeparate(true);
    first.tray.getState().setTrack(keyOf("b.mp3"), 1);
    first
      .items()
      .find((item): item is TrayItem & { kind: "file" } => item.name === "a.mp3")
      ?.state.start(ORDER);
    first.close();

    const second = openTab(first);
    await second.tray.getState().restore("bob");
    expect(second.items()).toEqual([]);
    await second.tray.getState().restore("ann");
    expect(second.phases()).toEqual({ "a.mp3": "uploading", "b.mp3": "uploading", "A talk": "url", "voice.wav": "voice" });
    expect(second.tray.getState().separate).toBe(true);
    expect(second.items().map(({ track }) => track)).toEqual([null, 1, null, null]);
    expect(second.items()[0]?.state.queued).toEqual(ORDER);
    await second.tray.getState().restore("ann");
    expect(second.items()).toHaveLength(4);
  });

  it("does not restore or discard items of another tab", async () => {
    const first = openTab();
    await first.tray.getState().addFiles("ann", [file("a.mp3")]);
    await first.tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND);
    const second = openTab(first);
    await second.tray.getState().restore("ann");
    expect(second.items()).toEqual([]);
    await second.tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3")]);
    expect(second.transfer("a.mp3").resumable).toBe(false);
    expect(second.transfer("b.mp3").resumable).toBe(true);
    second.tray.getState().remove([keyOf("a.mp3")], () => {});
    await settle();
    expect(first.database.has(`ann/${keyOf("a.mp3")}`)).toBe(true);
    first.close();
    const third = openTab(first);
    await third.tray.getState().restore("ann");
    expect(Object.keys(third.phases())).toEqual(["a.mp3", "A talk"]);
  });

  it("does not take or change recordings and URLs of another tab", async () => {
    const first = openTab();
    await first.tray.getState().addRecording("ann", RECORDING);
    await first.tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND);
    first.tray.getState().remove([`voice/${RECORDING.id}`], () => {});
    const before = first.memory.items("ann");
    const second = openTab(first);
    expect(await second.tray.getState().addRecording("ann", RECORDING)).toBe("elsewhere");
    expect(await second.tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND)).toBe("elsewhere");
    expect(second.items()).toEqual([]);
    expect(second.memory.items("ann")).toEqual(before);
    first.close();
    expect(await second.tray.getState().addRecording("ann", RECORDING)).toBeNull();
    expect(second.items()).toHaveLength(1);
  });

  it("does not restore discarded items, and removes their leftovers", async () => {
    const first = openTab();
    await first.tray.getState().addFiles("ann", [file("a.mp3")]);
    first.transfer("a.mp3").events.onProgress(3, 6);
    expect(first.tray.getState().remove([keyOf("a.mp3")], () => {})).not.toBeNull();
    first.close();
    const second = openTab(first);
    await second.tray.getState().restore("ann");
    await settle();
    expect(second.items()).toEqual([]);
    expect(second.database.size).toBe(0);
    expect(second.memory.items("ann")).toEqual([]);
    expect(second.removeUpload).toHaveBeenCalledExactlyOnceWith(`upload under slovo/ann/${keyOf("a.mp3")}`);
    expect(second.forgetTransfer).toHaveBeenCalledWith(`slovo/ann/${keyOf("a.mp3")}`);
  });

  it("deletes discarded uploads from the server, and retries after the next reload if that fails", async () => {
    const first = openTab();
    await first.tray.getState().addRecording("ann", RECORDING);
    first.tray.getState().remove(["voice/v1"], () => {});
    first.close();
    const second = openTab(first);
    second.removeUpload.mockRejectedValue(new Error("no line"));
    await second.tray.getState().restore("ann");
    await settle();
    expect(second.items()).toEqual([]);
    second.close();
    const third = openTab(second);
    await third.tray.getState().restore("ann");
    await settle();
    expect(third.removeUpload).toHaveBeenCalledExactlyOnceWith("v1");
    expect(third.memory.items("ann")).toEqual([]);
  });

  it("keeps items that were discarded and restored", async () => {
    const first = openTab();
    await first.tray.getState().addRecording("ann", RECORDING);
    first.tray.getState().remove(["voice/v1"], () => {})?.();
    first.close();
    const second = openTab(first);
    await second.tray.getState().restore("ann");
    await settle();
    expect(second.phases()).toEqual({ "voice.wav": "voice" });
    expect(second.removeUpload).not.toHaveBeenCalled();
  });

  it("ignores invalid stored data", async () => {
    for (const stored of ["{", '"tray"', '{"ann":{"items":{"x":{"kind":"url"},"y":7,"z":{"kind":"fax"}}}}']) {
      const browser = createBrowser();
      browser.stored.set("slovo.tray", stored);
      const { tray, items } = openTab(browser);
      await tray.getState().restore("ann");
      expect(items(), stored).toEqual([]);
    }
  });
});

describe("discarding", () => {
  it("can be undone for ten seconds if bytes would be lost, and the upload resumes", async () => {
    const { tray, items, phases, transfer } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3")]);
    transfer("a.mp3").events.onProgress(3, 6);
    const over = vi.fn();
    const undo = tray.getState().remove([keyOf("a.mp3"), keyOf("b.mp3")], over);
    expect(items()).toEqual([]);
    expect(transfer("a.mp3").calls).toEqual(["pause"]);
    await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
    undo?.();
    expect(phases()).toEqual({ "a.mp3": "uploading", "b.mp3": "uploading" });
    expect(transfer("a.mp3").calls).toEqual(["pause", "resume"]);
    expect(over).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
    expect(transfer("a.mp3").calls).not.toContain("cancel");
  });

  it("is permanent after that", async () => {
    const { tray, transfer, database, locked, memory, items, removeUpload } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3")]);
    await tray.getState().addRecording("ann", RECORDING);
    transfer("a.mp3").events.onProgress(3, 6);
    const over = vi.fn();
    const undo = tray.getState().remove(
      items().map(({ key }) => key),
      over,
    );
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(over).toHaveBeenCalledOnce();
    expect(transfer("a.mp3").calls).toEqual(["pause", "cancel"]);
    expect(removeUpload).toHaveBeenCalledExactlyOnceWith("v1");
    expect(database.size + locked.size + memory.items("ann").length).toBe(0);
    undo?.();
    expect(items()).toEqual([]);
  });

  it("is immediate if nothing is lost", async () => {
    const { tray, items, memory, locked, transfer } = openTab();
    await tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND);
    await tray.getState().addFiles("ann", [file("a.mp3")]);
    transfer("a.mp3").events.onFailed({ status: 415, body: "" });
    expect(
      tray.getState().remove(
        items().map(({ key }) => key),
        () => {},
      ),
    ).toBeNull();
    await settle();
    expect(locked.size + memory.items("ann").length).toBe(0);
  });

  it("is undone for a recording that is added again, and only for that one", async () => {
    const { tray, items, removeUpload, memory } = openTab();
    await tray.getState().addRecording("ann", RECORDING);
    await tray.getState().addRecording("ann", { ...RECORDING, id: "v2" });
    const over = vi.fn();
    tray.getState().remove(["voice/v1", "voice/v2"], over);
    expect(await tray.getState().addRecording("ann", RECORDING)).toBeNull();
    expect(items().map(({ key }) => key)).toEqual(["voice/v1"]);
    await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
    expect(removeUpload).toHaveBeenCalledExactlyOnceWith("v2");
    expect(items().map(({ key }) => key)).toEqual(["voice/v1"]);
    expect(memory.items("ann")).toMatchObject([["voice/v1", { gone: false }]]);
    expect(over).toHaveBeenCalledOnce();
  });

  it("ends at once when all discarded items have been added again", async () => {
    const { tray, items } = openTab();
    await tray.getState().addRecording("ann", RECORDING);
    const over = vi.fn();
    const undo = tray.getState().remove(["voice/v1"], over);
    await tray.getState().addRecording("ann", RECORDING);
    expect(over).toHaveBeenCalledOnce();
    undo?.();
    expect(items()).toHaveLength(1);
  });

  it("can be undone directly after choosing, before any byte was sent", async () => {
    const { tray, items, phases, transfer, database } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3")]);
    expect(items()[0]?.state).toMatchObject({ sent: 0, upload: null });
    const undo = tray.getState().remove([keyOf("a.mp3")], () => {});
    expect(items()).toEqual([]);
    undo?.();
    expect(phases()).not.toHaveProperty(["a.mp3"], "paused");
    await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
    expect(items().map(({ name }) => name)).toEqual(["a.mp3"]);
    expect(transfer("a.mp3").calls).not.toContain("cancel");
    expect(database.size).toBe(1);
  });

  it("allows the same file to be chosen again", async () => {
    const { tray, phases, transfer } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3")]);
    const before = transfer("a.mp3");
    before.events.onProgress(3, 6);
    tray.getState().remove([keyOf("a.mp3")], () => {});
    await tray.getState().addFiles("ann", [file("a.mp3")]);
    expect(before.calls).toEqual(["pause", "cancel"]);
    await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
    expect(phases()).toEqual({ "a.mp3": "uploading" });
    expect(transfer("a.mp3").calls).toEqual([]);
  });
});

describe("submitting", () => {
  it("creates one job from one recording and opens it", async () => {
    const { tray, arrive, createJob, listener, database, memory } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3")]);
    await arrive("a.mp3");
    tray.getState().start(() => ORDER);
    await settle();
    expect(createJob).toHaveBeenCalledExactlyOnceWith({ uploadId: "upload of a.mp3" }, ORDER);
    expect(listener.onStarted).toHaveBeenCalledExactlyOnceWith([{ key: keyOf("a.mp3"), name: "a.mp3", jobId: "job 1" }], true);
    expect(tray.getState()).toMatchObject({ items: [], finished: true });
    expect(database.size + memory.items("ann").length).toBe(0);
  });

  it("creates a job for each item when it is uploaded, with its own settings, and reports when all have started", async () => {
    const { tray, arrive, createJob, listener, items } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3")]);
    await tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND);
    await tray.getState().addRecording("ann", RECORDING);
    await arrive("a.mp3");
    tray.getState().setTrack(keyOf("b.mp3"), 2);
    tray.getState().start((item) => ({ ...ORDER, audioTrack: item.track }));
    await settle();
    expect(createJob.mock.calls.map(([source, { audioTrack }]) => [source, audioTrack])).toEqual([
      [{ uploadId: "upload of a.mp3" }, null],
      [{ url: "https://youtu.be/aaaaaaaaaaa" }, null],
      [{ uploadId: "v1" }, null],
    ]);
    expect(items().map(({ name }) => name)).toEqual(["b.mp3"]);
    expect(tray.getState().started).toHaveLength(3);
    expect(listener.onStarted).not.toHaveBeenCalled();
    await arrive("b.mp3");
    await settle();
    expect(createJob).toHaveBeenLastCalledWith({ uploadId: "upload of b.mp3" }, { ...ORDER, audioTrack: 2 });
    expect(listener.onStarted).toHaveBeenCalledOnce();
    expect(listener.onStarted.mock.calls[0]?.[0]).toHaveLength(4);
  });

  it("keeps an item whose job could not be created, with the reason, while the others start", async () => {
    const { tray, arrive, createJob, listener, items } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3")]);
    await arrive("a.mp3");
    await arrive("b.mp3");
    const refusal = new Error("no");
    createJob.mockRejectedValueOnce(refusal);
    tray.getState().start(() => ORDER);
    await settle();
    expect(items().map(({ name, state }) => [name, state.jobError, state.submitting])).toEqual([["a.mp3", refusal, false]]);
    expect(listener.onTrouble).toHaveBeenCalledExactlyOnceWith("job");
    expect(listener.onStarted).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ name: "b.mp3" })], false);
    expect(tray.getState()).toMatchObject({ finished: false, started: [] });
    tray.getState().forgetJobErrors();
    expect(items()[0]?.state.jobError).toBeNull();
    tray.getState().start(() => ORDER);
    await settle();
    expect(listener.onStarted).toHaveBeenLastCalledWith([expect.objectContaining({ name: "a.mp3" })], true);
  });

  it("also keeps a URL whose job could not be created", async () => {
    const { tray, createJob, items } = openTab();
    await tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND);
    createJob.mockRejectedValueOnce(new Error("no"));
    tray.getState().start(() => ORDER);
    expect(items()[0]?.state.submitting).toBe(true);
    expect(tray.getState().remove([items()[0]?.key ?? ""], () => {})).toBeNull();
    expect(items()).toHaveLength(1);
    await settle();
    expect(items()[0]?.state.jobError).toBeInstanceOf(Error);
  });

  it("ignores items that had failed before, but keeps those that fail afterwards", async () => {
    const { tray, arrive, transfer, listener, phases } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3"), file("c.mp3")]);
    transfer("a.mp3").events.onFailed({ status: 415, body: "" });
    await arrive("b.mp3");
    tray.getState().start(() => ORDER);
    await settle();
    transfer("c.mp3").events.onFailed({ status: 413, body: "" });
    expect(phases()).toEqual({ "c.mp3": "failed" });
    expect(listener.onStarted).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ name: "b.mp3" })], false);
  });

  it("ends when the last pending item is discarded; a restored item is reported separately", async () => {
    const { tray, arrive, transfer, listener } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3")]);
    await arrive("a.mp3");
    transfer("b.mp3").events.onProgress(3, 6);
    tray.getState().start(() => ORDER);
    await settle();
    expect(listener.onStarted).not.toHaveBeenCalled();
    const undo = tray.getState().remove([keyOf("b.mp3")], () => {});
    expect(listener.onStarted).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ name: "a.mp3" })], true);
    expect(tray.getState().finished).toBe(true);
    undo?.();
    expect(tray.getState()).toMatchObject({ finished: false, started: [] });
    await arrive("b.mp3");
    await settle();
    expect(listener.onStarted).toHaveBeenLastCalledWith([expect.objectContaining({ name: "b.mp3" })], true);
  });

  it("ends when the remaining items are cancelled", async () => {
    const { tray, arrive, listener } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3")]);
    await arrive("a.mp3");
    tray.getState().start(() => ORDER);
    await settle();
    tray.getState().unqueue();
    expect(listener.onStarted).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ name: "a.mp3" })], false);
  });

  it("can be cancelled for incomplete uploads", async () => {
    const { tray, arrive, createJob } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3")]);
    tray.getState().start(() => ORDER);
    tray.getState().unqueue();
    await arrive("a.mp3");
    expect(createJob).not.toHaveBeenCalled();
  });
});

describe("the end of a session", () => {
  it("by sign-out deletes everything, including items that could be restored", async () => {
    const { tray, items, transfer, database, locked, memory } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3"), file("b.mp3")]);
    await tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND);
    await tray.getState().addRecording("ann", RECORDING);
    transfer("a.mp3").events.onProgress(3, 6);
    const over = vi.fn();
    const undo = tray.getState().remove([keyOf("a.mp3")], over);
    tray.getState().clear();
    memory.clear();
    expect(over).toHaveBeenCalledOnce();
    undo?.();
    await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
    expect(items()).toEqual([]);
    expect(transfer("a.mp3").calls).toContain("cancel");
    expect(transfer("b.mp3").calls).toContain("cancel");
    expect(database.size + locked.size).toBe(0);
    await tray.getState().restore("bob");
    expect(items()).toEqual([]);
  });

  it("stops reports about jobs of the previous user", async () => {
    const { tray, createJob, listener } = openTab();
    await tray.getState().addUrl("ann", "https://youtu.be/aaaaaaaaaaa", FOUND);
    await tray.getState().addRecording("ann", RECORDING);
    createJob.mockImplementationOnce(() => new Promise((resolve) => setTimeout(() => resolve("job of ann"), 500)));
    createJob.mockImplementationOnce(() => new Promise((_, reject) => setTimeout(() => reject(new Error("no")), 500)));
    tray.getState().start(() => ORDER);
    tray.getState().clear();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(listener.onStarted).not.toHaveBeenCalled();
    expect(listener.onTrouble).not.toHaveBeenCalled();
    expect(tray.getState()).toMatchObject({ items: [], started: [], finished: false });
  });

  it("by expiry keeps everything for the owner, also in a browser that cannot store files", async () => {
    const { tray, items, phases, database, locked } = openTab();
    await tray.getState().addFiles("ann", [file("a.mp3")]);
    await tray.getState().addRecording("ann", RECORDING);
    tray.getState().suspend();
    expect(items()).toEqual([]);
    expect(locked.size).toBe(0);
    database.clear();
    await tray.getState().restore("ann");
    expect(phases()).toEqual({ "a.mp3": "uploading", "voice.wav": "voice" });
  });

  it("stops restoring", async () => {
    const first = openTab();
    await first.tray.getState().addFiles("ann", [file("a.mp3")]);
    first.close();
    const { tray, items, transfers, locked } = openTab(first);
    const restoring = tray.getState().restore("ann");
    tray.getState().clear();
    await restoring;
    expect(items()).toEqual([]);
    expect(transfers.size).toBe(0);
    expect(locked.size).toBe(0);
  });
});
