/** The stream of edits by all authors of a run. After a lost connection it continues after the last known edit. */
import type { StretchList } from "@/api";
import { followStream, type StreamOptions } from "@/lib/event-stream";
import type { EditList, StoredEdit } from "./model";

export interface FollowEditsOptions extends Omit<StreamOptions, "onEvent" | "open"> {
  /** Opens the stream after this edit. */
  open: (since: number, signal: AbortSignal) => Promise<Response>;
  /** Fetches what did not fit into one event. */
  list: (since: number, signal: AbortSignal) => Promise<EditList>;
  /** The last edit that the page knows. */
  since: () => number;
  onEdits: (edits: readonly StoredEdit[]) => void;
  /** Another run is shown, or has finished. */
  onRun: () => void;
  /** Stretches that are recognised again have changed. */
  onStretches: (list: StretchList) => void;
}

/** Follows the edits until aborted; rejects when trying again cannot help. */
export function followEdits({ open, list, since, onEdits, onRun, onStretches, ...options }: FollowEditsOptions): Promise<void> {
  const { signal } = options;
  const take = async (first: EditList) => {
    let page = first;
    onEdits(page.edits);
    while (page.more && !signal.aborted) {
      page = await list(since(), signal);
      onEdits(page.edits);
    }
  };
  return followStream({
    ...options,
    open: (connection) => open(since(), connection),
    onEvent: (type, data) => {
      if (type === "run") {
        onRun();
        return "heard";
      }
      if (type === "stretches") {
        const list = parseStretches(data);
        if (list) onStretches(list);
        return list ? "heard" : "ignored";
      }
      const edits = type === "edits" ? parseEdits(data) : null;
      if (!edits) {
        return "ignored";
      }
      // Edits that could not be fetched arrive with the next connection, because the stream starts after the last known
      // edit.
      take(edits).catch(() => {});
      return "heard";
    },
  });
}

/** The same for stretches that are recognised again. */
function parseStretches(data: string): StretchList | null {
  try {
    const body = JSON.parse(data) as Partial<StretchList> | null;
    return Array.isArray(body?.stretches) ? { stretches: body.stretches } : null;
  } catch {
    return null;
  }
}

/** Unreadable events are skipped. */
export function parseEdits(data: string): EditList | null {
  try {
    const body = JSON.parse(data) as Partial<EditList> | null;
    return Array.isArray(body?.edits) ? { seq: body.seq ?? 0, edits: body.edits, more: body.more === true } : null;
  } catch {
    return null;
  }
}
