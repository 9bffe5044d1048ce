/**
 * Live state of a running job: the text so far, the newest progress, and the state of the connection. One store per
 * page; it is discarded with the page.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Connection, JobEvent } from "./job-events";
import type { Notice, Progress, Segment } from "./model";

export interface LiveState {
  segments: readonly Segment[];
  /** Index of the first segment that came with the newest event; rows from here on fade in. */
  freshFrom: number;
  progress: Progress | null;
  language: { code: string; probability: number } | null;
  warnings: readonly Notice[];
  connection: Connection;
  /** Whether a `state` event was received. Before that, an empty text means nothing. */
  known: boolean;
  apply: (event: JobEvent) => void;
  setConnection: (connection: Connection) => void;
}

export type LiveStore = StoreApi<LiveState>;

const NONE_FRESH = Number.POSITIVE_INFINITY;

export function createLiveStore(): LiveStore {
  return createStore<LiveState>()((set) => ({
    segments: [],
    freshFrom: NONE_FRESH,
    progress: null,
    language: null,
    warnings: [],
    connection: "connecting",
    known: false,
    apply: (event) => set((state) => reduce(state, event)),
    setConnection: (connection) => set({ connection }),
  }));
}

function reduce(state: LiveState, event: JobEvent): Partial<LiveState> {
  switch (event.type) {
    case "state":
      return {
        known: true,
        segments: event.segments,
        // After a reconnection, only new segments fade in.
        freshFrom: state.known ? state.segments.length : NONE_FRESH,
        progress: event.job.progress ?? null,
        warnings: event.job.warnings,
      };
    case "segments":
      return append(state, event.segments);
    case "progress":
      return {
        progress: steady(state.progress, {
          stage: event.stage,
          percent: event.percent,
          seconds_left: event.seconds_left ?? null,
        }),
      };
    case "language":
      return { language: { code: event.code, probability: event.probability } };
    case "warning":
      return { warnings: [...state.warnings, { code: event.code, params: event.params }] };
    case "analysis":
      return {};
    case "completed":
    case "failed":
    case "cancelled":
      return { progress: event.job.progress ?? null, warnings: event.job.warnings };
  }
}

/**
 * Recognition reports progress per chunk; between two reports the server's estimate can only grow, so the shorter one
 * is kept until the next report.
 */
function steady(before: Progress | null, next: Progress): Progress {
  const waiting = before !== null && before.stage === next.stage && before.percent === next.percent;
  if (!waiting || before.seconds_left == null || next.seconds_left == null) {
    return next;
  }
  return { ...next, seconds_left: Math.min(before.seconds_left, next.seconds_left) };
}

/** Segments arrive in order and are never changed; known ones (from a repeated event) are skipped. */
function append(state: LiveState, incoming: readonly Segment[]): Partial<LiveState> {
  const last = state.segments.at(-1);
  const fresh = last ? incoming.filter((segment) => segment.index > last.index) : incoming;
  if (fresh.length === 0) {
    return {};
  }
  return { segments: [...state.segments, ...fresh], freshFrom: state.segments.length };
}

export const selectSegments = (state: LiveState) => state.segments;
export const selectFreshFrom = (state: LiveState) => state.freshFrom;
export const selectProgress = (state: LiveState) => state.progress;
export const selectLanguage = (state: LiveState) => state.language;
export const selectConnection = (state: LiveState) => state.connection;
