/** Which view of the transcript is open, as the address holds it. */
export const TABS = ["text", "dialog", "search", "segments", "subtitles", "analysis"] as const;
export type Tab = (typeof TABS)[number];

/** What is no view counts as the text: the address can hold anything. */
export const parseTab = (params: URLSearchParams): Tab => TABS.find((tab) => tab === params.get("tab")) ?? "text";
