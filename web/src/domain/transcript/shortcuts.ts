/**
 * Shortcuts as data: what the page listens to is what its help sheet lists. A combination is written as `Ctrl+Space`,
 * `Alt+Shift+J`, `ArrowLeft`, `?`: the modifiers in the order Mod, Ctrl, Alt, Shift, then the key, a letter as a capital.
 * `Mod` is Cmd on Apple devices and Ctrl elsewhere. Shift is not named if it changes the character, as in `?`.
 */
import type { ParseKeys } from "i18next";
import { type KeyPlace, latinKey } from "@/hooks/use-hotkey";

/** The order of the help sheet. */
export const SHORTCUT_GROUPS = ["player", "editing", "subtitles", "search", "page"] as const;
export type ShortcutGroup = (typeof SHORTCUT_GROUPS)[number];

export interface Shortcut {
  group: ShortcutGroup;
  /** The key of its description, with namespace. */
  label: ParseKeys<["player", "transcript", "editor"]>;
  /** Active where nothing is typed. */
  combos: readonly string[];
  /** Active everywhere, also while the text is edited. */
  typing?: readonly string[];
}

export interface PressedKey extends KeyPlace {
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const isApple = (platform: string): boolean => /Mac|iP(hone|ad)/.test(platform);

/** All notations of this key press: with Ctrl or Cmd also the one with `Mod`. */
export function combosOf(event: PressedKey, platform = navigator.platform): string[] {
  const latin = latinKey(event);
  const key = latin === " " ? "Space" : latin.length === 1 ? latin.toUpperCase() : latin;
  const sign = latin.length === 1 && latin !== " " && !/[a-z]/i.test(latin);
  const tail = [event.altKey && "Alt", event.shiftKey && !sign && "Shift", key];
  const join = (...head: (string | false)[]) => [...head, ...tail].filter(Boolean).join("+");
  const plain = join(event.metaKey && "Meta", event.ctrlKey && "Ctrl");
  const mod = isApple(platform) ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return mod ? [plain, join("Mod")] : [plain];
}

const SIGNS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "⏎",
  Backspace: "⌫",
  Escape: "Esc",
};
const APPLE_SIGNS: Record<string, string> = { Mod: "⌘", Ctrl: "⌃", Alt: "⌥", Shift: "⇧" };
const OTHER_SIGNS: Record<string, string> = { Mod: "Ctrl", Shift: "⇧" };

/** Key labels of a combination; `space` is the name of the space bar. */
export function keyCaps(combo: string, space: string, platform = navigator.platform): string[] {
  const signs = isApple(platform) ? APPLE_SIGNS : OTHER_SIGNS;
  return combo.split("+").map((part) => (part === "Space" ? space : (signs[part] ?? SIGNS[part] ?? part)));
}
