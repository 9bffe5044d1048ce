/** A filter with a label above it. */
import { type ReactNode, useId } from "react";
import { CONTROL } from "@/components/field";
import { cx } from "@/lib/class-names";

interface LabelledProps {
  label: string;
  chosen: string | undefined;
  children: (wiring: { id: string; className: string }) => ReactNode;
}

export function Labelled({ label, chosen, children }: LabelledProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm text-ink-soft">
        {label}
      </label>
      {children({ id, className: cx(CONTROL, "sm:w-44", chosen && "border-accent") })}
    </div>
  );
}
