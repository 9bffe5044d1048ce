/** Which view of the transcript is open, as the address holds it. */
import type { Job } from "@/api";

export const TABS = ["text", "dialog", "search", "segments", "subtitles", "analysis"] as const;
export type Tab = (typeof TABS)[number];

/** The views that a job has. Subtitles are there when they were asked for. */
export const tabsOf = ({ settings }: Pick<Job, "settings">): readonly Tab[] =>
  TABS.filter((tab) => tab !== "subtitles" || settings.srt);

/** What is no view of the job counts as the text: the address can hold anything. */
export const parseTab = (params: URLSearchParams, tabs: readonly Tab[]): Tab =>
  tabs.find((tab) => tab === params.get("tab")) ?? "text";
