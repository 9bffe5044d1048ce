import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api";
import { segmentOf } from "./apply";
import { createDocument, type DocumentStore, type Notice } from "./document-store";
import { createEditStorage } from "./edit-storage";
import type { Edit, EditAnswer, EditedSegment, EditedTranscript, SegmentChange, StoredEdit } from "./model";
import { BACKOFF_MS } from "./outbox";

const CLIENT = "client-a";

function segment(id: string, text: string, change: Partial<EditedSegment> = {}): EditedSegment {
  const base = Number(id);
  const words = text
    .split(" ")
    .map((word, at) => ({ text: word, start: base + at / 10, end: base + at / 10 + 0.1, confidence: 0.9 }));
  return { id, revision: 0, place: { base, part: 0 }, start: base, end: base + 1, speaker: "SPEAKER_0", text, words, ...change };
}

const transcript = (change: Partial<EditedTranscript> = {}): EditedTranscript => ({
  version: 1,
  seq: 0,
  language: "uk",
  duration: 10,
  mode: "full",
  model: "m",
  speakers: [{ id: "SPEAKER_0", name: null }],
  segments: [segment("0", "перший рядок"), segment("1", "другий рядок"), segment("2", "третій рядок")],
  warnings: [],
  can_undo: false,
  can_redo: false,
  newest: true,
  ...change,
});

/** A fake server: the requests, and the next responses. */
function server() {
  const asked: { version: number; edits: Edit[]; leaving: boolean }[] = [];
  let fail: ((edits: Edit[]) => unknown) | null = null;
  let seq = 0;
  const revisions = new Map<string, number>();
  const answer = (edits: Edit[]): EditAnswer => {
    seq += edits.length;
    const changes: SegmentChange[] = edits.flatMap(({ op }) => {
      if (op.kind !== "set_text") return [];
      const revision = (revisions.get(op.segment.id) ?? op.segment.revision) + 1;
      revisions.set(op.segment.id, revision);
      return [{ id: op.segment.id, segment: segment(op.segment.id, op.text, { revision }) }];
    });
    return { seq, changes, speakers: [{ id: "SPEAKER_0", name: null }], can_undo: true, can_redo: false };
  };
  return {
    asked,
    fails: (with_: ((edits: Edit[]) => unknown) | null) => {
      fail = with_;
    },
    send: async (version: number, edits: Edit[], leaving: boolean) => {
      asked.push({ version, edits: structuredClone(edits), leaving });
      const error = fail?.(edits);
      if (error) throw error;
      return answer(edits);
    },
    step: vi.fn(async () => answer([])),
  };
}

const network = () => new ApiError({ status: 0, code: "network" });
const conflictWith = (...changes: SegmentChange[]) =>
  new ApiError({ status: 409, code: "edit_conflict", params: { conflicts: changes } });

let storage: Storage;
let documents: DocumentStore[] = [];

function open(api: ReturnType<typeof server>, change: Partial<EditedTranscript> = {}, client = CLIENT) {
  const notices: Notice[] = [];
  let stale = 0;
  const document = createDocument({
    transcript: transcript(change),
    client,
    calls: { send: api.send, step: api.step },
    editStorage: createEditStorage({ storage, userId: "u", jobId: "j", client }),
    delayMs: 1_000,
    shownMs: 2_000,
    onNotice: (notice) => notices.push(notice),
    onStale: () => {
      stale += 1;
    },
  });
  documents.push(document);
  const text = (id: string) => segmentOf(document.getState(), id)?.text;
  return { document, notices, text, stale: () => stale, ...document.actions };
}

/** Local storage with a replaceable write function. */
const writtenBy = (setItem: Storage["setItem"]): Storage => ({
  getItem: (key) => localStorage.getItem(key),
  setItem,
  removeItem: (key) => localStorage.removeItem(key),
  key: (at) => localStorage.key(at),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length;
  },
});

const ref = (id: string, revision = 0) => ({ id, revision });
const textsOf = (api: ReturnType<typeof server>) =>
  api.asked.flatMap(({ edits }) => edits.map(({ op }) => (op.kind === "set_text" ? op.text : op.kind)));

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  storage = localStorage;
});

