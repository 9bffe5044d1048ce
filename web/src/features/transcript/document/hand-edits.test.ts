import { describe, expect, it } from "vitest";
import { apply, segmentOf, type Text, textOf } from "./apply";
import { resolveConflicts } from "./conflicts";
import type { EditedSegment, EditOp, HandCue } from "./model";
import { nextBatch, type Pending, rebase, refsOf, snapshotOf, touchedBy } from "./pending";
import { shareUnchanged } from "./share-unchanged";

const line = (at: number, more: Partial<EditedSegment> = {}): EditedSegment => ({
  id: String(at),
  revision: 2,
  place: { base: at, part: 0 },
  start: at * 10,
  end: at * 10 + 4,
  speaker: null,
  text: "раз два три",
  words: [
    { text: "раз", start: at * 10, end: at * 10 + 1, confidence: 0.9 },
    { text: "два", start: at * 10 + 1, end: at * 10 + 2, confidence: 0.9 },
    { text: "три", start: at * 10 + 2, end: at * 10 + 4, confidence: 0.9 },
  ],
  ...more,
});

const CUES: HandCue[] = [
  { at: 0, start: 0, end: 1, breaks: [] },
  { at: 4, start: 1, end: 4, breaks: [8] },
];
const ref = (at: number) => ({ id: String(at), revision: 2 });
const text = () => textOf([line(0), line(1), line(2)], []);
const setCues = (cues: HandCue[]): EditOp => ({ kind: "set_cues", segment: ref(0), cues });
const insert = (after: number | null): EditOp => ({
  kind: "insert",
  new_segment: "new",
  after: after === null ? null : ref(after),
  start: 5,
  end: 6,
  text: "  так  ",
  speaker: "SPEAKER_1",
});

describe("the text", () => {
  it("gets manual subtitles, and automatic ones again", () => {
    const before = text();
    const after = apply(before, setCues(CUES));
    expect(segmentOf(after, "0")?.cues).toEqual(CUES);
    expect(after.segments[1]).toBe(before.segments[1]);
    expect(segmentOf(apply(after, setCues([])), "0")?.cues).toEqual([]);
    const corrected = apply(before, { kind: "correct_cues", segments: [0, 2].map((at) => ({ segment: ref(at), cues: CUES })) });
    expect(corrected.segments.map(({ cues }) => cues?.length ?? 0)).toEqual([2, 0, 2]);
  });

  it("moves subtitles with changed words", () => {
    const after = apply(apply(text(), setCues(CUES)), { kind: "set_text", segment: ref(0), text: "раз і два три" });
    expect(segmentOf(after, "0")?.cues?.map(({ at, breaks }) => [at, ...breaks])).toEqual([[0], [6, 10]]);
    expect(segmentOf(after, "0")?.cues?.map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 4],
    ]);
  });

  it("moves a line together with its words and subtitles", () => {
    const before = apply(text(), setCues(CUES));
    const moved = segmentOf(apply(before, { kind: "set_times", times: [{ segment: ref(0), start: 1, end: 9 }] }), "0");
    expect(moved).toMatchObject({ start: 1, end: 9 });
    expect(moved?.words.map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [3, 5],
      [5, 9],
    ]);
    expect(moved?.cues?.map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [3, 9],
    ]);
  });

  it.each([
    [0, ["0", "new", "1", "2"]],
    [2, ["0", "1", "2", "new"]],
    [null, ["new", "0", "1", "2"]],
  ])("gets a line inserted after %s", (after, order) => {
    const result = apply(text(), insert(after));
    expect(result.segments.map(({ id }) => id)).toEqual(order);
    expect(segmentOf(result, "new")).toMatchObject({ start: 5, end: 6, text: "так", speaker: "SPEAKER_1", words: [] });
    // Segments from the server are sorted by place.
    const places = result.segments.map(({ place }) => place);
    expect([...places].sort((a, b) => a.base - b.base || a.part - b.part)).toEqual(places);
    expect(apply(result, insert(after))).toBe(result);
  });

  it.each([
    [1, "ru"],
    [0, "uk"],
    // That of the whole text.
    [null, null],
  ])("gives a line inserted after %s the language of the line before it", (after, language) => {
    const before = textOf([line(0, { language: "uk" }), line(1, { language: "ru" })], []);
    expect(segmentOf(apply(before, insert(after)), "new")?.language ?? null).toBe(language);
  });

  it("keeps the languages of split and merged lines", () => {
    const before = textOf([line(0, { language: "ru" }), line(1, { language: "uk", text: "раз", words: [] })], []);
    const split = apply(before, { kind: "split", segment: ref(0), at: 4, new_segment: "new" });
    expect(split.segments.map(({ language }) => language)).toEqual(["ru", "ru", "uk"]);
    // The longer part decides.
    const merged = apply(before, { kind: "merge", segment: ref(0), next: ref(1) });
    expect(merged.segments.map(({ language }) => language)).toEqual(["ru"]);
  });

  it("gets no line without text, or after a removed line", () => {
    const unchanged = text();
    expect(apply(unchanged, { ...insert(0), text: " " } as EditOp)).toBe(unchanged);
    expect(apply(unchanged, { ...insert(0), after: { id: "9", revision: 0 } } as EditOp)).toBe(unchanged);
    expect(apply(textOf([], []), insert(null)).segments).toHaveLength(1);
  });

  it("stays the same object if a response has equal subtitles", () => {
    const before = apply(text(), setCues(CUES));
    const reloaded = (cues: HandCue[]): Text => textOf([line(0, { cues }), line(1), line(2)], []);
    expect(shareUnchanged(before, reloaded(structuredClone(CUES))).segments).toBe(before.segments);
    const other = CUES.with(1, { at: 4, start: 1, end: 4, breaks: [] });
    expect(shareUnchanged(before, reloaded(other)).segments[0]?.cues).toEqual(other);
  });
});

