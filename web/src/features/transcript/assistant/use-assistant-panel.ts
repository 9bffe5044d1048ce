/** Whether the assistant is open, stored in the URL: a link can open it, and Back closes it. */
import { useSearchParams } from "react-router";

/** The button that opens it; it gets the focus back. */
export const OPENER_ID = "assistant-opener";

const NAME = "assistant";
const OPEN = "open";

export function useAssistantPanel(): { open: boolean; toggle: (open: boolean) => void } {
  const [params, setParams] = useSearchParams();
  const open = params.get(NAME) === OPEN;
  const toggle = (next: boolean) => {
    setParams(
      (before) => {
        if (next) before.set(NAME, OPEN);
        else before.delete(NAME);
        return before;
      },
      { preventScrollReset: true, replace: !next },
    );
    if (!next) {
      requestAnimationFrame(() => window.document.getElementById(OPENER_ID)?.focus({ preventScroll: true }));
    }
  };
  return { open, toggle };
}
