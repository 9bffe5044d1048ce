/** A radio group with all options visible. */
import { RadioGroup as Radix } from "radix-ui";
import { useId } from "react";

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; lang?: string }[];
  onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div>
      <p id={id} className="mb-1.5 text-[0.9375rem] font-strong">
        {label}
      </p>
      <Radix.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(next as Value)}
        className="inline-flex max-w-full flex-wrap rounded border border-edge bg-paper-raised"
      >
        {options.map((option) => (
          <Radix.Item
            key={option.value}
            value={option.value}
            lang={option.lang}
            className="h-(--control) rounded-sm px-4 text-[0.9375rem] transition-colors not-data-[state=checked]:text-ink-soft not-data-[state=checked]:hover:text-ink data-[state=checked]:bg-ink data-[state=checked]:text-paper"
          >
            {option.label}
          </Radix.Item>
        ))}
      </Radix.Root>
    </div>
  );
}
