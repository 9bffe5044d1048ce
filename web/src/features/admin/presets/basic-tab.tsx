/** Name and purpose of the preset, mode and language. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field, TextInput } from "@/components/field";
import { INITIAL_FOCUS } from "@/components/sheet";
import { Switch } from "@/components/switch";
import { languageOptions, SpokenLanguages, useModeChoice } from "@/domain/settings";
import { useLocale } from "@/hooks/use-locale";
import { allPresetCategories } from "@/rules";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";
import { Choices } from "./choices";
import type { Edit } from "./edit-sheet";

export function BasicTab({ edit }: { edit: Edit }) {
  const { t } = useTranslation(["admin-presets", "configure", "rules"]);
  const withMode = useModeChoice();
  const { form } = edit;
  const { settings } = form;
  return (
    <div className="flex flex-col gap-5">
      <Field label={t("fields.name")} error={edit.errorOf("name")}>
        {(wiring) => (
          <TextInput
            {...wiring}
            {...INITIAL_FOCUS}
            autoComplete="off"
            value={form.name}
            onChange={(event) => edit.change({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t("fields.description")} error={edit.errorOf("description")}>
        {(wiring) => (
          <textarea
            {...wiring}
            rows={3}
            className={`${CONTROL} h-auto min-h-20 resize-y py-2`}
            value={form.description ?? ""}
            onChange={(event) => edit.change({ description: event.currentTarget.value })}
          />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-3">
        <Field label={t("fields.category")} error={edit.errorOf("category")}>
          {(wiring) => (
            <select
              {...wiring}
              className={CONTROL}
              value={form.category}
              onChange={({ currentTarget: { value } }) => {
                const category = allPresetCategories().find((known) => known === value);
                if (category) edit.change({ category });
              }}
            >
              {allPresetCategories().map((category) => (
                <option key={category} value={category}>
                  {t(`rules:preset_category.${category}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("fields.transcription_type")} error={edit.errorOf("transcription_type")}>
          {(wiring) => (
            <select
              {...wiring}
              className={CONTROL}
              value={settings.transcription_type}
              onChange={({ currentTarget: { value } }) => {
                const mode = TRANSCRIPTION_TYPES.find((type) => type === value);
                if (mode) edit.change({ settings: withMode(settings, mode) });
              }}
            >
              {TRANSCRIPTION_TYPES.map((mode) => (
                <option key={mode} value={mode}>
                  {t(`type.${mode}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Language edit={edit} />
        <Choices tab="basic" edit={edit} />
      </div>
      {(settings.language_code === "auto" || edit.errorOf("languages")) && (
        <SpokenLanguages
          languages={settings.languages}
          onChange={(languages) => edit.set({ languages })}
          error={edit.errorOf("languages")}
          hint={t("configure:spoken.hintPreset")}
        />
      )}
      <div className="flex flex-col gap-3 border-t border-rule pt-5">
        <Switch
          checked={form.is_public}
          onChange={(is_public) => edit.change({ is_public })}
          hint={t("hints.is_public")}
          error={edit.errorOf("is_public")}
        >
          {t("fields.is_public")}
        </Switch>
        <Switch
          checked={form.is_default}
          onChange={(is_default) => edit.change({ is_default })}
          hint={t("hints.is_default")}
          error={edit.errorOf("is_default")}
        >
          {t("fields.is_default")}
        </Switch>
      </div>
    </div>
  );
}

/** The languages that the mode supports. */
function Language({ edit }: { edit: Edit }) {
  const { t } = useTranslation(["admin-presets", "configure", "languages"]);
  const locale = useLocale();
  const { settings } = edit.form;
  const nameOf = (code: string) => t(`languages:${code}` as "languages:uk");
  const { often, rest } = languageOptions(settings.transcription_type, nameOf, locale);
  return (
    <Field label={t("fields.language_code")} error={edit.errorOf("language_code")}>
      {(wiring) => (
        <select
          {...wiring}
          className={CONTROL}
          value={settings.language_code}
          onChange={(event) => edit.set({ language_code: event.currentTarget.value })}
        >
          {settings.transcription_type === "full" && <option value="auto">{t("configure:language.auto")}</option>}
          {[...often, ...rest].map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
