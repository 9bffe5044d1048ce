/** Short messages at the edge of the page. Only this file knows the library. */
import { toast as show } from "sonner";

/** Long enough to read and to reach the button; an error stays longer. */
const SHORT_MS = 4_000;
const LONG_MS = 8_000;
/** News of what went on out of sight: the reader may be busy on another page. */
const LINK_MS = 20_000;
/** There is one such message at a time. */
const REFUSAL = "refusal";

export const toast = {
  success: (text: string) => show.success(text, { duration: SHORT_MS }),
  info: (text: string) => show.info(text, { duration: SHORT_MS }),
  error: (text: string) => show.error(text, { duration: LONG_MS }),
  /** Why a form was not sent; it gives way to the next try. */
  refusal: (text: string) => show.error(text, { id: REFUSAL, duration: LONG_MS }),
  dismissRefusal: () => show.dismiss(REFUSAL),
  /**
   * With a button that takes the act back. It stays until it is dismissed: the library's clock stands still under the
   * pointer and in a hidden tab, so it cannot say how long the act can be taken back.
   */
  undoable(text: string, label: string, onUndo: () => void): string | number {
    return show(text, { duration: Number.POSITIVE_INFINITY, action: { label, onClick: onUndo } });
  },
  /** News with a button that leads to where it happened. */
  linked: (text: string, label: string, onOpen: () => void) =>
    show(text, { duration: LINK_MS, action: { label, onClick: onOpen } }),
  dismiss: (id: string | number) => show.dismiss(id),
  /** For the end of a session: also the chance to undo goes. */
  dismissAll: () => show.dismiss(),
};
