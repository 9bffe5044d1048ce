/** Name, description and category of a preset, and the options for administrators. */
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import type { Preset } from "@/api/presets";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field, TextInput } from "@/components/field";
import { INITIAL_FOCUS } from "@/components/sheet";
import type { FilledForm } from "@/domain/presets/preset-form";
import { useViolationText } from "@/hooks/use-violation-text";
import { allPresetCategories, type PresetCategory, presetCategories } from "@/rules";
import type { useEditor } from "./use-editor";

interface AboutProps {
  preset: Preset | null;
  editor: ReturnType<typeof useEditor>;
}

export function About({ preset, editor: { form, change, ofField } }: AboutProps) {
  const { t } = useTranslation(["presets", "rules"]);
  const violationText = useViolationText();
  const admin = useUser()?.role === "admin";
  const errorOf = (field: keyof FilledForm) => {
    const violation = ofField(field);
    return violation && violationText(violation);
  };
  return (
    <div className="grid gap-x-8 gap-y-5 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex flex-col gap-5">
        <Field label={t("editor.name")} error={errorOf("name")}>
          {(wiring) => (
            <TextInput
              {...wiring}
              {...INITIAL_FOCUS}
              required
              autoComplete="off"
              value={form.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={t("editor.description")} error={errorOf("description")}>
          {(wiring) => (
            <textarea
              {...wiring}
              rows={2}
              className={`${CONTROL} h-auto min-h-16 resize-y py-2`}
              placeholder={t("editor.description_hint")}
              value={form.description ?? ""}
              onChange={(event) => change({ description: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-col gap-5">
        <Field label={t("category")} error={errorOf("category")}>
          {(wiring) => (
            <select
              {...wiring}
              className={CONTROL}
              value={form.category}
              onChange={(event) => change({ category: event.currentTarget.value as PresetCategory })}
            >
              {offeredCategories(admin, preset).map((category) => (
                <option key={category} value={category}>
                  {t(`rules:preset_category.${category}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {admin && (
          <fieldset className="flex flex-wrap gap-x-6 gap-y-3">
            <legend className="sr-only">{t("editor.publishing")}</legend>
            <Checkbox checked={form.is_public} error={errorOf("is_public")} onChange={(is_public) => change({ is_public })}>
              {t("editor.public")}
            </Checkbox>
            <Checkbox checked={form.is_default} error={errorOf("is_default")} onChange={(is_default) => change({ is_default })}>
              {t("editor.recommended")}
            </Checkbox>
          </fieldset>
        )}
      </div>
    </div>
  );
}

/** A copy of a built-in preset keeps its category, which is not offered for new ones. */
function offeredCategories(admin: boolean, preset: Preset | null): PresetCategory[] {
  const users = presetCategories();
  return allPresetCategories().filter((category) => admin || users.includes(category) || category === preset?.category);
}
