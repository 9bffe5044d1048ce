/** Options for results besides the text. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { Switch } from "@/components/switch";
import { limits } from "@/rules";
import type { Edit } from "./edit-sheet";

const SWITCHES = ["diarization", "sentence_diarization", "word_level_timestamps", "srt"] as const;

export function TranscriptionTab({ edit }: { edit: Edit }) {
  const { t } = useTranslation("admin-presets");
  return (
    <div className="flex flex-col gap-5">
      {SWITCHES.map((field) => (
        <Switch
          key={field}
          checked={edit.form.settings[field]}
          onChange={(on) => edit.set({ [field]: on })}
          hint={t(`hints.${field}`)}
          error={edit.errorOf(field)}
        >
          {t(`fields.${field}`)}
        </Switch>
      ))}
      <Summary edit={edit} />
    </div>
  );
}

function Summary({ edit }: { edit: Edit }) {
  const { t } = useTranslation("admin-presets");
  const value = edit.form.settings.summarize;
  // As typed: an empty field is allowed while typing.
  const [typed, setTyped] = useState<string | null>(null);
  const max = limits().max_summarize;
  return (
    <Field
      label={t("fields.summarize")}
      hint={t("hints.summarize", { max })}
      error={edit.errorOf("summarize")}
      className="border-t border-rule pt-5"
    >
      {(wiring) => (
        <input
          {...wiring}
          type="number"
          inputMode="numeric"
          min={0}
          max={max}
          step={10}
          className={`${CONTROL} figures max-w-32`}
          value={typed !== null && numberOf(typed) === value ? typed : String(value)}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            edit.set({ summarize: numberOf(currentTarget.value) });
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

const numberOf = (typed: string): number => (typed.trim() === "" ? 0 : Number(typed));
