/** A setting that is one of a few names: its words are `setting.<name>` and `<name>.<choice>` of the rules. */
import { CONTROL, Field } from "@/components/field";
import type { Setting } from "@/rules";
import { useFields } from "./fields-context";
import type { Settings } from "./settings";
import { useChoiceWords } from "./settings-words";

interface ChoiceSelectProps {
  row: Setting;
  settings: Settings;
  onChange: (change: Partial<Settings>) => void;
  error: string | undefined;
}

export function ChoiceSelect({ row: { name, choices }, settings, onChange, error }: ChoiceSelectProps) {
  const words = useChoiceWords();
  return (
    <Field label={words.label(name)} error={error}>
      {(wiring) => (
        <select
          {...wiring}
          className={`${CONTROL} max-w-64`}
          value={String(settings[name])}
          onChange={(event) => onChange({ [name]: event.currentTarget.value })}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {words.value(name, choice)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The same in the form of all settings. */
export function ChoiceField({ row }: { row: Setting }) {
  const { settings, change, errorOf } = useFields();
  return (
    <div data-field={row.name}>
      <ChoiceSelect row={row} settings={settings} onChange={change} error={errorOf(row.name)} />
    </div>
  );
}
