import { useEffect, useEffectEvent } from "react";

export interface KeyPlace {
  key: string;
  /** The physical key, named as in the US layout. */
  code?: string;
  shiftKey: boolean;
}

/** The shortcuts' key labels, without and with Shift. */
const PUNCTUATION: Record<string, readonly [string, string]> = {
  Comma: [",", "<"],
  Period: [".", ">"],
  BracketLeft: ["[", "{"],
  BracketRight: ["]", "}"],
};

/**
 * What the key gives in a Latin layout. In a Ukrainian one the key of B gives `и`; only then the place of the key counts:
 * in another Latin layout the letter may be elsewhere, and another shortcut in its place.
 */
export function latinKey({ key, code = "", shiftKey }: KeyPlace): string {
  // Names of keys (`ArrowLeft`) are Latin everywhere.
  if (key.length !== 1 || key.charCodeAt(0) < 0x80) {
    return key;
  }
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) {
    return shiftKey ? letter : letter.toLowerCase();
  }
  return PUNCTUATION[code]?.[shiftKey ? 1 : 0] ?? key;
}

/** Calls `act` on Ctrl or Cmd with the key. */
export function useHotkey(key: string, act: () => void): void {
  const run = useEffectEvent(act);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || latinKey(event).toLowerCase() !== key) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [key]);
}

/** `⌘B` on Apple's machines, `Ctrl B` elsewhere. */
export function hotkeyLabel(key: string): string {
  return /Mac|iP(hone|ad)/.test(navigator.platform) ? `⌘${key.toUpperCase()}` : `Ctrl ${key.toUpperCase()}`;
}
