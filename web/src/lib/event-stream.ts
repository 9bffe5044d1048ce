/**
 * Reads server-sent events over `fetch`, and reconnects after a lost connection, a sleeping laptop or a server restart. It
 * ends when the reader returns `ended`, on a permanent error (401, 403, 404), or when its signal is aborted.
 *
 * `EventSource` is not used because it cannot send the Authorization header.
 */
import { createParser } from "eventsource-parser";

export type Connection = "connecting" | "open" | "waiting" | "closed";

/** The server sends a comment every 15 s; after three missed ones the connection counts as dead. In ms. */
export const STALL_MS = 45_000;

/** Retry delays in milliseconds; the last one repeats. A server restart takes under 3 s. */
export const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000] as const;

export interface StreamOptions {
  /** Opens the stream. A rejection with `status` 401, 403 or 404 is final; others are retried. */
  open: (signal: AbortSignal) => Promise<Response>;
  /** Handles one event. `heard` resets the retry delay; `ended` ends the stream permanently. */
  onEvent: (type: string | undefined, data: string) => "heard" | "ignored" | "ended";
  onConnection?: (connection: Connection) => void;
  signal: AbortSignal;
  /** Resolves after `ms`, or earlier when the signal is aborted or the network is back. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Random number in [0, 1) for the retry jitter after a server restart. */
  random?: () => number;
}

/** Follows the stream. Resolves when it has ended or was aborted; rejects on a permanent error. */
export async function followStream(options: StreamOptions): Promise<void> {
  const { open, onEvent, onConnection = () => {}, signal, sleep = wakefulSleep, random = Math.random } = options;
  let failures = 0;
  while (!signal.aborted) {
    onConnection("connecting");
    let ended = false;
    try {
      ended = await readOnce(
        open,
        signal,
        (type, data) => {
          const outcome = onEvent(type, data);
          if (outcome !== "ignored") {
            failures = 0;
          }
          return outcome === "ended";
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
  open: StreamOptions["open"],
  signal: AbortSignal,
  onEvent: (type: string | undefined, data: string) => boolean,
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
        ended ||= onEvent(event, data);
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
