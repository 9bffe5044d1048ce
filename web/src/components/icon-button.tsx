/** A button with an icon only: its label is announced, and shown as a tooltip. */
import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/lib/class-names";
import { busyProps } from "./button";
import { Tooltip } from "./tooltip";

interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "title"> {
  label: string;
  /** Keyboard shortcut, such as `Ctrl B`. */
  shortcut?: string;
  /** Ignores clicks and keeps the focus. */
  busy?: boolean;
  children: ReactNode;
}

export function IconButton({ label, shortcut, busy = false, className, children, type = "button", ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(shortcut ? { shortcut } : {})}>
      <button
        type={type}
        aria-label={label}
        className={cx(
          "inline-flex size-(--control) shrink-0 items-center justify-center rounded text-ink-soft transition-colors hover:bg-paper-sunk hover:text-ink disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-[1.125rem]",
          className,
        )}
        {...rest}
        {...busyProps(busy)}
      >
        {children}
      </button>
    </Tooltip>
  );
}