afterEach(() => {
  for (const document of documents) document.actions.stop();
  documents = [];
  vi.useRealTimers();
});

describe("a removed line", () => {
  it("is restored once by the response, after earlier requests", async () => {
    const api = server();
    const page = open(api);
    page.type("0", "перший рядок, довший");
    page.edit({ kind: "bring_back", passage: 4 });
    await vi.advanceTimersByTimeAsync(0);
    expect(api.asked.flatMap(({ edits }) => edits.map(({ op }) => op.kind))).toEqual(["set_text", "bring_back"]);
    expect(page.document.getState().segments).toHaveLength(3);
    const id = "72656d6f-7665-8000-8000-000000000004";
    const back = segment("0", "дякую", { id, revision: 1, place: { base: 0, part: -5 }, start: -1 });
    page.receive([
      { seq: 3, edit_id: "e", client: "other", author: null, at: "", kind: "bring_back", changes: [{ id, segment: back }] },
    ] as unknown as StoredEdit[]);
    // A lower part sorts before the recognised segment.
    expect(page.document.getState().segments.map((line) => line.id)).toEqual([id, "0", "1", "2"]);
    expect(page.unsaved()).toBe(false);
  });
});

describe("saving", () => {
  it("sends typed text once, a second after the last key, and shows that for two seconds", async () => {
    const api = server();
    const page = open(api);
    page.type("0", "перший ря");
    await vi.advanceTimersByTimeAsync(900);
    page.type("0", "перший рядок, довший");
    await vi.advanceTimersByTimeAsync(900);
    expect(api.asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(textsOf(api)).toEqual(["перший рядок, довший"]);
    expect(page.document.getState().status).toBe("saved");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(page.document.getState().status).toBe("idle");
    expect(page.unsaved()).toBe(false);
    expect(localStorage.length).toBe(0);
  });

  it("reports edits that neither the server nor the full storage has, until one has them", async () => {
    const api = server();
    const room = { left: true };
    const full = new DOMException("full", "QuotaExceededError");
    storage = writtenBy((key, value) => {
      if (!room.left) throw full;
      localStorage.setItem(key, value);
    });
    const page = open(api);
    const isStored = () => page.document.getState().kept;
    page.type("0", "раз");
    expect(isStored()).toBe(true);
    room.left = false;
    page.type("0", "раз два");
    expect(isStored()).toBe(false);
    api.fails(network);
    page.commit();
    await vi.advanceTimersByTimeAsync(0);
    // Free space after deleting the draft does not mean that the edit is stored.
    expect([isStored(), page.unsaved()]).toEqual([false, true]);
    api.fails(null);
    await page.flush();
    expect([isStored(), page.unsaved()]).toEqual([true, false]);
  });

  it("stores an edit in the space freed by its draft", async () => {
    const api = server();
    let entries = 0;
    storage = writtenBy((key, value) => {
      if (localStorage.getItem(key) === null && localStorage.length > 0) throw new DOMException("full", "QuotaExceededError");
      entries += 1;
      localStorage.setItem(key, value);
    });
    api.fails(network);
    const page = open(api);
    page.type("0", "раз");
    page.commit();
    await vi.advanceTimersByTimeAsync(0);
    expect(page.document.getState().kept).toBe(true);
    expect(entries).toBeGreaterThan(1);
    expect(open(server()).text("0")).toBe("раз");
  });

  it("sends nothing for an unchanged or empty text", async () => {
    const api = server();
    const page = open(api);
    page.type("0", "перший");
    page.type("0", "перший рядок ");
    await vi.advanceTimersByTimeAsync(2_000);
    page.type("1", "  ");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(api.asked).toEqual([]);
    page.cancel("1");
    expect(page.text("1")).toBe("другий рядок");
    expect(page.unsaved()).toBe(false);
  });

  it("sends the revision created by its own last edit", async () => {
    const api = server();
    const page = open(api);
    page.edit({ kind: "set_text", segment: ref("0"), text: "раз" });
    page.edit({ kind: "set_text", segment: ref("0"), text: "два" });
    await vi.advanceTimersByTimeAsync(0);
    expect(api.asked.map(({ edits }) => edits.map(({ op }) => op.kind === "set_text" && op.segment.revision))).toEqual([
      [0],
      [1],
    ]);
  });

  it("discards the unsaved text of a segment", async () => {
    const api = server();
    const page = open(api);
    page.type("0", "інше");
    page.cancel("0");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(api.asked).toEqual([]);
    expect(page.document.getState().draft).toBeNull();
  });
});

describe("a lost connection", () => {
  it("retries the same edit with increasing delays, and merges texts that were never sent", async () => {
    const api = server();
    api.fails(network);
    const page = open(api);
    page.edit({ kind: "set_text", segment: ref("0"), text: "раз" });
    await vi.advanceTimersByTimeAsync(0);
    expect(page.document.getState().status).toBe("error");
    page.edit({ kind: "set_text", segment: ref("1"), text: "два" });
    page.edit({ kind: "set_text", segment: ref("1"), text: "три" });
    await vi.advanceTimersByTimeAsync(BACKOFF_MS[0] * 1.3);
    expect(api.asked).toHaveLength(2);
    api.fails(null);
    await vi.advanceTimersByTimeAsync(BACKOFF_MS[1] * 1.3);
    expect(new Set(api.asked.map(({ edits }) => edits[0]?.edit_id)).size).toBe(1);
    expect(api.asked.at(-1)?.edits.map(({ op }) => op.kind === "set_text" && op.text)).toEqual(["раз", "три"]);
    expect(page.document.getState().status).toBe("saved");
  });

  it("does not change an edit that may have arrived: a newer text is a new edit", async () => {
    const api = server();
    api.fails(network);
    const page = open(api);
    page.edit({ kind: "set_text", segment: ref("0"), text: "раз" });
    await vi.advanceTimersByTimeAsync(0);
    page.edit({ kind: "set_text", segment: ref("0"), text: "два" });
    api.fails(null);
    await page.flush();
    const ids = api.asked.flatMap(({ edits }) => edits.map(({ edit_id }) => edit_id));
    expect(textsOf(api)).toEqual(["раз", "раз", "два"]);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[1]);
  });

  it("keeps pending edits and typed text through a reload", async () => {
    const api = server();
    api.fails(network);
    const before = open(api);
    before.edit({ kind: "set_text", segment: ref("0"), text: "раз" });
    before.type("2", "недописане");
    await vi.advanceTimersByTimeAsync(0);
    const sent = api.asked[0]?.edits[0]?.edit_id;
    before.stop();
    api.fails(null);
    const after = open(api);
    expect(after.text("0")).toBe("раз");
    expect(after.text("2")).toBe("недописане");
    await vi.advanceTimersByTimeAsync(0);
    expect(api.asked.at(-1)?.edits.map(({ edit_id }) => edit_id)[0]).toBe(sent);
    expect(textsOf(api).slice(1)).toEqual(["раз", "недописане"]);
    expect(localStorage.length).toBe(0);
  });

  it("adopts pending edits of a closed tab", async () => {
    const api = server();
    api.fails(network);
    const closed = open(api, {}, "client-b");
    closed.edit({ kind: "set_text", segment: ref("1"), text: "з іншої вкладки" });
    await vi.advanceTimersByTimeAsync(0);
    closed.stop();
    api.fails(null);
    const page = open(api);
    await page.flush();
    expect(page.text("1")).toBe("з іншої вкладки");
    expect(localStorage.length).toBe(0);
  });

  it("sends the last request with keepalive, and stores the edit until it is acknowledged", async () => {
    const api = server();
    api.fails(network);
    const page = open(api);
    page.type("0", "останнє");
    page.leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(api.asked.some(({ leaving }) => leaving)).toBe(true);
    expect(JSON.stringify({ ...localStorage })).toContain("останнє");
  });

  it("adopts corrections of subtitles under the name that earlier versions stored", async () => {
    const api = server();
    const stored = (id: string) => {
      const op = { kind: "mend_cues", segments: [{ segment: ref(id), cues: [] }] };
      return JSON.stringify({ queue: [{ edit: { edit_id: id, op }, version: 1, sent: false, seen: {} }], conflicts: [] });
    };
    localStorage.setItem(`slovo.edits.u.j.${CLIENT}`, stored("0"));
    localStorage.setItem("slovo.edits.u.j.closed", stored("1"));
    open(api);
    await vi.advanceTimersByTimeAsync(0);
    expect(api.asked.flatMap(({ edits }) => edits.map(({ op }) => op))).toEqual([
      { kind: "correct_cues", segments: [{ segment: ref("0"), cues: [] }] },
      { kind: "correct_cues", segments: [{ segment: ref("1"), cues: [] }] },
    ]);
  });

  it("works with unreadable storage", () => {
    localStorage.setItem(`slovo.edits.u.j.${CLIENT}`, "{не json");
    expect(open(server()).text("0")).toBe("перший рядок");
  });
});

