/** Actions on all presets, and the filters. */
import { FileInput, PackageCheck, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Choice } from "@/components/choice";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { SearchBox } from "@/components/search-box";
import type { PresetFilter } from "@/domain/presets/preset-filter";
import type { usePresetFilter } from "@/domain/presets/use-preset-filter";
import { allPresetCategories } from "@/rules";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";
import { useRestoreStandard } from "./use-restore-standard";
import { useSync } from "./use-sync";

interface ToolbarProps {
  filter: PresetFilter;
  onFilter: ReturnType<typeof usePresetFilter>["setFilter"];
  onImport: () => void;
  /** The number of results. */
  children: ReactNode;
}

export function Toolbar({ filter, onFilter, onImport, children }: ToolbarProps) {
  const { t } = useTranslation(["admin-presets", "rules"]);
  const standard = useRestoreStandard();
  const sync = useSync();
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <div className="mr-auto">
          <h2 className="headline text-xl">{t("title")}</h2>
          <p role="status" className="mt-0.5 text-sm text-ink-soft">
            {children}
          </p>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:flex-1">
          <Button busy={sync.busy} onClick={sync.start}>
            <RefreshCw aria-hidden="true" />
            {t("sync.start")}
          </Button>
          <Button busy={standard.busy} onClick={standard.load}>
            <PackageCheck aria-hidden="true" />
            {standard.total === undefined ? t("standard.load") : t("standard.load_count", { count: standard.total })}
          </Button>
          {standard.asking !== null && (
            <ConfirmDialog
              title={t("standard.title")}
              text={t("standard.question", { count: standard.asking })}
              confirm={t("standard.yes")}
              onConfirm={standard.bringBack}
              onClose={standard.stop}
            />
          )}
          <Button onClick={onImport}>
            <FileInput aria-hidden="true" />
            {t("import")}
          </Button>
        </div>
      </div>
      <search className="grid grid-cols-2 gap-3 sm:grid-cols-[minmax(0,20rem)_13rem_9.5rem]">
        <SearchBox
          label={t("search")}
          clearLabel={t("clear_search")}
          value={filter.q ?? ""}
          onChange={(q) => onFilter({ q })}
          className="col-span-full sm:col-span-1"
        />
        <Choice
          label={t("columns.category")}
          all={t("all_categories")}
          value={filter.category}
          options={allPresetCategories().map((value) => ({ value, text: t(`rules:preset_category.${value}`) }))}
          onChange={(category) => onFilter({ category })}
        />
        <Choice
          label={t("columns.type")}
          all={t("all_types")}
          value={filter.mode}
          options={TRANSCRIPTION_TYPES.map((value) => ({ value, text: t(`type.${value}`) }))}
          onChange={(mode) => onFilter({ mode })}
        />
      </search>
    </>
  );
}
