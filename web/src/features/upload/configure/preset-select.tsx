/** Presets to choose from: the user's own, quick-start ones, then by category. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type Preset, presetsQuery } from "@/api/presets";
import { Button } from "@/components/button";
import { CONTROL } from "@/components/field";
import { usePresetName } from "@/domain/presets/preset-words";
import type { Choice } from "@/domain/settings/settings-draft";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import type { PresetCategory } from "@/rules";
import { withoutPreset } from "./preset-choice";
import { useApplyPreset } from "./use-apply-preset";

const NONE = "";

interface PresetSelectProps {
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

export function PresetSelect({ choice, onChoice }: PresetSelectProps) {
  const { t } = useTranslation(["configure", "common"]);
  const nameOf = usePresetName();
  const id = useId();
  const { data: presets = [], isPending, isError, refetch } = useQuery(presetsQuery());
  const groups = useGroups(presets);
  const put = useApplyPreset(choice, onChoice);
  const chosen = choice.preset;
  const known = chosen === null || presets.some(({ id }) => id === chosen.id);

  const choose = (id: string) => {
    const preset = presets.find((candidate) => candidate.id === id);
    if (id === NONE) {
      onChoice(withoutPreset(choice));
    } else if (preset) {
      put(preset);
    }
  };

  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {/* In one line with the tabs, to save height. */}
      <div className="flex min-w-0 items-center gap-2.5">
        <label htmlFor={id} className="text-[0.9375rem] font-strong">
          {t("presets.label")}
        </label>
        <select
          id={id}
          className={cx(CONTROL, "sm:w-64")}
          aria-busy={isPending || undefined}
          value={chosen?.id ?? NONE}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value={NONE}>{t(isPending ? "presets.loading" : "presets.none")}</option>
          {/* It was deleted meanwhile, or the list is not loaded yet. */}
          {!known && <option value={chosen.id}>{nameOf(chosen)}</option>}
          {groups.map(({ label, presets: members }) => (
            <optgroup key={label} label={label}>
              {members.map((preset) => (
                <option key={preset.id} value={preset.id}>
                  {nameOf(preset)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      {isError && (
        <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-bad">
          {t("presets.failed")}
          <Button size="small" onClick={() => void refetch()}>
            {t("common:actions.try_again")}
          </Button>
        </p>
      )}
    </div>
  );
}

/** The user's own presets, quick-start presets, then all others by category, in their order. */
function useGroups(presets: readonly Preset[]): { label: string; presets: Preset[] }[] {
  const { t } = useTranslation(["configure", "rules"]);
  const locale = useLocale();
  const nameOf = usePresetName();
  const byName = (a: Preset, b: Preset) => nameOf(a).localeCompare(nameOf(b), locale);
  const ownPresets = presets.filter(({ is_own }) => is_own).sort(byName);
  const quick = presets.filter(({ is_own, quick_start }) => !is_own && typeof quick_start === "number");
  const others = presets.filter(({ is_own, quick_start }) => !is_own && typeof quick_start !== "number");
  const categories = [...new Set(others.map(({ category }) => category))];
  return [
    ...(ownPresets.length > 0 ? [{ label: t("presets.own"), presets: ownPresets }] : []),
    ...(quick.length > 0 ? [{ label: t("presets.quick"), presets: quick }] : []),
    ...categories.map((category) => ({
      label: t(`rules:preset_category.${category as PresetCategory}`),
      presets: others.filter((preset) => preset.category === category).sort(byName),
    })),
  ];
}
