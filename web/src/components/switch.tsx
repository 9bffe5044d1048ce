/** A switch with its label. */
import { Switch as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cx } from "@/lib/class-names";
import { FieldError } from "./field";

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  /** Why its state is invalid. */
  error?: string | undefined;
  children: ReactNode;
}

export function Switch({ checked, onChange, hint, error, children }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-3">
        <Radix.Root
          id={id}
          checked={checked}
          onCheckedChange={onChange}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={cx(hint !== undefined && `${id}-hint`, error && `${id}-error`) || undefined}
          className="group relative mt-0.5 h-5 w-9 shrink-0 rounded-full border border-edge bg-paper-sunk transition-colors after:absolute after:-inset-2.5 aria-invalid:border-bad data-[state=checked]:border-accent data-[state=checked]:bg-accent"
        >
          <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-ink-faint transition-transform data-[state=checked]:translate-x-[1.125rem] data-[state=checked]:bg-on-accent motion-reduce:transition-none" />
        </Radix.Root>
        <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer text-[0.9375rem] leading-6 select-none">
          {children}
        </label>
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="pl-12 text-sm text-ink-faint">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
