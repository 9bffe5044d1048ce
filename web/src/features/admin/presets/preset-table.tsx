/** The presets on a wide screen. */
import { useTranslation } from "react-i18next";
import type { ManagedPreset } from "@/api/managed-presets";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber } from "@/lib/format";
import { PresetActions, PresetName, PublicMark, useCategoryText } from "./preset-parts";

const WIDTHS = { name: "", category: "w-44", type: "w-20", uses: "w-36 text-right", public: "w-32", actions: "w-32" } as const;
const COLUMNS = ["name", "category", "type", "uses", "public", "actions"] as const;
const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const CELL = "px-3 py-(--row) align-middle first:pl-0 last:pr-0";

export interface PresetListProps {
  /** Without them, the shape of the list that is on its way. */
  presets: readonly ManagedPreset[] | undefined;
  onEdit: (preset: ManagedPreset) => void;
}

export function PresetTable({ presets, onEdit }: PresetListProps) {
  const { t } = useTranslation("admin-presets");
  return (
    <table className="w-full table-fixed border-collapse text-left text-sm" aria-label={t("table")} aria-busy={!presets}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className={`kicker sticky top-(--header-height) z-10 bg-paper px-3 py-2 shadow-[inset_0_-2px_0_var(--ink)] first:pl-0 last:pr-0 ${WIDTHS[column]}`}
            >
              {column === "actions" ? <span className="sr-only">{t("columns.actions")}</span> : t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {presets
          ? presets.map((preset) => <Row key={preset.id} preset={preset} onEdit={onEdit} />)
          : SKELETONS.map((key) => <SkeletonRow key={key} />)}
      </tbody>
    </table>
  );
}

function Row({ preset, onEdit }: { preset: ManagedPreset; onEdit: (preset: ManagedPreset) => void }) {
  const { t } = useTranslation("admin-presets");
  const locale = useLocale();
  const categoryText = useCategoryText();
  return (
    <tr className="border-b border-rule hover:bg-paper-sunk/60">
      <td className={`${CELL} wrap-anywhere`}>
        <PresetName preset={preset} />
      </td>
      <td className={`${CELL} text-ink-soft`}>{categoryText(preset.category)}</td>
      <td className={`${CELL} text-ink-soft`}>{t(`type.${preset.transcription_type}`)}</td>
      <td className={`${CELL} figures text-right`}>{formatNumber(preset.usage_count, locale)}</td>
      <td className={CELL}>
        <PublicMark shown={preset.is_public} />
      </td>
      <td className={CELL}>
        <PresetActions preset={preset} onEdit={onEdit} className="-my-1 justify-end" />
      </td>
    </tr>
  );
}

function SkeletonRow() {
  return (
    <tr className="border-b border-rule">
      {COLUMNS.map((column) => (
        <td key={column} className={`${CELL} h-11`}>
          {column !== "actions" && <Skeleton className="h-5 w-4/5" />}
        </td>
      ))}
    </tr>
  );
}
