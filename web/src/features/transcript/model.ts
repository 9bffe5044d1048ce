/** What the transcript page derives from a job's status. */
import type { JobStatus } from "@/api";

export type { Job, Notice, Progress, Segment } from "@/api";

/** Nothing more will happen to the job by itself. */
export function isTerminal(status: JobStatus): boolean {
  switch (status) {
    case "completed":
    case "failed":
    case "error":
    case "cancelled":
      return true;
    case "pending":
    case "processing":
    case "uploaded":
      return false;
  }
}
