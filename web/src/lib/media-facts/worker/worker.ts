/**
 * Reads a file apart from the page: a file that keeps a parser busy forever, or takes all its memory, keeps this worker
 * busy, and the page ends it.
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
    // What cannot be read is not told: nothing is wrong with the page, and the server says what is wrong with the file.
  }
  tell({ kind: "done" });
};
