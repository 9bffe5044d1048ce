/** The checkbox that selects a row. */
import { Check, Minus } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";

interface RowCheckProps {
  label: string;
  checked: boolean | "indeterminate";
  /** With Shift: all rows up to this one. */
  onToggle: (reach: boolean) => void;
}

export function RowCheck({ label, checked, onToggle }: RowCheckProps) {
  return (
    <Radix.Root
      aria-label={label}
      checked={checked}
      onClick={(event) => onToggle(event.shiftKey)}
      // Shift and a click would also select the text between.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      className="relative z-1 flex size-5 shrink-0 items-center justify-center rounded-sm border border-edge bg-paper-raised text-on-accent after:absolute after:-inset-3 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent"
    >
      <Radix.Indicator>
        {checked === "indeterminate" ? (
          <Minus aria-hidden="true" className="size-4" strokeWidth={3} />
        ) : (
          <Check aria-hidden="true" className="size-4" strokeWidth={3} />
        )}
      </Radix.Indicator>
    </Radix.Root>
  );
}
