/** A box to tick, with its sentence. */
import { Check, CircleAlert } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Why it cannot stay as it is. */
  error?: string | undefined;
  children: ReactNode;
}

export function Checkbox({ checked, onChange, error, children }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-start gap-x-2.5 gap-y-1.5">
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error && `${id}-error`}
        className="relative mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-sm border border-edge bg-paper-raised text-on-accent transition-colors after:absolute after:-inset-3 aria-invalid:border-bad data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Indicator>
          <Check aria-hidden="true" className="size-4" strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer text-[0.9375rem] leading-6 select-none">
        {children}
      </label>
      {error && (
        <p id={`${id}-error`} className="flex basis-full items-start gap-1.5 text-sm text-bad">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
}
