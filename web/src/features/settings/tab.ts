/** The open tab, from the URL. */
export const TABS = ["profile", "security", "preferences", "api-keys", "webhooks", "sources"] as const;
export type Tab = (typeof TABS)[number];

/** An unknown tab means the first one: the URL can contain anything. */
export const parseTab = (params: URLSearchParams): Tab => TABS.find((tab) => tab === params.get("tab")) ?? "profile";
