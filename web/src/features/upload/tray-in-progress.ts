/** The tray's state for the header of other pages. */
import type { UploadsInProgress } from "@/lib/in-progress";
import { type FileItem, isLive, type TrayItem } from "./tray-model";

export function uploadsInProgress(items: readonly TrayItem[]): UploadsInProgress | null {
  const files = items.filter((item): item is FileItem => item.kind === "file" && isLive(item));
  const unsent = files.filter(({ state }) => state.phase !== "ready");
  if (unsent.length === 0) {
    return null;
  }
  const is = (...phases: readonly string[]) => unsent.some(({ state }) => phases.includes(state.phase));
  const total = sum(files.map(({ state }) => state.file?.size ?? 0));
  const sent = sum(files.map(({ state }) => (state.phase === "ready" ? (state.file?.size ?? 0) : state.sent)));
  return {
    count: unsent.length,
    percent: total > 0 ? Math.floor((sent / total) * 100) : 0,
    state: is("uploading", "checking") ? "sending" : is("waiting") ? "waiting" : is("paused") ? "paused" : "sending",
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, value) => all + value, 0);
