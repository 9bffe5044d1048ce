/** Which sheet lies over the page. When the last one closes, the focus goes back to what opened the first. */
import { useEffect, useRef, useState } from "react";
import type { Preset } from "@/api/presets";

export type OpenSheet = { sheet: "details" | "edit"; id: string } | { sheet: "create" | "import" };

export function useOpenSheet() {
  const [open, setOpen] = useState<OpenSheet | null>(null);
  const opener = useRef<HTMLElement | null>(null);

  useEffect(() => {
    if (open === null) opener.current?.focus({ preventScroll: true });
  }, [open]);

  const show = (next: OpenSheet) => {
    if (open === null) opener.current = openerOf(document.activeElement);
    setOpen(next);
  };
  return {
    open,
    create: () => show({ sheet: "create" }),
    bringIn: () => show({ sheet: "import" }),
    details: ({ id }: Preset) => show({ sheet: "details", id }),
    edit: ({ id }: Preset) => show({ sheet: "edit", id }),
    close: () => setOpen(null),
  };
}

/** A menu's entry is gone when the sheet closes; the button that opened the menu is still there. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = menu ? document.getElementById(menu) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
