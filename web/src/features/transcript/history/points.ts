/** The history as a list of states that can be viewed and restored. */
import type { EditSession, History, HistoryRun, Mark } from "@/api";

/** A state of the transcript: a run after one of its edits; 0 means as recognised. */
export interface Point {
  version: number;
  at: number;
}

interface Place {
  /** Unique within the history. */
  key: string;
  point: Point;
}

export type Entry =
  | (Place & { kind: "session"; session: EditSession })
  | (Place & { kind: "mark"; mark: Mark })
  | (Place & { kind: "recognised"; run: HistoryRun });

export interface Chapter {
  run: HistoryRun;
  /** The newest first; the last one is the run as recognised. */
  entries: readonly Entry[];
}

/** The runs with their entries, the newest first. */
export function chaptersOf({ runs, marks, sessions }: Pick<History, "runs" | "marks" | "sessions">): Chapter[] {
  return runs
    .map((run) => {
      const ofRun = ({ version }: { version: number }) => version === run.version;
      const entries: Entry[] = [
        ...sessions.filter(ofRun).map((session) => ({
          kind: "session" as const,
          key: `${run.version} edits ${session.from_seq}`,
          point: { version: run.version, at: session.to_seq },
          session,
        })),
        ...marks.filter(ofRun).map((mark) => ({
          kind: "mark" as const,
          key: `${run.version} mark ${mark.id}`,
          point: { version: run.version, at: mark.seq },
          mark,
        })),
        {
          kind: "recognised" as const,
          key: `${run.version} recognised`,
          point: { version: run.version, at: 0 },
          run,
        },
      ];
      return { run, entries: entries.sort(newestFirst) };
    })
    .sort((one, other) => other.run.version - one.run.version);
}

/** A name belongs to a state, so it is listed above the edits before it. */
const RANK: Record<Entry["kind"], number> = { mark: 0, session: 1, recognised: 2 };

const newestFirst = (one: Entry, other: Entry): number => other.point.at - one.point.at || RANK[one.kind] - RANK[other.kind];

export const samePoint = (one: Point, other: Point): boolean => one.version === other.version && one.at === other.at;

/** The state that is currently shown. */
export function currentPoint({ shown, runs }: Pick<History, "shown" | "runs">): Point {
  return { version: shown, at: runs.find(({ version }) => version === shown)?.seq ?? 0 };
}

/**
 * The previous state: before a session's edits, the previous named version, or the previous run; null for the first
 * one.
 */
export function previousPoint(chapters: readonly Chapter[], entry: Entry): Point | null {
  if (entry.kind === "session") {
    return { version: entry.point.version, at: entry.session.from_seq - 1 };
  }
  const chapter = chapters.findIndex(({ run }) => run.version === entry.point.version);
  if (entry.kind === "recognised") {
    const earlier = chapters[chapter + 1];
    return earlier ? { version: earlier.run.version, at: earlier.run.seq } : null;
  }
  const below = chapters[chapter]?.entries.find(
    ({ kind, point }) => (kind === "mark" || kind === "recognised") && point.at < entry.point.at,
  );
  return below?.point ?? null;
}
