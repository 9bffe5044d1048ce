/** Short messages at the edge of the page. Only this file knows the library. */
import { toast as show } from "sonner";

/** Long enough to read and to reach the button; an error stays longer. */
const SHORT_MS = 4_000;
const LONG_MS = 8_000;

export const toast = {
  success: (text: string) => show.success(text, { duration: SHORT_MS }),
  info: (text: string) => show.info(text, { duration: SHORT_MS }),
  error: (text: string) => show.error(text, { duration: LONG_MS }),
  /** Stays for `durationMs` with a button that takes the act back. */
  undoable(text: string, label: string, durationMs: number, onUndo: () => void): string | number {
    return show(text, { duration: durationMs, action: { label, onClick: onUndo } });
  },
  dismiss: (id: string | number) => show.dismiss(id),
  dismissAll: () => show.dismiss(),
};
