/** Toasts. The library that shows them is loaded for the first one, see app/toaster.tsx. */
import type { ExternalToast, toast as libraryToast } from "sonner";

/** Display times in ms. */
const SHORT_MS = 4_000;
const LONG_MS = 8_000;
/** For events of other pages, because the reader may be busy. */
const LINK_MS = 20_000;
/** Ids of messages of which only the latest is shown. */
const REFUSAL = "refusal";
const OFFER = "offer";

type Show = typeof libraryToast;

let show: Show | null = null;
let messageCount = 0;
/** Messages queued until the library is loaded. */
let waiting: { id: string; say: (show: Show) => void }[] = [];
const listeners = new Set<() => void>();

/** Called when a message is queued because the library is not loaded. Returns the unsubscribe function. */
export function onToastQueued(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows queued and later messages with this library; its component must be mounted. */
export function showToastsWith(library: Show): void {
  show = library;
  for (const { say } of waiting) say(library);
  waiting = [];
}

function tell(look: "success" | "info" | "error" | "plain", text: string, options: ExternalToast): string | number {
  messageCount += 1;
  const id = String(options.id ?? `toast-${messageCount}`);
  const say = (library: Show) => void (look === "plain" ? library : library[look])(text, { ...options, id });
  if (show) {
    say(show);
  } else {
    waiting = [...waiting.filter((other) => other.id !== id), { id, say }];
    for (const listener of listeners) listener();
  }
  return id;
}

function dismiss(id?: string): void {
  waiting = id === undefined ? [] : waiting.filter((other) => other.id !== id);
  show?.dismiss(id);
}

export const toast = {
  success: (text: string) => tell("success", text, { duration: SHORT_MS }),
  info: (text: string) => tell("info", text, { duration: SHORT_MS }),
  /** A longer text. */
  notice: (text: string) => tell("info", text, { duration: LONG_MS }),
  error: (text: string) => tell("error", text, { duration: LONG_MS }),
  /** Why a form was not sent; replaced or dismissed by the next attempt. */
  refusal: (text: string) => tell("error", text, { id: REFUSAL, duration: LONG_MS }),
  dismissRefusal: () => dismiss(REFUSAL),
  /**
   * With an undo button. It stays until it is dismissed: the library pauses its timer on hover and in a hidden tab, so it
   * cannot be used for the time limit of the undo.
   */
  undoable: (text: string, label: string, onUndo: () => void) =>
    tell("plain", text, { duration: Number.POSITIVE_INFINITY, action: { label, onClick: onUndo } }),
  /** An event of another page, with a button that opens that page. */
  linked: (text: string, label: string, onOpen: () => void) =>
    tell("plain", text, { duration: LINK_MS, action: { label, onClick: onOpen } }),
  /** A completed action, with a button to continue or undo; replaces the previous one. */
  offered: (text: string, label: string, onOpen: () => void) =>
    tell("plain", text, { id: OFFER, duration: LONG_MS, action: { label, onClick: onOpen } }),
  dismiss: (id: string | number) => dismiss(String(id)),
  /** At the end of a session; includes undo buttons. */
  dismissAll: () => dismiss(),
};
