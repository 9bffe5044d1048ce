/** For a dialog without a trigger of its own: whoever closes it is back where they were when it opened. */
import { useLayoutEffect, useRef, useState } from "react";
import { giveBack, noteOrigin, originOf } from "@/lib/focus-origin";

/** The properties of the dialog's content; to be called in the component that is there only while the dialog is open. */
export function useFocusBack() {
  const content = useRef<HTMLDivElement>(null);
  // While it is drawn for the first time the focus is still where it was.
  const [origin] = useState(() => originOf(document.activeElement));
  useLayoutEffect(() => {
    if (content.current) noteOrigin(content.current, origin);
  }, [origin]);
  return {
    ref: content,
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      giveBack(origin);
    },
  };
}
