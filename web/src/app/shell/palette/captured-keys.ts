/**
 * Captures keys that are pressed before their input field is loaded. Until then they have no other effect on the page.
 */

export interface CapturedKeys {
  /** Stops capturing, and returns the typed text. */
  end: () => string;
}

/** Keys that would act on the page below. */
const SWALLOWED = ["Enter", "Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "Delete"];

/** `onEscape`: the reader has cancelled. */
export function captureKeys(
  target: Pick<Window, "addEventListener" | "removeEventListener">,
  onEscape: () => void,
): CapturedKeys {
  let text = "";
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    // Shortcuts are not text, and IME composition is not possible here.
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if ([...key].length === 1) text += key;
    else if (key === "Backspace") text = [...text].slice(0, -1).join("");
    else if (key !== "Escape" && !SWALLOWED.includes(key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "Escape") onEscape();
  };
  target.addEventListener("keydown", onKeyDown, true);
  return {
    end: () => {
      target.removeEventListener("keydown", onKeyDown, true);
      return text;
    },
  };
}
