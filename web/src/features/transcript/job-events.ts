/**
 * The event stream of one job, as an async loop over `fetch`: it survives a lost connection, a sleeping laptop and a
 * restarted server. Every (re)connection begins with a `state` event that replaces what was known, so nothing that was
 * missed meanwhile matters. The loop ends at a terminal event, at an answer that will not change (401, 403, 404), or when
 * its signal is aborted.
 *
 * `EventSource` is not used because it cannot send the Authorization header.
 */
import { createParser } from "eventsource-parser";
import { isTerminal, type Job, type Notice, type Progress, type Segment } from "./model";

export type JobEvent =
  | { type: "state"; job: Job; segments: Segment[] }
  | ({ type: "progress" } & Progress)
  | { type: "language"; code: string; probability: number }
  | { type: "segments"; segments: Segment[] }
  | ({ type: "warning" } & Notice)
  | { type: "completed" | "failed" | "cancelled"; job: Job };

export type Connection = "connecting" | "open" | "waiting" | "closed";

/** The server sends a comment every 15 s; after three missed ones the connection is dead even if TCP does not say so. */
export const STALL_MS = 45_000;

/** Waiting times between tries in milliseconds; the last one repeats. A server restart takes under 3 s. */
export const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000] as const;

export interface FollowOptions {
  /** Opens the stream. A rejection with a `status` of 401, 403 or 404 is final, any other is tried again. */
  open: (signal: AbortSignal) => Promise<Response>;
  onEvent: (event: JobEvent) => void;
  onConnection?: (connection: Connection) => void;
  signal: AbortSignal;
  /** Resolves after the time, or early when the signal is aborted or the network comes back. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Spreads the tries of many pages after a server restart: a number from 0 up to 1. */
  random?: () => number;
}

const KNOWN_TYPES: readonly string[] = [
  "state",
  "progress",
  "language",
  "segments",
  "warning",
  "completed",
  "failed",
  "cancelled",
];

/** Follows the job until it has ended. Resolves then, or when aborted; rejects when trying again cannot help. */
export async function followJob(options: FollowOptions): Promise<void> {
  const { open, onEvent, onConnection = () => {}, signal, sleep = wakefulSleep, random = Math.random } = options;
  let failures = 0;
  while (!signal.aborted) {
    onConnection("connecting");
    let ended = false;
    try {
      ended = await readOnce(
        open,
        signal,
        (event) => {
          failures = 0;
          onEvent(event);
        },
        () => onConnection("open"),
      );
    } catch (error) {
      if (signal.aborted) {
        break;
      }
      if (isFinal(error)) {
        onConnection("closed");
        throw error;
      }
    }
    if (ended || signal.aborted) {
      break;
    }
    const step = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? BACKOFF_MS[0];
    failures += 1;
    onConnection("waiting");
    await sleep(step * (0.75 + random() / 2), signal);
  }
  onConnection("closed");
}

async function readOnce(
  open: FollowOptions["open"],
  signal: AbortSignal,
  onEvent: (event: JobEvent) => void,
  onOpen: () => void,
): Promise<boolean> {
  const connection = new AbortController();
  const forward = () => connection.abort(signal.reason);
  signal.addEventListener("abort", forward, { once: true });
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const feedWatchdog = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => connection.abort(new Error("the event stream fell silent")), STALL_MS);
  };
  try {
    feedWatchdog();
    const response = await open(connection.signal);
    if (!response.body) {
      throw new Error("the event stream has no body");
    }
    onOpen();
    let ended = false;
    const parser = createParser({
      onEvent: ({ event, data }) => {
        const parsed = parseJobEvent(event, data);
        if (parsed && !ended) {
          onEvent(parsed);
          ended = isLast(parsed);
        }
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    while (!ended) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      feedWatchdog();
      parser.feed(value);
    }
    if (ended) {
      await reader.cancel().catch(() => {});
    }
    return ended;
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener("abort", forward);
    connection.abort();
  }
}

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

function isLast(event: JobEvent): boolean {
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

function isFinal(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  return status === 401 || status === 403 || status === 404;
}

function wakefulSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      globalThis.removeEventListener?.("online", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish, { once: true });
    globalThis.addEventListener?.("online", finish, { once: true });
  });
}
