/** Keys that were pressed before the field they are meant for is there. Until then they reach nothing else on the page. */

export interface HeldKeys {
  /** Stops, and gives the text that they come to. */
  end: () => string;
}

/** What would act on the page under what is to come. */
const SWALLOWED = ["Enter", "Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "Delete"];

/** `onEscape`: the reader does not want it any more. */
export function holdKeys(target: Pick<Window, "addEventListener" | "removeEventListener">, onEscape: () => void): HeldKeys {
  let text = "";
  const heard = (event: KeyboardEvent) => {
    const { key } = event;
    // Shortcuts are no text, and a word that is composed of several keys cannot be put together here.
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if ([...key].length === 1) text += key;
    else if (key === "Backspace") text = [...text].slice(0, -1).join("");
    else if (key !== "Escape" && !SWALLOWED.includes(key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "Escape") onEscape();
  };
  target.addEventListener("keydown", heard, true);
  return {
    end: () => {
      target.removeEventListener("keydown", heard, true);
      return text;
    },
  };
}
