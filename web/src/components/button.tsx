/** Buttons, and links that look like them. */
import { LoaderCircle } from "lucide-react";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { Link } from "react-router";
import { cx } from "@/lib/class-names";

export type ButtonLook = "primary" | "outline" | "quiet" | "danger";
type ButtonSize = "normal" | "small";

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-2 rounded font-strong whitespace-nowrap transition-colors select-none disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0";

const LOOKS: Record<ButtonLook, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  outline: "border border-edge bg-paper-raised text-ink hover:bg-paper-sunk",
  quiet: "text-ink-soft hover:bg-paper-sunk hover:text-ink",
  danger: "border border-bad bg-paper-raised text-bad hover:bg-bad-wash",
};

const SIZES: Record<ButtonSize, string> = {
  normal: "h-(--control) px-4 text-[0.9375rem]",
  small: "h-8 px-3 text-sm pointer-coarse:h-11",
};

interface ButtonAppearance {
  look?: ButtonLook;
  size?: ButtonSize;
}

interface ButtonProps extends ComponentProps<"button">, ButtonAppearance {
  /**
   * Shows a spinner and ignores clicks; the label stays, so that the width does not change. It keeps the focus, which a
   * disabled button would lose.
   */
  busy?: boolean;
}

/** Properties of a busy button: clicks have no effect, nor has Enter in its form, and a menu does not open. */
const AT_WORK = {
  "aria-disabled": true,
  "aria-busy": true,
  onClick: (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
  },
  onPointerDown: undefined,
  onKeyDown: undefined,
} as const;

/** Overrides a button's own properties while it is busy. */
export const busyProps = (busy: boolean): Partial<typeof AT_WORK> => (busy ? AT_WORK : {});

export function Button({
  look = "outline",
  size = "normal",
  busy = false,
  className,
  disabled,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      disabled={disabled}
      className={cx(BASE, LOOKS[look], SIZES[size], className)}
      {...rest}
      {...busyProps(busy)}
    >
      {busy && <LoaderCircle aria-hidden="true" className="animate-spin" />}
      {children}
    </button>
  );
}

interface LinkButtonProps extends ButtonAppearance {
  to: string;
  /** State of the new history entry. */
  state?: unknown;
  /** The URL is outside of the app, so the browser loads it. */
  loads?: boolean;
  /** Accessible name including its object, for lists with many equal buttons. */
  label?: string;
  /** Called before navigation. */
  onClick?: () => void;
  className?: string;
  children: ReactNode;
}

export function LinkButton({
  to,
  state,
  loads = false,
  label,
  onClick,
  look = "outline",
  size = "normal",
  className,
  children,
}: LinkButtonProps) {
  return (
    <Link
      to={to}
      state={state}
      onClick={onClick}
      reloadDocument={loads}
      aria-label={label}
      className={cx(BASE, LOOKS[look], SIZES[size], className)}
    >
      {children}
    </Link>
  );
}