describe("edits of others", () => {
  const storedEdit = (seq: number, change: SegmentChange, more: Partial<StoredEdit> = {}): StoredEdit => ({
    seq,
    edit_id: `other-${seq}`,
    client: "client-x",
    author: { name: null },
    at: "2026-11-21T09:00:00Z",
    kind: "set_text",
    changes: [change],
    speakers: null,
    ...more,
  });

  it("are applied once, and move the position in the journal", () => {
    const page = open(server());
    page.receive([storedEdit(1, { id: "1", segment: segment("1", "їхній", { revision: 1 }) })]);
    expect(page.text("1")).toBe("їхній");
    expect(page.document.getState().seq).toBe(1);
    page.receive([storedEdit(1, { id: "1", segment: segment("1", "старе", { revision: 0 }) })]);
    expect(page.text("1")).toBe("їхній");
  });

  it("can be undone here if the server made them for this page", () => {
    const page = open(server());
    page.receive([storedEdit(1, { id: "1", segment: segment("1", "їхній", { revision: 1 }) }, { kind: "recognise_again" })]);
    expect(page.document.getState().canUndo).toBe(false);
    const own = { kind: "recognise_again", client: CLIENT } as const;
    page.receive([storedEdit(2, { id: "2", segment: segment("2", "почуте знову", { revision: 1 }) }, own)]);
    expect(page.text("2")).toBe("почуте знову");
    expect(page.document.getState().canUndo).toBe(true);
  });

  it("are told apart from stretches recognised again for this page", () => {
    const page = open(server());
    const edit = (seq: number, more: Partial<StoredEdit>) =>
      storedEdit(seq, { id: "1", segment: segment("1", `почуте ${seq}`, { revision: seq }) }, more);
    expect(page.document.getState().recognisedAgain).toBeNull();
    page.receive([edit(1, { kind: "recognise_again" })]);
    expect(page.document.getState().recognisedAgain).toBeNull();
    page.receive([edit(2, { kind: "recognise_again", client: CLIENT }), edit(3, { kind: "recognise_again" })]);
    expect(page.document.getState()).toMatchObject({ seq: 3, recognisedAgain: 2 });
  });

  it("insert split segments in order, and remove joined ones", () => {
    const page = open(server());
    page.receive([
      storedEdit(1, { id: "uuid", segment: segment("0", "новий", { id: "uuid", place: { base: 0, part: 5 }, revision: 1 }) }),
      storedEdit(2, { id: "2", segment: null }),
    ]);
    expect(page.document.getState().segments.map(({ id }) => id)).toEqual(["0", "uuid", "1"]);
  });

  it("refetch the text if an event is incomplete", () => {
    const page = open(server());
    page.receive([storedEdit(1, { id: "0" }, { kind: "merge_speakers", changes: [] })]);
    expect(page.stale()).toBe(1);
  });

  it("cause a conflict between two texts, which survives a reload and ends with either text", async () => {
    const api = server();
    const remote = segment("0", "їхній", { revision: 3 });
    api.fails(() => conflictWith({ id: "0", segment: remote }));
    const page = open(api);
    page.edit({ kind: "set_text", segment: ref("0"), text: "мій" });
    await vi.advanceTimersByTimeAsync(0);
    expect(page.document.getState().conflicts).toEqual([
      { id: "0", base: "перший рядок", mine: "мій", theirs: remote, reason: "changed" },
    ]);
    expect(page.text("0")).toBe("їхній");
    page.stop();
    api.fails(null);
    const reopened = open(api, { segments: [remote, segment("1", "другий рядок")] });
    expect(reopened.document.getState().conflicts).toHaveLength(1);
    reopened.resolve("0", "мій");
    await vi.advanceTimersByTimeAsync(0);
    expect(api.asked.at(-1)?.edits[0]?.op).toMatchObject({ kind: "set_text", text: "мій", segment: { id: "0", revision: 3 } });
    expect(reopened.document.getState().conflicts).toEqual([]);
  });

  it("do not prevent sending the rest of a batch of which one edit was refused", async () => {
    const api = server();
    let first = true;
    const page = open(api);
    api.fails(network);
    page.edit({ kind: "set_text", segment: ref("0"), text: "мій" });
    await vi.advanceTimersByTimeAsync(0);
    page.edit({ kind: "set_text", segment: ref("1"), text: "вільний" });
    api.fails(() => {
      const refuse = first;
      first = false;
      return refuse ? conflictWith({ id: "0", segment: segment("0", "їхній", { revision: 1 }) }) : null;
    });
    await page.flush();
    expect(page.text("1")).toBe("вільний");
    expect(page.document.getState().conflicts.map(({ id }) => id)).toEqual(["0"]);
    expect(page.unsaved()).toBe(false);
  });

  it("do not conflict with a text if they changed only the speaker", async () => {
    const api = server();
    let refused = false;
    api.fails(() => {
      if (refused) return null;
      refused = true;
      return conflictWith({ id: "0", segment: segment("0", "перший рядок", { revision: 7, speaker: "SPEAKER_1" }) });
    });
    const page = open(api);
    page.edit({ kind: "set_text", segment: ref("0"), text: "мій" });
    await vi.advanceTimersByTimeAsync(0);
    expect(page.document.getState().conflicts).toEqual([]);
    expect(api.asked.at(-1)?.edits[0]?.op).toMatchObject({ text: "мій", segment: { revision: 7 } });
  });

  it("preserve text written into a split that became impossible", async () => {
    const api = server();
    const page = open(api);
    api.fails(network);
    page.edit({ kind: "split", segment: ref("0"), at: 6, new_segment: "новий" });
    await vi.advanceTimersByTimeAsync(0);
    page.edit({ kind: "set_text", segment: ref("новий"), text: "рядок, дописаний" });
    api.fails((edits) =>
      edits.some(({ op }) => op.kind === "split")
        ? conflictWith({ id: "0", segment: segment("0", "їхній", { revision: 1 }) })
        : null,
    );
    await page.flush();
    expect(page.document.getState().conflicts).toMatchObject([
      { id: "0", base: "перший рядок", mine: "перший рядок, дописаний", theirs: { text: "їхній" } },
    ]);
    expect(page.notices).toEqual(["dropped"]);
  });

  it("preserve a text that the server refuses", async () => {
    const api = server();
    api.fails(() => new ApiError({ status: 422, code: "validation_failed" }));
    const page = open(api);
    page.edit({ kind: "set_text", segment: ref("0"), text: "задовгий" });
    await vi.advanceTimersByTimeAsync(0);
    expect(page.document.getState().conflicts).toMatchObject([{ mine: "задовгий", reason: "refused" }]);
    expect(page.text("0")).toBe("перший рядок");
  });
});

