/** Notes that the reader has hidden: per job, until it has other warnings. */
import { useState } from "react";
import { type Notice, onSessionEnd } from "@/api";

const KEY = "slovo.hidden-warnings";
/** The oldest ones are forgotten: their notes are shown again. */
const MAX_DISMISSED = 200;

/** What is hidden: the warnings by their codes, so that a new one is shown. */
const nameOf = (jobId: string, warnings: readonly Notice[]): string =>
  `${jobId} ${warnings
    .map(({ code }) => code)
    .sort()
    .join(" ")}`;

export function useDismissed(jobId: string, warnings: readonly Notice[]): { dismissed: boolean; dismiss: () => void } {
  const [names, setNames] = useState(stored);
  const name = nameOf(jobId, warnings);
  const dismiss = () => {
    const next = [...stored().filter((other) => other !== name), name].slice(-MAX_DISMISSED);
    setNames(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage, it is hidden until the page is left.
    }
  };
  return { dismissed: names.includes(name), dismiss };
}

function stored(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** The next user has other jobs. */
onSessionEnd(() => {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
});
