/** Whether the palette is open. Its code is loaded on first use; text typed meanwhile is kept for it. */
import { useEffect, useRef, useState } from "react";
import { useHotkey } from "@/hooks/use-hotkey";
import { type CapturedKeys, captureKeys } from "./captured-keys";

export function usePalette() {
  const [open, setOpen] = useState(false);
  const captured = useRef<CapturedKeys | null>(null);
  const takeTyped = () => {
    const typed = captured.current?.end() ?? "";
    captured.current = null;
    return typed;
  };
  const hide = () => {
    takeTyped();
    setOpen(false);
  };
  const show = () => {
    captured.current ??= captureKeys(window, hide);
    setOpen(true);
  };
  useHotkey("k", () => (open ? hide() : show()));
  // If the page changes while the code is loading, capturing stops.
  useEffect(() => () => void captured.current?.end(), []);
  return { open, show, hide, takeTyped };
}
