/** A setting that is on or off, with its explanations. */
import { type ReactNode, useId } from "react";
import { Checkbox } from "@/components/checkbox";
import { DisabledControl, describedBy, showDisabledReason } from "./disabled-control";
import { type Ability, useFields } from "./fields-context";
import { MissingBadge, MissingNote } from "./missing-ability";
import type { Settings, Switch } from "./settings";
import { useRestriction } from "./use-restriction";

interface OptionProps {
  /** Name of the setting. */
  field: keyof Settings;
  label: string;
  /** A few words after the label. */
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The server's ability that it needs, if not the setting's own feature. */
  ability?: Ability;
  error?: string | undefined;
  /** Shown below it. */
  note?: ReactNode;
}

export function Option({ field, label, hint, checked, onChange, ability, error, note }: OptionProps) {
  const id = useId();
  const { reason, lack } = useRestriction({ field, ability, on: checked });
  // An option that is on can always be switched off.
  const locked = reason !== null && !checked;
  return (
    <div data-field={field} className="flex flex-col gap-1">
      <DisabledControl text={reason} id={`${id}-obstacle`} className="w-fit">
        <Checkbox
          checked={checked}
          onChange={onChange}
          locked={locked}
          onLocked={() => showDisabledReason(reason)}
          error={error}
          describedBy={describedBy(
            reason && `${id}-obstacle`,
            note !== undefined && `${id}-note`,
            lack !== null && checked && `${id}-lack`,
          )}
        >
          {label}
          {hint && <span className="text-ink-faint"> — {hint}</span>}
          {lack !== null && !checked && <MissingBadge lack={lack} />}
        </Checkbox>
      </DisabledControl>
      <div className="flex flex-col gap-1 pl-7.5 empty:hidden">
        {note !== undefined && (
          <p id={`${id}-note`} className="text-sm text-ink-faint">
            {note}
          </p>
        )}
        {lack !== null && checked && <MissingNote lack={lack} id={`${id}-lack`} />}
      </div>
    </div>
  );
}

/** An option for one field of the settings. */
export function SwitchField({
  field,
  ...rest
}: { field: Switch } & Omit<OptionProps, "field" | "checked" | "onChange" | "error">) {
  const { settings, change, errorOf } = useFields();
  return (
    <Option
      field={field}
      checked={settings[field]}
      onChange={(checked) => change({ [field]: checked })}
      error={errorOf(field)}
      {...rest}
    />
  );
}

/** A group of options. */
export function OptionGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset aria-labelledby={id} className="flex flex-col gap-2">
      <legend id={id} className="mb-1.5 text-[0.9375rem] font-strong">
        {label}
      </legend>
      {children}
    </fieldset>
  );
}
