import { beforeEach, expect, it } from "vitest";
import { ApiError, type SharedSegment, type SharedTranscript } from "@/api";
import {
  type Draft,
  latestOwnRevision,
  type OwnSteps,
  recordOwnStep,
  saveFailure,
  stillApplies,
  withDrafts,
  withSavedEdit,
} from "./edits";
import { dropDraft, storeDraft, storedDrafts } from "./stored-drafts";

const line = (id: string, text: string, revision = 0): SharedSegment => ({
  id,
  revision,
  start: 0,
  end: 1,
  speaker: null,
  text,
  words: [{ start: 0, end: 1, text }],
});

const shared = (...segments: SharedSegment[]) =>
  ({ can_undo: false, transcript: { version: 1, segments, speakers: [] } }) as unknown as SharedTranscript;

const draft = (text: string, state: Draft["state"] = "sending"): Draft => ({
  line: "1",
  text,
  version: 1,
  revision: 0,
  editId: "e",
  state,
});

const conflict = (segment: unknown) =>
  new ApiError({ status: 409, code: "edit_conflict", params: { conflicts: [{ id: "1", segment }] } });

beforeEach(() => {
  dropDraft("t", "1", "e");
  dropDraft("other", "1", "e");
});

it("applies saved changes to the text, including removals", () => {
  const before = shared(line("0", "раз"), line("1", "два"), line("2", "три"));
  const saved = {
    changes: [
      { id: "1", segment: line("1", "двоє", 1) },
      { id: "2", segment: null },
    ],
    speakers: [{ id: "SPEAKER_0", name: "Олена" }],
    can_undo: true,
  };
  const after = withSavedEdit(before, saved);
  expect(after.transcript.segments.map(({ text }) => text)).toEqual(["раз", "двоє"]);
  expect(after.transcript.segments[0]).toBe(before.transcript.segments[0]);
  expect(after.transcript.speakers[0]?.name).toBe("Олена");
  expect(after.can_undo).toBe(true);
});

it("shows pending drafts in the text, but failed ones only beside it", () => {
  const segments = [line("0", "раз"), line("1", "два")];
  expect(withDrafts(segments, new Map([["1", draft("двоє")]]))[1]?.text).toBe("двоє");
  const failed = draft("двоє", { kind: "failed", error: null });
  expect(withDrafts(segments, new Map([["1", failed]]))).toBe(segments);
});

it("distinguishes conflicts, removed lines and other errors", () => {
  const theirs = { text: "дві", revision: 4 };
  expect(saveFailure(conflict(theirs), "1")).toEqual({ kind: "conflict", theirs });
  expect(saveFailure(conflict(null), "1")).toEqual({ kind: "conflict", theirs: null });
  const notFound = new ApiError({ status: 404, code: "not_found" });
  expect(saveFailure(notFound, "1")).toEqual({ kind: "failed", error: notFound });
});

it("follows own edits from the known revision, but not those of others", () => {
  const steps: OwnSteps = new Map();
  recordOwnStep(steps, "1", 0, { changes: [{ id: "1", segment: line("1", "а", 1) }] });
  recordOwnStep(steps, "1", 1, { changes: [{ id: "1", segment: line("1", "б", 2) }] });
  recordOwnStep(steps, "1", 5, { changes: [{ id: "2", segment: line("2", "в", 6) }] });
  expect(latestOwnRevision(steps, "1", 0)).toBe(2);
  expect(latestOwnRevision(steps, "1", 3)).toBe(3);
  expect(latestOwnRevision(steps, "1", 5)).toBe(5);
  expect(latestOwnRevision(steps, "2", 0)).toBe(0);
});

it("does not apply to another run or a removed line", () => {
  const { transcript } = shared(line("1", "два"));
  expect(stillApplies(draft("а"), transcript)).toBe(true);
  expect(stillApplies({ ...draft("а"), version: 2 }, transcript)).toBe(false);
  expect(stillApplies({ ...draft("а"), line: "9" }, transcript)).toBe(false);
});

it("stores drafts per link", () => {
  storeDraft("t", draft("двоє"));
  expect(storedDrafts("other").size).toBe(0);
  expect(storedDrafts("t").get("1")).toMatchObject({ text: "двоє", state: { kind: "failed" } });
  expect(JSON.parse(sessionStorage.getItem("slovo.share.drafts.t") ?? "[]")).toHaveLength(1);
  dropDraft("t", "1", "e");
  expect(storedDrafts("t").size).toBe(0);
  expect(sessionStorage.getItem("slovo.share.drafts.t")).toBeNull();
});
