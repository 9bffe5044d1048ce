/** A box to tick, with its sentence. */
import { Check } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  invalid?: boolean;
  children: ReactNode;
}

export function Checkbox({ checked, onChange, invalid = false, children }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        aria-invalid={invalid || undefined}
        className="relative mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-sm border border-edge bg-paper-raised text-on-accent transition-colors after:absolute after:-inset-3 aria-invalid:border-bad data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Indicator>
          <Check aria-hidden="true" className="size-4" strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id} className="cursor-pointer text-[0.9375rem] leading-6 select-none">
        {children}
      </label>
    </div>
  );
}
