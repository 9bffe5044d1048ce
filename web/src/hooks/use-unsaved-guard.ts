/**
 * Asks before something typed is lost: to Escape, to a click beside the sheet, to the Back button, to a closed tab. What is
 * kept at every address of a path is not lost `within` it.
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
    /** Closes, or asks; asked already, it goes back to what was typed. */
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
