/** A checkbox with its label. */
import { Check, CircleAlert } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cx } from "@/lib/class-names";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Why its state is invalid. */
  error?: string | undefined;
  /** It belongs to a group whose error is shown for the group, see `describedBy`. */
  invalid?: boolean;
  /** It cannot be ticked at the moment, but stays focusable; attempts call `onLocked`. */
  locked?: boolean;
  onLocked?: () => void;
  /** Ids of its descriptions. */
  describedBy?: string | undefined;
  children: ReactNode;
}

export function Checkbox(props: CheckboxProps) {
  const { checked, onChange, error, invalid = false, locked = false, onLocked, describedBy, children } = props;
  const id = useId();
  return (
    <div className="flex flex-wrap items-start gap-x-2.5 gap-y-1.5">
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => (locked ? onLocked?.() : onChange(next === true))}
        aria-invalid={invalid || error !== undefined || undefined}
        aria-disabled={locked || undefined}
        aria-describedby={cx(describedBy, error && `${id}-error`) || undefined}
        className="relative mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-sm border border-edge bg-paper-raised text-on-accent transition-colors after:absolute after:-inset-3 aria-invalid:border-bad aria-disabled:cursor-not-allowed aria-disabled:border-rule-strong aria-disabled:bg-paper-sunk data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Indicator>
          <Check aria-hidden="true" className="size-4" strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <label
        htmlFor={id}
        className={cx(
          "min-w-0 flex-1 text-[0.9375rem] leading-6 select-none",
          locked ? "cursor-not-allowed text-ink-faint" : "cursor-pointer",
        )}
      >
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
