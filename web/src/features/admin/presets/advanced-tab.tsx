/** Input for the models (comma-separated lists, as in files, and the prompt), and settings for the text. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field, TextInput } from "@/components/field";
import { limits, translationTargets } from "@/rules";
import { Choices } from "./choices";
import type { Edit } from "./edit-sheet";

const TRANSLATIONS = ["llm_translation", "srt_translation"] as const;

export function AdvancedTab({ edit }: { edit: Edit }) {
  const { t } = useTranslation("admin-presets");
  const { settings } = edit.form;
  const length = [...settings.custom_prompt].length;
  return (
    <div className="flex flex-col gap-5">
      <Field label={t("fields.custom_vocabulary")} hint={t("hints.custom_vocabulary")} error={edit.errorOf("custom_vocabulary")}>
        {(wiring) => (
          <textarea
            {...wiring}
            rows={2}
            spellCheck={false}
            className={`${CONTROL} h-auto min-h-16 resize-y py-2`}
            value={settings.custom_vocabulary}
            onChange={(event) => edit.set({ custom_vocabulary: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label={t("fields.custom_prompt")}
        hint={t("hints.custom_prompt", { length, max: limits().max_custom_prompt })}
        error={edit.errorOf("custom_prompt")}
      >
        {(wiring) => (
          <textarea
            {...wiring}
            rows={10}
            className={`${CONTROL} h-auto min-h-40 resize-y py-2 text-[0.9375rem] leading-6`}
            value={settings.custom_prompt}
            onChange={(event) => edit.set({ custom_prompt: event.currentTarget.value })}
          />
        )}
      </Field>
      {TRANSLATIONS.map((field) => (
        <Field
          key={field}
          label={t(`fields.${field}`)}
          hint={t("hints.translation", { languages: translationTargets().join(", ") })}
          error={edit.errorOf(field)}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              placeholder="english, french"
              value={settings[field]}
              onChange={(event) => edit.set({ [field]: event.currentTarget.value })}
            />
          )}
        </Field>
      ))}
      <Choices tab="advanced" edit={edit} />
    </div>
  );
}