describe("a new line that the server refuses", () => {
  const insert = {
    kind: "insert" as const,
    new_segment: "new",
    after: ref("0"),
    start: 1.5,
    end: 1.9,
    text: "пропущене",
    speaker: "SPEAKER_7",
  };
  const refuses = (edits: Edit[]) =>
    edits.some(({ op }) => op.kind === "insert") ? new ApiError({ status: 422, code: "validation_failed" }) : null;
  const insertsOf = (api: ReturnType<typeof server>) =>
    api.asked.flatMap(({ edits }) => edits.flatMap(({ edit_id, op }) => (op.kind === "insert" ? [{ edit_id, op }] : [])));

  it("is resent once after the line that starts before it, without a speaker", async () => {
    const api = server();
    api.fails((edits) => (insertsOf(api).length === 1 ? refuses(edits) : null));
    const page = open(api);
    page.edit(insert);
    await vi.advanceTimersByTimeAsync(0);
    const [first, second, ...more] = insertsOf(api);
    expect(first?.op).toEqual(insert);
    expect(second?.op).toEqual({ ...insert, after: ref("1"), speaker: null });
    expect(second?.edit_id).not.toBe(first?.edit_id);
    expect(more).toEqual([]);
    expect([page.document.getState().conflicts, page.notices, page.unsaved()]).toEqual([[], [], false]);
  });

  it("keeps its text, including later changes, and edits of other lines", async () => {
    const api = server();
    const page = open(api);
    api.fails(network);
    page.edit(insert);
    await vi.advanceTimersByTimeAsync(0);
    page.edit({ kind: "set_text", segment: ref("new"), text: "пропущене слово" });
    page.edit({ kind: "set_text", segment: ref("2"), text: "три" });
    page.type("new", "пропущене слово тут");
    api.fails(refuses);
    await page.flush();
    expect(insertsOf(api).map(({ op }) => op.after?.id)).toEqual(["0", "0", "1"]);
    expect(page.document.getState().conflicts).toMatchObject([
      { id: "new", mine: "пропущене слово тут", theirs: null, reason: "refused" },
    ]);
    expect([page.text("new"), page.text("2"), page.unsaved()]).toEqual([undefined, "три", false]);
    page.stop();
    const reopened = open(server());
    expect(reopened.document.getState().conflicts).toHaveLength(1);
    reopened.resolve("new", null);
    expect(localStorage.length).toBe(0);
  });

  it("keeps its text also if it was joined with another line, or follows a missing one", async () => {
    for (const after of [ref("0"), ref("gone")]) {
      const api = server();
      api.fails(refuses);
      const page = open(api);
      page.edit({ ...insert, after });
      page.edit({ kind: "merge", segment: ref("0"), next: ref("new") });
      await vi.advanceTimersByTimeAsync(0);
      expect(page.document.getState().conflicts).toMatchObject([{ id: "new", mine: "пропущене", theirs: null }]);
      expect([page.text("0"), page.unsaved()]).toEqual(["перший рядок", false]);
      page.resolve("new", null);
    }
  });
});

