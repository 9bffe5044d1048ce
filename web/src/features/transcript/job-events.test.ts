// @vitest-environment node
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Connection, followJob, type JobEvent, parseJobEvent, STALL_MS } from "./job-events";

const encoder = new TextEncoder();

function event(type: string, data: unknown): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function job(status: string) {
  return { my_job_id: "j", status, progress: null, warnings: [] };
}

const STATE = event("state", { job: job("processing"), segments: [] });
const COMPLETED = event("completed", { job: job("completed") });

/** A response whose stream yields these chunks and then ends, stays open, or fails. */
function stream(pieces: string[], then: "end" | "stay" | "break" = "end", signal?: AbortSignal): Response {
  const bytes = pieces.map((piece) => encoder.encode(piece));
  return new Response(
    new ReadableStream({
      pull(controller) {
        const next = bytes.shift();
        if (next) {
          controller.enqueue(next);
        } else if (then === "end") {
          controller.close();
        } else if (then === "break") {
          controller.error(new TypeError("network error"));
        } else {
          return new Promise<void>((_, reject) => {
            signal?.addEventListener("abort", () => {
              controller.error(signal.reason);
              reject(signal.reason);
            });
          }).catch(() => {});
        }
      },
    }),
  );
}

interface Run {
  events: JobEvent[];
  connections: Connection[];
  waits: number[];
  done: Promise<void>;
}

function run(answers: ((signal: AbortSignal) => Response | Promise<Response>)[], signal = new AbortController().signal): Run {
  const events: JobEvent[] = [];
  const connections: Connection[] = [];
  const waits: number[] = [];
  const following = followJob({
    open: async (connection) => {
      const answer = answers.shift();
      if (!answer) {
        throw new Error("opened more often than expected");
      }
      return await answer(connection);
    },
    onEvent: (item) => events.push(item),
    onConnection: (item) => connections.push(item),
    signal,
    sleep: async (ms) => {
      waits.push(ms);
    },
    random: () => 0.5,
  });
  return { events, connections, waits, done: following };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("followJob", () => {
  it("ends at the final event, for any division into chunks", async () => {
    const fullStream = STATE + event("segments", { segments: [{ index: 0, text: "Слово" }] }) + COMPLETED;
    const bytes = encoder.encode(fullStream);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const response = new Response(
      new ReadableStream({
        pull(controller) {
          const next = single.shift();
          next ? controller.enqueue(next) : controller.close();
        },
      }),
    );
    const followed = run([() => response]);
    await followed.done;
    expect(followed.events.map((item) => item.type)).toEqual(["state", "segments", "completed"]);
    expect(followed.events[1]).toMatchObject({ segments: [{ text: "Слово" }] });
    expect(followed.connections).toEqual(["connecting", "open", "closed"]);
  });

  it("reconnects after a failed or ended stream, with increasing delays if no events arrive", async () => {
    const refuse = () => Promise.reject(Object.assign(new Error("bad gateway"), { status: 502 }));
    const followed = run([
      () => stream([STATE], "break"),
      refuse,
      refuse,
      () => stream([STATE]),
      () => stream([STATE, COMPLETED]),
    ]);
    await followed.done;
    expect(followed.events.map((item) => item.type)).toEqual(["state", "state", "state", "completed"]);
    expect(followed.waits).toEqual([500, 1_000, 2_000, 500]);
  });

  it("ends if the state says that the job has ended", async () => {
    const followed = run([() => stream([event("state", { job: job("failed"), segments: [] })], "stay")]);
    await followed.done;
    expect(followed.events).toHaveLength(1);
  });

  it.each([401, 403, 404])("gives up at once on %i", async (status) => {
    const followed = run([() => Promise.reject(Object.assign(new Error("no"), { status }))]);
    await expect(followed.done).rejects.toThrow("no");
    expect(followed.connections.at(-1)).toBe("closed");
  });

  it("reconnects if the stream is silent for too long", async () => {
    vi.useFakeTimers();
    const followed = run([(signal) => stream([STATE], "stay", signal), () => stream([STATE, COMPLETED])]);
    await vi.advanceTimersByTimeAsync(STALL_MS - 1);
    expect(followed.waits).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    await followed.done;
    expect(followed.events.at(-1)?.type).toBe("completed");
  });

  it("stops when aborted", async () => {
    const page = new AbortController();
    const followed = run([(signal) => stream([STATE], "stay", signal)], page.signal);
    await vi.waitFor(() => expect(followed.events).toHaveLength(1));
    page.abort();
    await followed.done;
    expect(followed.connections.at(-1)).toBe("closed");
  });
});

describe("parseJobEvent", () => {
  it("ignores unknown and unreadable events", () => {
    expect(parseJobEvent("applause", "{}")).toBeNull();
    expect(parseJobEvent(undefined, "{}")).toBeNull();
    expect(parseJobEvent("progress", "{")).toBeNull();
    expect(parseJobEvent("progress", "7")).toBeNull();
  });

  it("does not let data overwrite the event's type", () => {
    expect(parseJobEvent("progress", '{"type":"completed","percent":3}')).toEqual({ type: "progress", percent: 3 });
  });
});
