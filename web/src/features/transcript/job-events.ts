/**
 * The event stream of a job. Every connection starts with a `state` event that replaces what was known, so missed
 * events do not matter. It ends with a terminal event.
 */
import { followStream, type StreamOptions } from "@/lib/event-stream";
import { isTerminal, type Job, type Notice, type Progress, type Segment } from "./model";

export type JobEvent =
  | { type: "state"; job: Job; segments: Segment[] }
  | ({ type: "progress" } & Progress)
  | { type: "language"; code: string; probability: number }
  | { type: "segments"; segments: Segment[] }
  /** An analysis has changed its state. */
  | { type: "analysis"; id: string }
  | ({ type: "warning" } & Notice)
  | { type: "completed" | "failed" | "cancelled"; job: Job };

export { type Connection, STALL_MS } from "@/lib/event-stream";

export interface FollowOptions extends Omit<StreamOptions, "onEvent"> {
  onEvent: (event: JobEvent) => void;
}

const KNOWN_TYPES: readonly string[] = [
  "state",
  "progress",
  "language",
  "segments",
  "analysis",
  "warning",
  "completed",
  "failed",
  "cancelled",
];

/** Follows the job until it has ended. Resolves then, or when aborted; rejects if retrying cannot help. */
export const followJob = ({ onEvent, ...options }: FollowOptions): Promise<void> =>
  followStream({
    ...options,
    onEvent: (type, data) => {
      const event = parseJobEvent(type, data);
      if (!event) {
        return "ignored";
      }
      onEvent(event);
      return isLast(event) ? "ended" : "heard";
    },
  });

/** Unknown types (from a newer server) and unreadable events are skipped. */
export function parseJobEvent(type: string | undefined, data: string): JobEvent | null {
  if (type === undefined || !KNOWN_TYPES.includes(type)) {
    return null;
  }
  try {
    const body: unknown = JSON.parse(data);
    if (typeof body !== "object" || body === null) {
      return null;
    }
    return { ...body, type } as JobEvent;
  } catch {
    return null;
  }
}

/** Whether it is the last event: the job has ended, or had already ended when the connection was opened. */
export function isLast(event: JobEvent): boolean {
  switch (event.type) {
    case "completed":
    case "failed":
    case "cancelled":
      return true;
    case "state":
      return isTerminal(event.job.status);
    default:
      return false;
  }
}
