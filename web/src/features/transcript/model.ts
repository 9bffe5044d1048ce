/** The types of the transcript page, and the rule that says when a job has ended. */
export type { Job, Notice, Progress, Segment } from "@/api";
export { isTerminal } from "@/rules";
