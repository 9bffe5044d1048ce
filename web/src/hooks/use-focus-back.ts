/** For a dialog without a trigger: when it closes, the focus returns to where it was. */
import { useCallback, useState } from "react";
import { giveBack, noteOrigin, originOf } from "@/lib/focus-origin";

/** The properties of the dialog's content; to be called in the component that is there only while the dialog is open. */
export function useFocusBack() {
  // While it is drawn for the first time the focus is still where it was.
  const [origin] = useState(() => originOf(document.activeElement));
  const ref = useCallback(
    (content: HTMLDivElement | null) => {
      if (content) noteOrigin(content, origin);
    },
    [origin],
  );
  return {
    ref,
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      giveBack(origin);
    },
  };
}
