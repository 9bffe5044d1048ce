/** What becomes of a shared text that its visitor corrects, and of what could not be saved. */
import { ApiError, type SegmentChange, type SharedEditSaved, type SharedSegment, type SharedTranscript } from "@/api";

/** A line as the visitor has written it, until the server has it. */
export interface Draft {
  /** The line: the id of its segment. */
  line: string;
  text: string;
  /** The run and the revision that the visitor saw. */
  version: number;
  revision: number;
  /** The same until it is stored: what is sent again is stored once. */
  editId: string;
  state: "sending" | Trouble;
}

/** Why a draft is not saved. */
export type Trouble =
  /** The other author's revision; null: the line is gone. */
  | { kind: "conflict"; theirs: { text: string; revision: number } | null }
  /** The error is not known any more after a reload. */
  | { kind: "failed"; error: unknown };

export type Drafts = ReadonlyMap<string, Draft>;

/** The text with what an edit has made of it. A line that is new here comes with the next reading. */
export function applied(shared: SharedTranscript, saved: Pick<SharedEditSaved, "changes" | "speakers" | "can_undo">) {
  const changes = new Map(saved.changes.map(({ id, segment }) => [id, segment ?? null]));
  const segments = shared.transcript.segments.flatMap((segment) => {
    const changed = changes.get(segment.id);
    return changed === undefined ? [segment] : changed === null ? [] : [changed];
  });
  const transcript = { ...shared.transcript, segments, speakers: saved.speakers };
  return { ...shared, can_undo: saved.can_undo, transcript };
}

/** The lines with the texts that are on their way: what one has written does not jump back until it is saved. */
export function overlaid(segments: readonly SharedSegment[], drafts: Drafts): readonly SharedSegment[] {
  const sending = [...drafts.values()].filter(({ state }) => state === "sending");
  if (sending.length === 0) return segments;
  const texts = new Map(sending.map(({ line, text }) => [line, text]));
  return segments.map((segment) => {
    const text = texts.get(segment.id);
    return text === undefined ? segment : { ...segment, text, words: [] };
  });
}

/** What the answer to an edit says is wrong with it. */
export function troubleOf(error: unknown, line: string): Trouble {
  if (error instanceof ApiError && error.code === "edit_conflict") {
    const conflicts = (error.params.conflicts ?? []) as readonly SegmentChange[];
    const now = conflicts.find(({ id }) => id === line)?.segment ?? null;
    return { kind: "conflict", theirs: now && { text: now.text, revision: now.revision } };
  }
  return { kind: "failed", error };
}

/** Revisions that the visitor's own edits have led from and to, by line. */
export type OwnSteps = Map<string, number>;

const stepOf = (line: string, revision: number): string => `${line} ${revision}`;

/** Notes what an own edit has made of the revision that it named. */
export function noteStep(steps: OwnSteps, line: string, sent: number, saved: Pick<SharedEditSaved, "changes">): void {
  const now = saved.changes.find(({ id }) => id === line)?.segment?.revision;
  if (now != null && now > sent) steps.set(stepOf(line, sent), now);
}

/** The revision that only the visitor's own edits have made of the one they saw. */
export function followed(steps: OwnSteps, line: string, revision: number): number {
  let now = revision;
  for (let next = steps.get(stepOf(line, now)); next !== undefined; next = steps.get(stepOf(line, now))) now = next;
  return now;
}

/** Whether the draft can still go into the text that is shown. */
export const fits = (draft: Draft, { version, segments }: SharedTranscript["transcript"]): boolean =>
  draft.version === version && segments.some(({ id }) => id === draft.line);
