/** The types of the transcript page, and the rule that says when a job has ended. */
export type { Job, Notice, Progress } from "@/api";
export type { Segment } from "@/rules";
export { isTerminal } from "@/rules";
