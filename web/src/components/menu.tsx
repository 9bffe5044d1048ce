/** A menu under a button. What is in it is fetched at the first sign that it will be opened. */
import { type ReactElement, type ReactNode, useState } from "react";
import { createPart, usePart } from "@/lib/part";
import { useRemoteTrigger } from "./remote-trigger";

const menuParts = createPart(() => import("./menu-parts"));

/** Fetches what is in menus before one is opened. */
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
  // Opened before it is there, it shows as soon as it comes; what cannot be fetched can be tried again.
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

/** A page one goes to: a link in all it can do, such as opening in another tab. */
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

/** One of several, with a tick at the chosen one. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const parts = usePart(menuParts);
  return parts && <parts.MenuChoice {...props} />;
}

export function MenuRule() {
  const parts = usePart(menuParts);
  return parts && <parts.MenuRule />;
}
