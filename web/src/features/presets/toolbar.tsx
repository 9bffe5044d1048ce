/** Search and filters for presets, and buttons to create or import them. */
import { FileInput, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Choice } from "@/components/choice";
import { SearchBox } from "@/components/search-box";
import type { PresetFilter } from "@/domain/presets/preset-filter";
import type { usePresetFilter } from "@/domain/presets/use-preset-filter";
import { allPresetCategories } from "@/rules";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";

interface ToolbarProps {
  filter: PresetFilter;
  onFilter: ReturnType<typeof usePresetFilter>["setFilter"];
  onCreate: () => void;
  onImport: () => void;
}

export function Toolbar({ filter, onFilter, onCreate, onImport }: ToolbarProps) {
  const { t } = useTranslation(["presets", "rules"]);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <search className="grid min-w-0 flex-1 grid-cols-2 gap-3 sm:basis-lg sm:grid-cols-[minmax(0,1fr)_minmax(0,13rem)_minmax(0,9.5rem)] lg:max-w-2xl">
        <SearchBox
          label={t("search")}
          clearLabel={t("clear_search")}
          value={filter.q ?? ""}
          onChange={(q) => onFilter({ q })}
          className="col-span-full sm:col-span-1"
        />
        <Choice
          label={t("category")}
          all={t("all_categories")}
          value={filter.category}
          options={allPresetCategories().map((value) => ({ value, text: t(`rules:preset_category.${value}`) }))}
          onChange={(category) => onFilter({ category })}
        />
        <Choice
          label={t("mode.label")}
          all={t("mode.all")}
          value={filter.mode}
          options={TRANSCRIPTION_TYPES.map((value) => ({ value, text: t(`mode.${value}`) }))}
          onChange={(mode) => onFilter({ mode })}
        />
      </search>
      <div className="flex gap-3 max-sm:w-full max-sm:[&>*]:flex-1 sm:ml-auto">
        <Button onClick={onImport}>
          <FileInput aria-hidden="true" />
          {t("import.open")}
        </Button>
        <Button onClick={onCreate}>
          <Plus aria-hidden="true" />
          {t("create")}
        </Button>
      </div>
    </div>
  );
}
