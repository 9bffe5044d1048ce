/** Short messages at the edge of the page. The library that shows them is fetched for the first one, see app/toaster.tsx. */
import type { ExternalToast, toast as libraryToast } from "sonner";

/** Long enough to read and to reach the button; an error stays longer. */
const SHORT_MS = 4_000;
const LONG_MS = 8_000;
/** News of what went on out of sight: the reader may be busy on another page. */
const LINK_MS = 20_000;
/** There is one such message at a time. */
const REFUSAL = "refusal";
/** As above. */
const OFFER = "offer";

type Show = typeof libraryToast;

let show: Show | null = null;
let said = 0;
/** What was said before there was a place to show it. */
let waiting: { id: string; say: (show: Show) => void }[] = [];
const listeners = new Set<() => void>();

/** Calls when there is something to show and nothing that shows it. */
export function onToastQueued(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** From now on messages are shown by this library; its place is on the page. */
export function showToastsWith(library: Show): void {
  show = library;
  for (const { say } of waiting) say(library);
  waiting = [];
}

function tell(look: "success" | "info" | "error" | "plain", text: string, options: ExternalToast): string | number {
  said += 1;
  const id = String(options.id ?? `toast-${said}`);
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
  /** What takes longer to read. */
  notice: (text: string) => tell("info", text, { duration: LONG_MS }),
  error: (text: string) => tell("error", text, { duration: LONG_MS }),
  /** Why a form was not sent; it gives way to the next try. */
  refusal: (text: string) => tell("error", text, { id: REFUSAL, duration: LONG_MS }),
  dismissRefusal: () => dismiss(REFUSAL),
  /**
   * With a button that takes the act back. It stays until it is dismissed: the library's clock stands still under the
   * pointer and in a hidden tab, so it cannot say how long the act can be taken back.
   */
  undoable: (text: string, label: string, onUndo: () => void) =>
    tell("plain", text, { duration: Number.POSITIVE_INFINITY, action: { label, onClick: onUndo } }),
  /** News with a button that leads to where it happened. */
  linked: (text: string, label: string, onOpen: () => void) =>
    tell("plain", text, { duration: LINK_MS, action: { label, onClick: onOpen } }),
  /** What was done just now, with a button for what often comes next or takes it back; the newest one stands alone, and not for long. */
  offered: (text: string, label: string, onOpen: () => void) =>
    tell("plain", text, { id: OFFER, duration: LONG_MS, action: { label, onClick: onOpen } }),
  dismiss: (id: string | number) => dismiss(String(id)),
  /** For the end of a session: also the chance to undo goes. */
  dismissAll: () => dismiss(),
};
