/** The open view of the transcript, from the URL. */
export const TABS = ["text", "dialog", "search", "segments", "subtitles", "analysis"] as const;
export type Tab = (typeof TABS)[number];

/** An unknown view means the text: the URL can contain anything. */
export const parseTab = (params: URLSearchParams): Tab => TABS.find((tab) => tab === params.get("tab")) ?? "text";
