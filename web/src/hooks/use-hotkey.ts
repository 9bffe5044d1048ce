import { useEffect, useEffectEvent } from "react";

/** Runs `act` on Ctrl or Cmd with the key. */
export function useHotkey(key: string, act: () => void): void {
  const run = useEffectEvent(act);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== key) return;
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
