/** A visitor's edits of a shared text, saved and unsaved. */
import { ApiError, type SegmentChange, type SharedEditSaved, type SharedSegment, type SharedTranscript } from "@/api";

/** A line as edited by the visitor, until the server has stored it. */
export interface Draft {
  /** The line: the id of its segment. */
  line: string;
  text: string;
  /** The run and the revision that the visitor saw. */
  version: number;
  revision: number;
  /** The same until it is stored, so that a retry is stored once. */
  editId: string;
  state: "sending" | SaveFailure;
}

/** Why a draft is not saved. */
export type SaveFailure =
  /** The other author's revision; null if the line was removed. */
  | { kind: "conflict"; theirs: { text: string; revision: number } | null }
  /** After a reload the error is unknown. */
  | { kind: "failed"; error: unknown };

export type Drafts = ReadonlyMap<string, Draft>;

/** The text after an edit. Lines that are new here arrive with the next fetch. */
export function withSavedEdit(shared: SharedTranscript, saved: Pick<SharedEditSaved, "changes" | "speakers" | "can_undo">) {
  const changes = new Map(saved.changes.map(({ id, segment }) => [id, segment ?? null]));
  const segments = shared.transcript.segments.flatMap((segment) => {
    const changed = changes.get(segment.id);
    return changed === undefined ? [segment] : changed === null ? [] : [changed];
  });
  const transcript = { ...shared.transcript, segments, speakers: saved.speakers };
  return { ...shared, can_undo: saved.can_undo, transcript };
}

/** The lines with drafts in progress, so that typed text does not flicker until it is saved. */
export function withDrafts(segments: readonly SharedSegment[], drafts: Drafts): readonly SharedSegment[] {
  const sending = [...drafts.values()].filter(({ state }) => state === "sending");
  if (sending.length === 0) return segments;
  const texts = new Map(sending.map(({ line, text }) => [line, text]));
  return segments.map((segment) => {
    const text = texts.get(segment.id);
    return text === undefined ? segment : { ...segment, text, words: [] };
  });
}

/** The reason from the server's response to an edit. */
export function saveFailure(error: unknown, line: string): SaveFailure {
  if (error instanceof ApiError && error.code === "edit_conflict") {
    const conflicts = (error.params.conflicts ?? []) as readonly SegmentChange[];
    const current = conflicts.find(({ id }) => id === line)?.segment ?? null;
    return { kind: "conflict", theirs: current && { text: current.text, revision: current.revision } };
  }
  return { kind: "failed", error };
}

/** For each line, the revisions before and after the visitor's own edits. */
export type OwnSteps = Map<string, number>;

const stepOf = (line: string, revision: number): string => `${line} ${revision}`;

/** Records the revision that an own edit has created. */
export function recordOwnStep(steps: OwnSteps, line: string, sent: number, saved: Pick<SharedEditSaved, "changes">): void {
  const current = saved.changes.find(({ id }) => id === line)?.segment?.revision;
  if (current != null && current > sent) steps.set(stepOf(line, sent), current);
}

/** The latest revision created from the one that the visitor saw by their own edits only. */
export function latestOwnRevision(steps: OwnSteps, line: string, revision: number): number {
  let current = revision;
  for (let next = steps.get(stepOf(line, current)); next !== undefined; next = steps.get(stepOf(line, current))) current = next;
  return current;
}

/** Whether the draft still applies to the shown text. */
export const stillApplies = (draft: Draft, { version, segments }: SharedTranscript["transcript"]): boolean =>
  draft.version === version && segments.some(({ id }) => id === draft.line);
