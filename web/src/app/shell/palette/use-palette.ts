/** Whether the palette is open. Its code is fetched when it is first asked for; what is typed meanwhile is kept for it. */
import { useEffect, useRef, useState } from "react";
import { useHotkey } from "@/hooks/use-hotkey";
import { type HeldKeys, holdKeys } from "./held-keys";

export function usePalette() {
  const [open, setOpen] = useState(false);
  const held = useRef<HeldKeys | null>(null);
  const takeTyped = () => {
    const typed = held.current?.end() ?? "";
    held.current = null;
    return typed;
  };
  const hide = () => {
    takeTyped();
    setOpen(false);
  };
  const show = () => {
    held.current ??= holdKeys(window, hide);
    setOpen(true);
  };
  useHotkey("k", () => (open ? hide() : show()));
  // A page that goes while the code is on its way takes nothing along.
  useEffect(() => () => void held.current?.end(), []);
  return { open, show, hide, takeTyped };
}
