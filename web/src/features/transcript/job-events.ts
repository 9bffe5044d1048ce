/**
 * The event stream of one job. Every (re)connection begins with a `state` event that replaces what was known, so nothing
 * that was missed meanwhile matters. It ends at a terminal event.
 */
import { followStream, type StreamOptions } from "@/lib/event-stream";
import { isTerminal, type Job, type Notice, type Progress, type Segment } from "./model";

export type JobEvent =
  | { type: "state"; job: Job; segments: Segment[] }
  | ({ type: "progress" } & Progress)
  | { type: "language"; code: string; probability: number }
  | { type: "segments"; segments: Segment[] }
  /** One of the things made of the text has come further. */
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

/** Follows the job until it has ended. Resolves then, or when aborted; rejects when trying again cannot help. */
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

/** An event of a type that this page does not know (a newer server) or that cannot be read is passed over. */
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

/** Nothing comes after it: the job has ended, or had when the line was taken up. */
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