describe("a line that is moved to the bin", () => {
  const removal = (seq: number): EditAnswer => ({
    seq,
    changes: [{ id: "1", segment: null }],
    speakers: [{ id: "SPEAKER_0", name: null }],
    can_undo: true,
    can_redo: false,
  });
  const back = (seq: number): EditAnswer => ({
    ...removal(seq),
    changes: [{ id: "1", segment: segment("1", "другий рядок", { revision: seq }) }],
    can_redo: true,
  });
  const storedEdit = (answer: EditAnswer, kind: string): StoredEdit =>
    ({ ...answer, edit_id: `e${answer.seq}`, client: "other", author: null, at: "", kind }) as unknown as StoredEdit;
  const idsOf = (page: ReturnType<typeof open>) => page.document.getState().segments.map(({ id }) => id);

  it("disappears at once, and exists once after quick undo and redo", async () => {
    const api = server();
    const page = open(api);
    page.edit({ kind: "remove", segments: [ref("1")] });
    expect(idsOf(page)).toEqual(["0", "2"]);
    await vi.advanceTimersByTimeAsync(0);
    const directions: string[] = [];
    let running = 0;
    api.step.mockImplementation((async (direction: string) => {
      running += 1;
      expect(running).toBe(1);
      directions.push(direction);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
      return direction === "undo" ? back(directions.length + 1) : removal(directions.length + 1);
    }) as unknown as typeof api.step);
    void page.undo();
    void page.redo();
    void page.undo();
    void page.redo();
    void page.undo();
    await vi.advanceTimersByTimeAsync(100);
    expect(directions).toEqual(["undo", "redo", "undo", "redo", "undo"]);
    expect(idsOf(page)).toEqual(["0", "1", "2"]);
  });

  it("exists once if another tab has restored it, too, for any order of events", async () => {
    const api = server();
    const page = open(api);
    page.edit({ kind: "remove", segments: [ref("1")] });
    await vi.advanceTimersByTimeAsync(0);
    page.receive([storedEdit(removal(1), "remove"), storedEdit(back(2), "put_back")]);
    page.receive([storedEdit(back(2), "put_back")]);
    expect(idsOf(page)).toEqual(["0", "1", "2"]);
    // The response to an earlier undo arrives after the event that removed the line again.
    api.step.mockImplementation((async () => {
      page.receive([storedEdit(back(3), "undo"), storedEdit(removal(4), "remove")]);
      return back(3);
    }) as unknown as typeof api.step);
    await page.undo();
    expect(idsOf(page)).toEqual(["0", "2"]);
  });

  it("does not skip edits that others made between own ones", async () => {
    const api = server();
    const page = open(api);
    api.step.mockResolvedValueOnce(back(3));
    await page.undo();
    // Edits 1 and 2 are another author's and have not arrived yet.
    expect(page.document.getState().seq).toBe(0);
    const remote = { ...removal(1), changes: [{ id: "0", segment: segment("0", "їхній", { revision: 1 }) }] };
    page.receive([storedEdit(remote, "set_text")]);
    expect(page.text("0")).toBe("їхній");
    expect(idsOf(page)).toEqual(["0", "1", "2"]);
  });
});

