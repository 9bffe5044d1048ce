/** A checkbox with its explanation. */
import { type ReactNode, useId } from "react";
import { Checkbox } from "@/components/checkbox";

interface CheckboxRowProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  hint: ReactNode;
}

export function CheckboxRow({ checked, onChange, label, hint }: CheckboxRowProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-0.5">
      <Checkbox checked={checked} onChange={onChange} describedBy={id}>
        {label}
      </Checkbox>
      <p id={id} className="pl-7.5 text-sm text-ink-faint">
        {hint}
      </p>
    </div>
  );
}
