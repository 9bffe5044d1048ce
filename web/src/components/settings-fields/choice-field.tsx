/** A setting with a few choices: its texts are `setting.<name>` and `<name>.<choice>` of the rules. */
import { CONTROL, Field } from "@/components/field";
import type { Setting } from "@/rules";
import { useChoiceWords } from "../settings-words";
import { useFields } from "./fields-context";

export function ChoiceField({ row: { name, choices } }: { row: Setting }) {
  const { settings, change, errorOf } = useFields();
  const words = useChoiceWords();
  return (
    <div data-field={name}>
      <Field label={words.label(name)} error={errorOf(name)}>
        {(wiring) => (
          <select
            {...wiring}
            className={`${CONTROL} max-w-64`}
            value={String(settings[name])}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {words.value(name, choice)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