describe("undo", () => {
  it("is sent after typed text, and reports if there is nothing to undo", async () => {
    const api = server();
    const page = open(api);
    page.type("0", "нове");
    await page.undo();
    expect(textsOf(api)).toEqual(["нове"]);
    expect(api.step).toHaveBeenCalledWith("undo", 1, expect.any(String));
    api.step.mockRejectedValueOnce(new ApiError({ status: 409, code: "nothing_to_undo" }));
    await page.undo();
    expect(page.notices).toEqual(["nothing_to_undo"]);
    expect(page.document.getState().canUndo).toBe(false);
  });

  it("reverts unsaved text on the page", async () => {
    const api = server();
    api.fails(network);
    const page = open(api);
    page.type("0", "нове");
    await page.undo();
    expect(api.step).not.toHaveBeenCalled();
    expect(page.text("0")).toBe("перший рядок");
  });
});

describe("undo while the server is unreachable", () => {
  const setText = (id: string, text: string) => ({ kind: "set_text" as const, segment: ref(id), text });

  /** A page with three texts written while offline. */
  async function written(api: ReturnType<typeof server>) {
    const page = open(api);
    api.fails(network);
    page.edit(setText("0", "раз"));
    await vi.advanceTimersByTimeAsync(0);
    page.edit(setText("1", "два"));
    page.edit(setText("2", "три"));
    return page;
  }

  const textsIn = (page: { text: (id: string) => string | undefined }) => ["0", "1", "2"].map(page.text);
  const state = (page: ReturnType<typeof open>) => {
    const { canUndo, canRedo } = page.document.getState();
    return [canUndo, canRedo];
  };

  it("undoes and redoes the written texts in order, and no others", async () => {
    const api = server();
    const page = await written(api);
    await page.undo();
    expect(textsIn(page)).toEqual(["раз", "два", "третій рядок"]);
    expect(state(page)).toEqual([true, true]);
    await page.undo();
    await page.undo();
    expect(textsIn(page)).toEqual(["перший рядок", "другий рядок", "третій рядок"]);
    expect(state(page)).toEqual([false, true]);
    expect(page.notices).toEqual([]);
    await page.undo();
    expect(page.notices).toEqual(["step_failed"]);
    await page.redo();
    expect(textsIn(page)).toEqual(["раз", "другий рядок", "третій рядок"]);
    page.edit(setText("2", "інше"));
    expect(state(page)).toEqual([true, false]);
    await page.undo();
    expect(textsIn(page)).toEqual(["раз", "другий рядок", "третій рядок"]);
  });

  it("continues after a reload, and is sent in the same order", async () => {
    const api = server();
    const before = await written(api);
    await before.undo();
    before.stop();
    const page = open(api);
    await vi.advanceTimersByTimeAsync(0);
    expect(textsIn(page)).toEqual(["раз", "два", "третій рядок"]);
    expect(state(page)).toEqual([true, true]);
    await page.undo();
    expect(textsIn(page)).toEqual(["раз", "другий рядок", "третій рядок"]);
    const received: string[] = [];
    api.fails((edits) => void received.push(...edits.map(({ op }) => (op.kind === "set_text" ? op.text : op.kind))));
    const revisions = [2, 2];
    api.step.mockImplementation((async (direction: string) => {
      received.push(direction);
      const id = ["2", "1"][2 - revisions.length] ?? "";
      const texts: Record<string, string> = { "1": "другий рядок", "2": "третій рядок" };
      const change = { id, segment: segment(id, texts[id] ?? "", { revision: revisions.pop() ?? 0 }) };
      return { seq: 9, changes: [change], speakers: [{ id: "SPEAKER_0", name: null }], can_undo: true, can_redo: true };
    }) as unknown as typeof api.step);
    await page.flush();
    expect(received).toEqual(["раз", "два", "три", "undo", "undo"]);
    expect(textsIn(page)).toEqual(["раз", "другий рядок", "третій рядок"]);
    expect(page.unsaved()).toBe(false);
    expect(state(page)).toEqual([true, true]);
  });

  it("does not conflict if the undone text was edited by others, and undoes nothing else", async () => {
    const api = server();
    const page = await written(api);
    await page.undo();
    await page.undo();
    const remote = segment("1", "їхній", { revision: 1 });
    api.fails((edits) =>
      edits.some(({ op }) => op.kind === "set_text" && op.segment.id === "1") ? conflictWith({ id: "1", segment: remote }) : null,
    );
    // It may have reached the server with the others, so it is undone there; the conflicting text is discarded.
    api.step.mockResolvedValueOnce({
      seq: 3,
      changes: [{ id: "2", segment: segment("2", "третій рядок", { revision: 2 }) }],
      speakers: [{ id: "SPEAKER_0", name: null }],
      can_undo: true,
      can_redo: true,
    });
    await page.flush();
    expect(page.document.getState().conflicts).toEqual([]);
    expect(page.unsaved()).toBe(false);
    expect(textsIn(page)).toEqual(["раз", "їхній", "третій рядок"]);
    expect(api.step.mock.calls.map(([direction]: unknown[]) => direction)).toEqual(["undo"]);
  });

  it("does not undo another edit when a field is cancelled", async () => {
    const api = server();
    const page = await written(api);
    await page.undo();
    page.edit(setText("1", "ще інше"));
    page.cancel("1");
    expect(textsIn(page)).toEqual(["раз", "два", "третій рядок"]);
    api.fails(null);
    await page.flush();
    expect(textsOf(api).slice(-3)).toEqual(["раз", "два", "три"]);
    expect(api.step).toHaveBeenCalledTimes(1);
    expect(page.unsaved()).toBe(false);
  });

  it("does not adopt steps of a closed tab for edits that have reached the server", async () => {
    const api = server();
    const step = (id: string, kind: string) => ({ edit: { edit_id: id, op: { kind } }, version: 1, sent: false, seen: {} });
    const edit = { edit: { edit_id: "e", op: setText("0", "раз") }, version: 1, sent: true, seen: {} };
    localStorage.setItem(
      "slovo.edits.u.j.closed",
      JSON.stringify({ queue: [step("a", "undo"), edit, step("b", "undo")], conflicts: [] }),
    );
    open(api);
    await vi.advanceTimersByTimeAsync(0);
    expect(textsOf(api)).toEqual(["раз"]);
    expect(api.step).toHaveBeenCalledTimes(1);
  });
});
