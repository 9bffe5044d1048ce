/** The preset of a source's recordings. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { presetsQuery } from "@/api/presets";
import type { Source } from "@/api/sources";
import { CONTROL, Field } from "@/components/field";
import { usePresetName } from "@/domain/presets/preset-words";

interface PresetFieldProps {
  chosen: string | null;
  source: Source | null;
  onChange: (id: string | null) => void;
}

export function PresetField({ chosen, source, onChange }: PresetFieldProps) {
  const { t } = useTranslation("sources");
  const nameOf = usePresetName();
  const { data: presets = [], isPending } = useQuery(presetsQuery());
  const isKnown = chosen === null || presets.some(({ id }) => id === chosen);
  return (
    <Field label={t("editor.preset")} hint={t("editor.preset_hint")}>
      {(wiring) => (
        <select
          {...wiring}
          className={CONTROL}
          aria-busy={isPending || undefined}
          value={chosen ?? ""}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        >
          <option value="">{t("editor.preset_none")}</option>
          {/* It was deleted, or the list is not loaded yet. */}
          {!isKnown && <option value={chosen}>{source?.preset_name ?? t("preset_gone")}</option>}
          {presets.map((preset) => (
            <option key={preset.id} value={preset.id}>
              {nameOf(preset)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
