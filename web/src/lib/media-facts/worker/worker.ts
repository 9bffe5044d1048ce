/**
 * Reads a file in a worker: if a file makes the parser hang or use too much memory, the page terminates the worker.
 */
import type { Reply, Task } from "../protocol";
import { readHeader } from "./header";
import { readPeaks } from "./peaks";

const tell = (reply: Reply) => self.postMessage(reply);

self.onmessage = async ({ data: task }: MessageEvent<Task>) => {
  tell({ kind: "begun" });
  try {
    await (task.kind === "header" ? readHeader(task.file, tell) : readPeaks(task, tell));
  } catch {
    // Unreadable facts are omitted; the server reports what is wrong with the file.
  }
  tell({ kind: "done" });
};
