/**
 * Controls clicked with the mouse give the focus back, so that Space and the arrow keys keep controlling the player.
 * Keyboard users keep the focus.
 */
import type { ChangeEvent, MouseEvent } from "react";

/** For a click handler. A click made by keyboard has detail 0. */
export function releaseFocus({ detail, currentTarget }: Pick<MouseEvent<HTMLElement>, "detail" | "currentTarget">): void {
  if (detail > 0) {
    currentTarget.blur();
  }
}

/**
 * For the mousedown of a tab. radix-ui focuses the pressed tab by script, for which browsers show a focus ring:
 * focusing it beforehand avoids the ring.
 */
export function focusQuietly({ button, ctrlKey, currentTarget }: MouseEvent<HTMLElement>): void {
  if (button === 0 && !ctrlKey) {
    currentTarget.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
  }
}

/** Handlers of a select: after a choice made with the pointer it gives up the focus. */
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

/** For the pointerdown of a drag handle: it gives up the focus on pointerup, wherever that happens. */
export function blurAfterDrag({ currentTarget }: { currentTarget: HTMLElement }): void {
  const page = new AbortController();
  const ended = () => {
    page.abort();
    // Only after the browser has finished the drag: losing the focus earlier would cancel it.
    setTimeout(() => currentTarget.blur());
  };
  window.addEventListener("pointerup", ended, { signal: page.signal });
  window.addEventListener("pointercancel", ended, { signal: page.signal });
}
