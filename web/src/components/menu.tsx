/** A menu button. The menu's code is loaded when the user is about to open it. */
import { type ReactElement, type ReactNode, useState } from "react";
import { createPart, usePart } from "@/lib/part";
import { useRemoteTrigger } from "./remote-trigger";

const menuParts = createPart(() => import("./menu-parts"));

/** Preloads the code of menus. */
export const loadMenus = menuParts.load;

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center" | "end";
  children: ReactNode;
}

const OPENING_KEYS = ["Enter", " ", "ArrowDown"];

export function Menu({ trigger, ...sheet }: MenuProps) {
  const parts = usePart(menuParts);
  const [open, setOpen] = useState(false);
  const fetch = () => void loadMenus().catch(() => undefined);
  // If opened before its code is loaded, it shows as soon as possible; loading can be retried.
  const openSoon = () => {
    setOpen((before) => !before);
    loadMenus().catch((error: unknown) => {
      console.error(error);
      setOpen(false);
    });
  };
  const { drawn, remote } = useRemoteTrigger(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": open,
    "data-state": open ? "open" : "closed",
    ...(!parts && {
      onPointerEnter: fetch,
      onFocus: fetch,
      onPointerDown: (event) => {
        if (event.button === 0 && !event.ctrlKey) {
          event.preventDefault();
          openSoon();
        }
      },
      onKeyDown: (event) => {
        if (OPENING_KEYS.includes(event.key)) {
          event.preventDefault();
          openSoon();
        }
      },
    }),
  });
  return (
    <>
      {drawn}
      {parts && <parts.MenuSheet {...sheet} remote={remote} open={open} onOpenChange={setOpen} />}
    </>
  );
}

export interface MenuItemProps {
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

export function MenuItem(props: MenuItemProps) {
  const parts = usePart(menuParts);
  return parts && <parts.MenuItem {...props} />;
}

export interface MenuLinkProps {
  to: string;
  children: ReactNode;
}

/** A menu item that is a link, so that it can be opened in another tab. */
export function MenuLink(props: MenuLinkProps) {
  const parts = usePart(menuParts);
  return parts && <parts.MenuLink {...props} />;
}

export interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** One of several options, with a check mark at the selected one. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const parts = usePart(menuParts);
  return parts && <parts.MenuChoice {...props} />;
}

export function MenuSeparator() {
  const parts = usePart(menuParts);
  return parts && <parts.MenuSeparator />;
}
