/** For a dialog without a trigger: when it closes, the focus returns to where it was. */
import { useCallback, useState } from "react";
import { originOf, recordOrigin, restoreFocus } from "@/lib/focus-origin";

/**
 * Properties of the dialog's content; must be called in the component that is mounted only while the dialog is open.
 */
export function useRestoreFocus() {
  // On the first render, the focus has not moved yet.
  const [origin] = useState(() => originOf(document.activeElement));
  const ref = useCallback(
    (content: HTMLDivElement | null) => {
      if (content) recordOrigin(content, origin);
    },
    [origin],
  );
  return {
    ref,
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      restoreFocus(origin);
    },
  };
}
