import { expect, it } from "vitest";
import { subtitleLimits } from "@/rules/text";
import type { EditedSegment } from "../document/model";
import { type CueText, cuesAt, figuresOf, overLimitsAt } from "./cues";

const segment = (id: number, start: number, end: number, text = "Так.", speaker: string | null = null): EditedSegment => ({
  id: String(id),
  revision: 0,
  place: { base: id, part: 0 },
  start,
  end,
  speaker,
  text,
  words: [],
});

const speakers = [{ id: "SPEAKER_1", name: "Олена" }];
const textOf = (segments: EditedSegment[], duration = 9): CueText => ({ segments, speakers, duration });
const times = (text: CueText, at: number) => cuesAt(text, at).map(({ start, end }) => [start, end]);

const { min_seconds: least } = subtitleLimits();

it("extends a short subtitle into the available time, like exported files", () => {
  const text = textOf([segment(0, 1, 1.2), segment(1, 2.3, 4), segment(2, 8, 8.1)], 60);
  // Until two frames before the next one.
  expect(times(text, 0)).toEqual([[1, 2.22]]);
  expect(times(text, 1)).toEqual([[2.3, 4]]);
  expect(times(text, 2)).toEqual([[8, 8 + least]]);
});

it("recomputes a subtitle only if the following one has moved", () => {
  const [first, second] = [segment(0, 1, 1.2), segment(1, 5, 6)];
  const built = cuesAt(textOf([first, second]), 0);
  expect(cuesAt(textOf([first, segment(1, 5, 6, "Інше.")]), 0)).toBe(built);
  expect(times(textOf([first, segment(1, 2.3, 6)]), 0)).toEqual([[1, 2.22]]);
});

it("is preceded by the speaker after a change, which counts for the width", () => {
  const segments = [
    segment(0, 1, 3, "Так.", "SPEAKER_0"),
    segment(1, 4, 6, "Ні.", "SPEAKER_1"),
    segment(2, 7, 8, "Так.", "SPEAKER_1"),
  ];
  const heads = segments.flatMap((_, at) => cuesAt(textOf(segments), at).map(({ head }) => head));
  expect(heads).toEqual(["S1: ", "Олена: ", ""]);
  expect(figuresOf(["Ні."], 2, "Олена: ").columns).toEqual([10]);
});

it("computes the same subtitles of a long text in any order", () => {
  const segments = Array.from({ length: 100 }, (_, n) => segment(n, 3 * n, 3 * n + 1.8, "Речення, яке задовге для свого часу."));
  const from = (order: number[]) => {
    const copy = textOf(
      segments.map((line) => ({ ...line })),
      400,
    );
    const timesByPlace = new Map(order.map((at) => [at, times(copy, at)]));
    return segments.map((_, at) => timesByPlace.get(at));
  };
  const order = segments.map((_, at) => at);
  expect(from([...order].reverse())).toEqual(from(order));
});

it("checks limits with the times of exported files", () => {
  const words = "Двадцять три знаки тут!";
  const fast = segment(0, 1, 1.2, words);
  // The neighbours need all of their time, and the recording ends with them.
  const crowded = textOf([fast, segment(1, 1.3, 2, words), segment(2, 2.1, 3, words)], 3);
  expect(overLimitsAt(crowded, 0).map(({ cue }) => cue.part)).toEqual([0]);
  expect(overLimitsAt(textOf([fast, segment(1, 4, 5)]), 0)).toEqual([]);
});

it("keeps manual subtitles exactly, and computes their gap to the previous one", () => {
  const hand = (at: number, start: number, end: number, from: number, to: number, breaks: number[] = []) => ({
    ...segment(at, start, end, "Раз два."),
    cues: [{ at: 0, start: from, end: to, breaks }],
  });
  const text = textOf([hand(0, 1, 3, 1.5, 2, [4]), hand(1, 2.5, 4, 1.8, 3), hand(2, 5, 6, 6.5, 8)], 60);
  expect(text.segments.map((_, at) => times(text, at))).toEqual([[[1.5, 2]], [[1.8, 3]], [[6.5, 8]]]);
  expect(cuesAt(text, 0)[0]?.lines).toEqual(["Раз", "два."]);
  const kinds = (at: number) => overLimitsAt(text, at).map(({ findings }) => findings.map(({ kind }) => kind));
  expect(kinds(0)).toEqual([["short"]]);
  expect(kinds(1)).toEqual([["overlap"]]);
  expect(kinds(2)).toEqual([]);
  // An automatically placed neighbour is moved.
  const beside = textOf([hand(0, 1, 3, 1, 3.5), segment(1, 3.2, 6, "Три чотири.")], 60);
  expect(times(beside, 1)[0]?.[0]).toBeGreaterThanOrEqual(3.5);
});

it("checks subtitles in order of time", () => {
  const hand = { ...segment(0, 1, 3, "Раз."), cues: [{ at: 0, start: 6, end: 8, breaks: [] }] };
  // Placed automatically, it comes before a subtitle of the previous line.
  const text = textOf([hand, segment(1, 2, 4, "Два.")], 60);
  expect([...times(text, 1), ...times(text, 0)]).toEqual([
    [2, expect.any(Number)],
    [6, 8],
  ]);
  expect([overLimitsAt(text, 0), overLimitsAt(text, 1)]).toEqual([[], []]);
});

it("reads each line of a text without pauses a few times only", () => {
  const lines = Array.from({ length: 500 }, (_, at) => segment(at, at, at + 1, "Мовлення без жодної паузи."));
  let read = 0;
  const counted = new Proxy(lines, {
    get: (target, key, receiver) => {
      read += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  const text = textOf(counted, 500);
  const found = lines.map((_, at) => [cuesAt(text, at).length, overLimitsAt(text, at).length]);
  expect(found).toHaveLength(500);
  // A comparison of the whole block for each line would be 250,000.
  expect(read).toBeLessThan(20 * lines.length);
});
