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
 * The Latin character of a key. In a Ukrainian layout the key of B produces `и`; only then the physical key is used: in
 * other Latin layouts the letter may be on another key, and another shortcut on this one.
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

/** `⌘B` on Apple devices, `Ctrl B` elsewhere. */
export function hotkeyLabel(key: string): string {
  return /Mac|iP(hone|ad)/.test(navigator.platform) ? `⌘${key.toUpperCase()}` : `Ctrl ${key.toUpperCase()}`;
}
