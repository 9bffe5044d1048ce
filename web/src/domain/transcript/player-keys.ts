/** The player's keyboard shortcuts, and where keys are left to other elements. */
import { combosOf, type PressedKey, type Shortcut } from "./shortcuts";

export type PlayerCommand =
  | { kind: "toggle" }
  | { kind: "skip"; seconds: number }
  | { kind: "rate"; step: 1 | -1 }
  | { kind: "mark"; end: "from" | "to" }
  | { kind: "loop" }
  | { kind: "line" }
  | { kind: "captions" }
  | { kind: "end_loop" };

interface PlayerShortcut extends Shortcut {
  command: PlayerCommand;
}

/** Alt with the three keys under the right hand: used neither by browsers nor by text editing. */
export const PLAYER_SHORTCUTS: readonly PlayerShortcut[] = [
  {
    group: "player",
    label: "player:keys.toggle",
    combos: ["Space", "K"],
    typing: ["Ctrl+Space", "Alt+K"],
    command: { kind: "toggle" },
  },
  {
    group: "player",
    label: "player:back5",
    combos: ["ArrowLeft", "J"],
    typing: ["Alt+J"],
    command: { kind: "skip", seconds: -5 },
  },
  {
    group: "player",
    label: "player:forward5",
    combos: ["ArrowRight", "L"],
    typing: ["Alt+L"],
    command: { kind: "skip", seconds: 5 },
  },
  {
    group: "player",
    label: "player:back10",
    combos: ["Shift+ArrowLeft", "Shift+J"],
    typing: ["Alt+Shift+J"],
    command: { kind: "skip", seconds: -10 },
  },
  {
    group: "player",
    label: "player:forward10",
    combos: ["Shift+ArrowRight", "Shift+L"],
    typing: ["Alt+Shift+L"],
    command: { kind: "skip", seconds: 10 },
  },
  { group: "player", label: "player:keys.line", combos: ["P"], typing: ["Alt+P"], command: { kind: "line" } },
  { group: "player", label: "player:keys.slower", combos: ["<"], typing: ["Alt+,"], command: { kind: "rate", step: -1 } },
  { group: "player", label: "player:keys.faster", combos: [">"], typing: ["Alt+."], command: { kind: "rate", step: 1 } },
  { group: "player", label: "player:keys.loop", combos: ["R"], typing: ["Alt+R"], command: { kind: "loop" } },
  { group: "player", label: "player:keys.loopFrom", combos: ["A"], command: { kind: "mark", end: "from" } },
  { group: "player", label: "player:keys.loopTo", combos: ["B"], command: { kind: "mark", end: "to" } },
  { group: "player", label: "player:keys.captions", combos: ["C"], typing: ["Alt+C"], command: { kind: "captions" } },
  { group: "player", label: "player:keys.endLoop", combos: ["Escape"], command: { kind: "end_loop" } },
];

export interface MatchedCommand {
  command: PlayerCommand;
  /** The combination types nothing, so it also works in a field. */
  whileTyping: boolean;
  /** A single character key: users of speech input may want these off (WCAG 2.1.4). */
  character: boolean;
}

export function commandFor(event: PressedKey): MatchedCommand | null {
  for (const combo of combosOf(event)) {
    for (const { combos, typing = [], command } of PLAYER_SHORTCUTS) {
      if (typing.includes(combo)) {
        return { command, whileTyping: true, character: false };
      }
      if (combos.includes(combo)) {
        return { command, whileTyping: false, character: /^(Shift\+)?.$/.test(combo) };
      }
    }
  }
  return null;
}

/** The seek bar is an input, too, but nothing is typed there. */
const TYPING =
  "input:not([type='range']), textarea, select, [contenteditable=''], [contenteditable='true'], [contenteditable='plaintext-only'], [role='textbox'], [role='combobox']";
const PRESSABLE = "button, a[href], summary, [role='button'], [role='menuitem'], [role='option'], [role='tab']";
const ARROW_USERS = "[data-arrow-keys], [role='menu'], [role='listbox'], [role='tablist'], [role='radiogroup'], [role='slider']";
/** Closes on Escape, or has keys of its own. */
const OVER_THE_PAGE = "dialog, [role='dialog']:not([aria-modal='false']), [role='menu'], [role='listbox']";

/** True when the focused element uses the key itself: typing, pressing a button, moving in a menu or the text. */
export function isHandledElsewhere(target: EventTarget | null, { command, whileTyping }: MatchedCommand, key = ""): boolean {
  if (!(target instanceof Element)) {
    return false;
  }
  if (target.closest(OVER_THE_PAGE)) {
    return true;
  }
  if (whileTyping || command.kind === "end_loop") {
    return false;
  }
  if (target.closest(TYPING)) {
    return true;
  }
  switch (command.kind) {
    case "toggle":
      return key === " " && target.closest(PRESSABLE) !== null;
    case "skip":
      return key.startsWith("Arrow") && target.closest(ARROW_USERS) !== null;
    default:
      return false;
  }
}