describe("a pending edit", () => {
  const setTimes: EditOp = { kind: "set_times", times: [{ segment: ref(0), start: 1, end: 3 }] };
  const correct: EditOp = {
    kind: "correct_cues",
    segments: [
      { segment: ref(0), cues: CUES },
      { segment: ref(1), cues: CUES },
    ],
  };
  const pending = (op: EditOp, edit_id: string = op.kind): Pending => ({
    edit: { edit_id, op },
    version: 1,
    sent: false,
    seen: snapshotOf(text(), op),
  });
  const settled = (op: EditOp, current: EditedSegment | null) =>
    resolveConflicts([pending(op)], {
      changed: new Set(["0"]),
      now: () => current,
      mine: () => "",
      behind: (seconds) => (seconds >= 5 ? ref(1) : null),
      newId: () => "again",
    });

  it("refers to its lines, including a new one", () => {
    expect(refsOf(setCues(CUES))).toEqual([ref(0)]);
    expect(refsOf(correct)).toEqual([ref(0), ref(1)]);
    expect(refsOf(setTimes)).toEqual([ref(0)]);
    expect(refsOf(insert(0))).toEqual([]);
    expect(touchedBy(insert(0))).toEqual(["new"]);
    // Edits of a new line are not sent in the same request.
    const typed: EditOp = { kind: "set_text", segment: { id: "new", revision: 0 }, text: "ні" };
    expect(nextBatch([pending(insert(0)), pending(typed)])).toHaveLength(1);
  });

  it("can be rebased on other revisions", () => {
    for (const op of [setCues(CUES), correct, setTimes]) {
      const rebased = rebase(pending(op), (id) => (id === "0" ? 7 : undefined)).edit.op;
      expect(refsOf(rebased)[0]).toEqual({ id: "0", revision: 7 });
    }
  });

  it("is resent after a change of speaker", () => {
    for (const op of [setCues(CUES), correct, setTimes]) {
      expect(settled(op, line(0, { revision: 3, speaker: "SPEAKER_1" }))).toMatchObject({ dropped: false, queue: [{}] });
    }
  });

  it("inserts a line elsewhere only if the line before it is gone", () => {
    expect(settled(insert(0), null)).toMatchObject({
      dropped: false,
      queue: [{ edit: { edit_id: "again", op: { ...insert(1), new_segment: "new" } } }],
    });
    expect(settled(insert(0), line(0, { revision: 3, text: "інше" })).queue).toMatchObject([
      { edit: { edit_id: "insert", op: insert(0) } },
    ]);
  });

  it("sets times after a change of text, but not of times", () => {
    expect(settled(setTimes, line(0, { revision: 3, text: "інше" })).queue).toHaveLength(1);
    expect(settled(setTimes, line(0, { revision: 3, end: 5 }))).toMatchObject({ dropped: true, queue: [] });
  });

  it("does not set subtitles after a change of text or times, for which they were made", () => {
    const correctLine: EditOp = { kind: "correct_cues", segments: [{ segment: ref(0), cues: CUES }] };
    for (const op of [setCues(CUES), correctLine]) {
      expect(settled(op, line(0, { revision: 3, text: "інше" }))).toMatchObject({ dropped: true, queue: [] });
      expect(settled(op, line(0, { revision: 3, start: 1 }))).toMatchObject({ dropped: true, queue: [] });
      expect(settled(op, null)).toMatchObject({ dropped: true, queue: [] });
    }
  });

  it("does not overwrite subtitles that another author has set meanwhile", () => {
    const correctLine: EditOp = { kind: "correct_cues", segments: [{ segment: ref(0), cues: [] }] };
    const before = apply(text(), setCues(CUES));
    for (const op of [setCues([]), correctLine]) {
      const over = (cues: HandCue[], seen = snapshotOf(before, op)) =>
        resolveConflicts([{ ...pending(op), seen }], {
          changed: new Set(["0"]),
          now: () => line(0, { revision: 3, cues }),
          mine: () => "",
          behind: () => null,
          newId: () => "again",
        });
      expect(over(CUES.slice(0, 1))).toMatchObject({ dropped: true, queue: [] });
      expect(over(CUES, snapshotOf(text(), op))).toMatchObject({ dropped: true, queue: [] });
      // Earlier subtitles are equal up to rounding of their times.
      const same = CUES.map((cue) => ({ ...cue, end: cue.end + 0.0002 }));
      expect(over(same)).toMatchObject({ dropped: false, queue: [{ edit: { edit_id: "again" } }] });
    }
  });

  describe("with others after it", () => {
    const setText = (at: number): EditOp => ({ kind: "set_text", segment: ref(at), text: "раз два" });
    /** Each is based on the text after those before it. */
    const queueOf = (...ops: EditOp[]): Pending[] => {
      let current = text();
      return ops.map((op, at) => {
        const pendingEdit = { ...pending(op, String(at)), seen: snapshotOf(current, op) };
        current = apply(current, op);
        return pendingEdit;
      });
    };
    /** The result when the first line was changed. */
    const allSettled = (first: Partial<EditedSegment>, ...ops: EditOp[]) => {
      const { queue, conflicts, dropped } = resolveConflicts(queueOf(...ops), {
        changed: new Set(["0"]),
        now: (id) => (id === "0" ? line(0, { revision: 3, ...first }) : line(Number(id))),
        mine: (ids) => ids.join(),
        behind: () => null,
        newId: () => "again",
      });
      return {
        ops: queue.map(({ edit }) => [edit.op.kind, ...refsOf(edit.op).map(({ id }) => id)].join(" ")),
        conflicts,
        dropped,
      };
    };

    it("drops one line of a correction, but not the others, nor texts written afterwards", () => {
      const all = allSettled({ start: 1 }, correct, setText(1), setText(0));
      expect(all).toEqual({ ops: ["correct_cues 1", "set_text 1", "set_text 0"], conflicts: [], dropped: true });
    });

    it("causes a conflict only for the line whose text both have changed", () => {
      const { ops, conflicts } = allSettled({ text: "інше" }, correct, setText(1), setText(0));
      expect(ops).toEqual(["correct_cues 1", "set_text 1"]);
      expect(conflicts).toMatchObject([{ id: "0", mine: "0", theirs: { text: "інше" } }]);
    });

    it("causes no conflict of a text if only subtitles or times before it were dropped", () => {
      const [remote, times] = [
        { end: 5 },
        { kind: "set_times" as const, times: [0, 1].map((at) => ({ segment: ref(at), start: at * 10, end: at * 10 + 3 })) },
      ];
      expect(allSettled(remote, setCues(CUES), setText(0))).toEqual({ ops: ["set_text 0"], conflicts: [], dropped: true });
      // Subtitles made for the new times do not fit the old ones.
      const all = allSettled(remote, times, setText(1), { kind: "set_cues", segment: ref(1), cues: CUES }, setText(0));
      expect(all).toEqual({ ops: ["set_text 1", "set_text 0"], conflicts: [], dropped: true });
    });

    it("is resent after a change of speaker, each based on the result of the previous one", () => {
      const remote = { speaker: "SPEAKER_1", end: 4.0002 };
      const times: EditOp = { kind: "set_times", times: [{ segment: ref(0), start: 1, end: 3 }] };
      const ops = (...kinds: string[]) => ({ ops: kinds.map((kind) => `${kind} 0`), conflicts: [], dropped: false });
      expect(allSettled(remote, setText(0), setCues(CUES))).toEqual(ops("set_text", "set_cues"));
      expect(allSettled(remote, times, setCues(CUES))).toEqual(ops("set_times", "set_cues"));
      expect(allSettled(remote, setCues(CUES), setText(0), correct)).toMatchObject({ conflicts: [], dropped: false });
      expect(allSettled(remote, setCues(CUES), times, setCues([])).ops).toHaveLength(3);
    });

    it("is not rebased on changes that the previous one does not cover", () => {
      const name: EditOp = { kind: "set_speaker", segments: [ref(0)], speaker: "SPEAKER_1" };
      const { ops, conflicts } = allSettled({ text: "інше" }, name, setText(0));
      expect(ops).toEqual(["set_speaker 0"]);
      expect(conflicts).toMatchObject([{ id: "0" }]);
      const times: EditOp = { kind: "set_times", times: [{ segment: ref(0), start: 1, end: 3 }] };
      expect(allSettled({ text: "інше" }, times, setCues(CUES))).toMatchObject({ ops: ["set_times 0"], dropped: true });
    });
  });
});
