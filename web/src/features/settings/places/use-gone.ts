/** Moves the focus after the row that had it was deleted in a dialog. */
import { useEffect, useState } from "react";

/** Returns what to call after the deletion. `onGone` runs once the dialog, which keeps the focus, has closed. */
export function useGone(isOpen: boolean, onGone: () => void): () => void {
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (!isGone || isOpen) return;
    setGone(false);
    onGone();
  }, [isGone, isOpen, onGone]);
  return () => setGone(true);
}
