/** Which sheet lies over the page. When the last one closes, the focus goes back to what opened the first. */
import { useEffect, useRef, useState } from "react";

export function useOpener<Open>() {
  const [open, setOpen] = useState<Open | null>(null);
  const opener = useRef<HTMLElement | null>(null);

  useEffect(() => {
    if (open === null) opener.current?.focus({ preventScroll: true });
  }, [open]);

  return {
    open,
    show: (next: Open) => {
      if (open === null) opener.current = openerOf(document.activeElement);
      setOpen(next);
    },
    close: () => setOpen(null),
  };
}

/** A menu's entry is gone when the sheet closes; the button that opened the menu is still there. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = menu ? document.getElementById(menu) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
