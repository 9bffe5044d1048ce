/** The player's keyboard: which key does what, and where a key belongs to something else. */

import { type KeyPlace, latinKey } from "@/hooks/use-hotkey";

export type PlayerCommand = { kind: "toggle" } | { kind: "skip"; seconds: number } | { kind: "rate"; step: 1 | -1 };

interface Key extends KeyPlace {
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export function commandFor(event: Key): PlayerCommand | null {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return null;
  }
  switch (latinKey(event)) {
    case " ":
      return { kind: "toggle" };
    case "ArrowLeft":
      return { kind: "skip", seconds: event.shiftKey ? -10 : -5 };
    case "ArrowRight":
      return { kind: "skip", seconds: event.shiftKey ? 10 : 5 };
    case "<":
      return { kind: "rate", step: -1 };
    case ">":
      return { kind: "rate", step: 1 };
    default:
      return null;
  }
}

/** The seek bar is an input, too, but nothing is typed there. */
const TYPING =
  "input:not([type='range']), textarea, select, [contenteditable=''], [contenteditable='true'], [role='textbox'], [role='combobox']";
const PRESSABLE = "button, a[href], summary, [role='button'], [role='menuitem'], [role='option'], [role='tab']";
const ARROW_USERS = "[data-arrow-keys], [role='menu'], [role='listbox'], [role='tablist'], [role='radiogroup'], [role='slider']";

/** True when the key means something else where the focus is: typing, pressing a button, moving in a menu or the text. */
export function belongsElsewhere(target: EventTarget | null, command: PlayerCommand): boolean {
  if (!(target instanceof Element)) {
    return false;
  }
  if (target.closest(TYPING) || target.closest("dialog, [role='dialog']")) {
    return true;
  }
  switch (command.kind) {
    case "toggle":
      return target.closest(PRESSABLE) !== null;
    case "skip":
      return target.closest(ARROW_USERS) !== null;
    case "rate":
      return false;
  }
}
