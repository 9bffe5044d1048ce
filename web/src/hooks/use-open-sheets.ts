/** Which sheet is open. When the last one closes, the focus returns to the element that opened the first one. */
import { useEffect, useRef, useState } from "react";
import { openerOf } from "@/lib/focus-origin";

export function useOpenSheets<Open>() {
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
