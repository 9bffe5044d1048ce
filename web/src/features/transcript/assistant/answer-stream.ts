/** A streamed answer: pieces of text and one end event. Unlike an event stream it is never retried automatically. */
import { createParser } from "eventsource-parser";
import type { AssistantMessage } from "@/api/assistant";
import { STALL_MS } from "@/lib/event-stream";

export type AnswerEnd =
  | { kind: "done"; message: AssistantMessage }
  | { kind: "failed"; code: string }
  /** The connection broke before the answer was complete. */
  | { kind: "cut" };

/** Reads to the end; `onText` gets every piece. Rejects only if aborted by the caller. */
export async function readAnswer(response: Response, onText: (text: string) => void, signal: AbortSignal): Promise<AnswerEnd> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) {
    return { kind: "cut" };
  }
  let end: AnswerEnd | null = null;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      end ??= handleEvent(event, data, onText);
    },
  });
  try {
    while (end === null) {
      const { done, value } = await withTimeout(reader.read(), signal);
      if (done) {
        break;
      }
      parser.feed(value);
    }
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return end ?? { kind: "cut" };
}

/** Parses one event; null while the answer continues. Unreadable events are skipped. */
function handleEvent(event: string | undefined, data: string, onText: (text: string) => void): AnswerEnd | null {
  const body = parsed(data);
  if (event === "delta" && typeof body?.text === "string") {
    onText(body.text);
  } else if (event === "done" && typeof body?.text === "string") {
    return { kind: "done", message: body as unknown as AssistantMessage };
  } else if (event === "failed") {
    return { kind: "failed", code: String(body?.code ?? "") };
  }
  return null;
}

function parsed(data: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(data);
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The server sends at least a comment in this time; a connection silent for longer is dead. */
function withTimeout<T>(reading: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const timer = setTimeout(() => reject(new Error("the answer fell silent")), STALL_MS);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    reading.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    });
  });
}
