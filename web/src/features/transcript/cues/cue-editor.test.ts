import { expect, it } from "vitest";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { apply } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import type { EditedSegment, EditOp } from "../document/model";
import { createCueEditor } from "./cue-editor";
import { createCueStore } from "./cue-store";

const segment = (id: number, start: number, end: number, more: Partial<EditedSegment> = {}): EditedSegment => ({
  id: String(id),
  revision: 0,
  place: { base: id, part: 0 },
  start,
  end,
  speaker: null,
  text: "Раз два три.",
  words: [],
  ...more,
});

function editorOf(segments: EditedSegment[], duration = 60, time = 0) {
  const positions = new Map(segments.map(({ id }, at) => [id, at]));
  let state = { segments, speakers: [], positions } as unknown as ReturnType<DocumentStore["getState"]>;
  const edits: EditOp[] = [];
  const edit = (op: EditOp) => {
    edits.push(op);
    state = { ...state, ...apply(state, op) };
  };
  const document = { getState: () => state, actions: { commit: () => undefined, edit } } as unknown as DocumentStore;
  const player = { getState: () => ({ time }) } as unknown as PlayerStore;
  return { editor: createCueEditor(document, player, createCueStore(), duration), edits };
}

const key = (segment: number, part = 0) => ({ segment: String(segment), part });
const starts = (editor: ReturnType<typeof editorOf>["editor"], count: number) =>
  Array.from({ length: count }, (_, at) => editor.cuesOf(String(at))[0]?.start ?? 0);

it("keeps the order with automatically placed neighbours when moved as far as possible", () => {
  const lines = [
    segment(0, 1, 3),
    segment(1, 4, 6),
    segment(2, 7, 9),
    segment(3, 10, 12, { cues: [{ at: 0, start: 9.5, end: 12, breaks: [] }] }),
  ];
  for (const edge of ["start", "end"] as const) {
    const { editor, edits } = editorOf(lines);
    const { least, most } = editor.room(key(1));
    const current = editor.cue(key(1));
    expect(
      editor.move(key(1), { start: current?.start ?? 0, end: current?.end ?? 0, [edge]: edge === "start" ? least : most }),
    ).toBeNull();
    expect(edits).toHaveLength(1);
    const startTimes = starts(editor, 4);
    expect(startTimes).toEqual([...startTimes].sort((a, b) => a - b));
  }
});

it("refuses a typed or playback time that would change the order of subtitles", () => {
  const lines = [segment(0, 1, 3), segment(1, 4, 6), segment(2, 7, 9)];
  const { editor, edits } = editorOf(lines, 60, 1.2);
  expect(editor.move(key(1), { start: 1.2, end: 6 })).toBe("neighbour");
  expect(editor.setAtPlayhead(key(1), "start")).toBe("neighbour");
  expect(edits).toEqual([]);
  expect(editor.move(key(1), { start: 1.5, end: 6 })).toBeNull();
  const startTimes = starts(editor, 3);
  expect(startTimes[1]).toBe(1.5);
  expect(startTimes).toEqual([...startTimes].sort((a, b) => a - b));
});

it("accepts times up to the end of the last line, even after the end of the recording", () => {
  const { editor } = editorOf([segment(0, 1, 3), segment(1, 8, 12)], 10);
  expect(editor.room(key(1)).most).toBe(12);
  expect(editor.move(key(1), { start: 9, end: 12 })).toBeNull();
  expect(editor.move(key(1), { start: 9, end: 12.5 })).toBe("outside");
});

it("reports a line with too many subtitles for manual placement", () => {
  const text = Array.from({ length: 60 }, (_, at) => `Речення номер ${at}, яке стоїть довго.`).join(" ");
  const { editor, edits } = editorOf([segment(0, 1, 300, { text })], 400);
  const cues = editor.cuesOf("0");
  expect(cues.length).toBeGreaterThan(50);
  const [first] = cues;
  expect(editor.move(key(0), { start: (first?.start ?? 0) + 0.2, end: first?.end ?? 0 })).toBe("tooMany");
  expect(editor.split("0", text.indexOf("номер"))).toBe("tooMany");
  expect(editor.breakAt("0", text.indexOf("номер"))).toBe("tooMany");
  expect(editor.join(key(0))).toBe("tooMany");
  expect(edits).toEqual([]);
});
