/** A worker for one task, terminated when it is done, times out or is aborted. */
import type { Reply, Task } from "./protocol";

/** Timeout for loading the worker's script, which may compete with an upload. In ms. */
const LOADING_MS = 30_000;

/** Yields the replies. Never throws; ends if the worker fails. `limit`: timeout in ms, from the start of the task. */
export async function* runInWorker(task: Task, limit: number, signal: AbortSignal): AsyncGenerator<Reply> {
  if (signal.aborted) return;
  const replies: Reply[] = [];
  let ended = false;
  let wake = () => {};
  const end = () => {
    ended = true;
    wake();
  };
  const worker = new Worker(new URL("./worker/worker.ts", import.meta.url), { type: "module" });
  let timer = setTimeout(end, LOADING_MS);
  signal.addEventListener("abort", end);
  worker.onerror = end;
  worker.onmessageerror = end;
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    if (data.kind === "done") return end();
    if (data.kind === "begun") {
      clearTimeout(timer);
      timer = setTimeout(end, limit);
      return;
    }
    replies.push(data);
    wake();
  };
  worker.postMessage(task);
  try {
    while (true) {
      const reply = replies.shift();
      if (signal.aborted) return;
      if (reply) yield reply;
      else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    worker.terminate();
  }
}
