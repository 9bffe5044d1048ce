/** Which part of the settings is open, as the address holds it. */
export const TABS = ["profile", "security", "preferences"] as const;
export type Tab = (typeof TABS)[number];

/** What is no tab counts as the first one: the address can hold anything. */
export const parseTab = (params: URLSearchParams): Tab => TABS.find((tab) => tab === params.get("tab")) ?? "profile";
