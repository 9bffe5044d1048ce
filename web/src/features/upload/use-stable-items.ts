import { useRef } from "react";
import { useStore } from "zustand";
import type { TrayItem } from "./tray-model";
import { uploadTray } from "./upload-tray";

/** The items on the tray; the same list as long as only progress changes, so that forms are not rendered again. */
export function useStableItems(): readonly TrayItem[] {
  const last = useRef<readonly TrayItem[]>([]);
  return useStore(uploadTray, ({ items }) => {
    if (!sameButForBytes(last.current, items)) {
      last.current = items;
    }
    return last.current;
  });
}

function sameButForBytes(before: readonly TrayItem[], after: readonly TrayItem[]): boolean {
  return (
    before.length === after.length &&
    before.every((item, at) => JSON.stringify(marksOf(item)) === JSON.stringify(marksOf(after[at])))
  );
}

function marksOf(item: TrayItem | undefined) {
  if (!item) {
    return null;
  }
  const { key, own, track, state } = item;
  const { queued, submitting, jobError } = state;
  const ofFile = item.kind === "file" ? [item.state.phase, item.readDuration, item.state.upload] : [];
  return [key, own, track, queued, submitting, jobError === null, ...ofFile];
}
