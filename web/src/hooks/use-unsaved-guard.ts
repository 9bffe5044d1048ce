/**
 * Asks before input is lost: on Escape, a click beside the sheet, the Back button, or closing the tab. Navigation
 * `within` a path loses nothing, so it does not ask.
 */
import { useEffect, useState } from "react";
import { useLeaveBlocker } from "@/lib/history";

export function useUnsavedGuard(unsaved: boolean, onClose: () => void, within?: string) {
  const [closing, setClosing] = useState(false);
  const blocker = useLeaveBlocker(unsaved, within);
  const leaving = blocker.blocked;

  useEffect(() => {
    if (!unsaved) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [unsaved]);

  return {
    /** Whether the confirmation is shown. */
    asking: closing || leaving,
    /** Closes, or asks; if already asked, returns to the input. */
    close: () => {
      if (unsaved && !closing && !leaving) setClosing(true);
      else if (unsaved) stay();
      else onClose();
    },
    stay,
    discard: () => {
      if (leaving) blocker.proceed();
      else onClose();
    },
  };

  function stay() {
    setClosing(false);
    if (leaving) blocker.reset();
  }
}
