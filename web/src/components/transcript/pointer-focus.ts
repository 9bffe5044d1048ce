/**
 * Who works with the mouse does not think of the focus: a control that was only clicked gives it back, so that Space and the
 * arrows stay the player's. Who came by the keyboard keeps it.
 */
import type { ChangeEvent, MouseEvent } from "react";

/** For a click handler. A click that the keyboard made has no count. */
export function letGo({ detail, currentTarget }: Pick<MouseEvent<HTMLElement>, "detail" | "currentTarget">): void {
  if (detail > 0) {
    currentTarget.blur();
  }
}

/**
 * For the mousedown of a tab. radix-ui focuses the pressed one by a call, which browsers outline as if it had come by keys:
 * it has the focus before, without the ring.
 */
export function focusQuietly({ button, ctrlKey, currentTarget }: MouseEvent<HTMLElement>): void {
  if (button === 0 && !ctrlKey) {
    currentTarget.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
  }
}

/** Handlers of a select: after a choice made with the pointer it lets go. */
export function blurAfterPick(onPick: (value: string) => void) {
  let byPointer = false;
  return {
    onPointerDown: () => {
      byPointer = true;
    },
    onKeyDown: () => {
      byPointer = false;
    },
    onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => {
      onPick(currentTarget.value);
      if (byPointer) {
        currentTarget.blur();
      }
    },
  };
}

/** For the pointerdown of something that is dragged: it lets go when the pointer does, wherever that happens. */
export function blurAfterDrag({ currentTarget }: { currentTarget: HTMLElement }): void {
  const page = new AbortController();
  const ended = () => {
    page.abort();
    // Only after the browser has finished the drag: losing the focus before would call it off.
    setTimeout(() => currentTarget.blur());
  };
  window.addEventListener("pointerup", ended, { signal: page.signal });
  window.addEventListener("pointercancel", ended, { signal: page.signal });
}
