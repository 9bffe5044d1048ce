/** A labelled control with its hint and its error, wired together for screen readers. */
import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "@/lib/class-names";

/** For every control with a border and a background. */
export const CONTROL =
  "h-(--control) w-full min-w-0 rounded border border-edge bg-paper-raised px-3 text-base text-ink transition-colors hover:border-ink-faint aria-invalid:border-bad disabled:opacity-55";

interface ControlWiring {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** A small control in the line of the label. */
  beside?: ReactNode;
  error?: string | undefined;
  className?: string;
  children: (wiring: ControlWiring) => ReactNode;
}

export function Field({ label, hint, beside, error, className, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={cx("flex flex-col gap-1.5", className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <label htmlFor={id} className="text-[0.9375rem] font-strong">
          {label}
        </label>
        {beside}
      </div>
      {children({ id, ...(described && { "aria-describedby": described }), ...(error && { "aria-invalid": true as const }) })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-faint">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

/** Announced as soon as it appears, because the live region exists before the error. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  return (
    <p id={id} aria-live="polite" className={cx("flex items-start gap-1.5 text-sm text-bad", !text && "sr-only")}>
      {text && <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />}
      {text}
    </p>
  );
}

export function TextInput({ className, type = "text", ...rest }: ComponentProps<"input">) {
  return <input type={type} className={cx(CONTROL, className)} {...rest} />;
}
