/** What a new source or target is. */
import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import { INITIAL_FOCUS } from "@/components/sheet";

interface KindFieldProps<Kind extends string> {
  legend: string;
  options: readonly { kind: Kind; icon: LucideIcon; name: string; text: string }[];
  kind: Kind;
  onChange: (kind: Kind) => void;
}

export function KindField<Kind extends string>({ legend, options, kind, onChange }: KindFieldProps<Kind>) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.9375rem] font-strong">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {options.map(({ kind: one, icon: Icon, ...option }) => (
          <label
            key={one}
            className="flex cursor-pointer items-start gap-2.5 rounded-md border border-rule px-3 py-2.5 transition-colors hover:border-rule-strong has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === kind}
              {...(one === kind && INITIAL_FOCUS)}
              onChange={() => onChange(one)}
              className="sr-only"
            />
            <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-soft" />
            <span>
              {option.name}
              <span className="block text-sm text-ink-soft">{option.text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
