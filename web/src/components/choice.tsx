/** A select with one of a few values, or none: a filter. */
import { cx } from "@/lib/class-names";
import { CONTROL } from "./field";

interface ChoiceProps {
  label: string;
  /** Label for no choice. */
  all: string;
  value: string | undefined;
  options: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
  className?: string;
}

export function Choice({ label, all, value = "", options, onChange, className }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      className={cx(CONTROL, value && "border-accent", className)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
}
