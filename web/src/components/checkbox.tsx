/** A box to tick, with its sentence. */
import { Check } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cx } from "@/lib/class-names";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  invalid?: boolean;
  /** It cannot be ticked at the moment. It stays reachable, and what was tried is answered by `onLocked`. */
  locked?: boolean;
  onLocked?: () => void;
  /** Ids of what explains it. */
  describedBy?: string | undefined;
  children: ReactNode;
}

export function Checkbox({ checked, onChange, invalid = false, locked = false, onLocked, describedBy, children }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => (locked ? onLocked?.() : onChange(next === true))}
        aria-invalid={invalid || undefined}
        aria-disabled={locked || undefined}
        aria-describedby={describedBy}
        className="relative mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-sm border border-edge bg-paper-raised text-on-accent transition-colors after:absolute after:-inset-3 aria-invalid:border-bad aria-disabled:cursor-not-allowed aria-disabled:border-rule-strong aria-disabled:bg-paper-sunk data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Indicator>
          <Check aria-hidden="true" className="size-4" strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <label
        htmlFor={id}
        className={cx("text-[0.9375rem] leading-6 select-none", locked ? "cursor-not-allowed text-ink-faint" : "cursor-pointer")}
      >
        {children}
      </label>
    </div>
  );
}
