/** The presets on a wide screen. */
import { useTranslation } from "react-i18next";
import type { ManagedPreset } from "@/api/managed-presets";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber } from "@/lib/format";
import { ListTable } from "../list-table";
import { PresetActions, PresetName, PublicMark, useCategoryText } from "./preset-parts";

const WIDTHS = { name: "", category: "w-44", type: "w-20", uses: "w-36 text-right", public: "w-32", actions: "w-32" } as const;
const CELL = "px-3 py-(--row) align-middle first:pl-0 last:pr-0";

export interface PresetListProps {
  /** Undefined while loading: shows placeholders. */
  presets: readonly ManagedPreset[] | undefined;
  onEdit: (preset: ManagedPreset) => void;
}

export function PresetTable({ presets, onEdit }: PresetListProps) {
  const { t } = useTranslation("admin-presets");
  return (
    <ListTable label={t("table")} widths={WIDTHS} heading={(column) => t(`columns.${column}`)} padding="px-3" cell={CELL}>
      {presets?.map((preset) => (
        <Row key={preset.id} preset={preset} onEdit={onEdit} />
      ))}
    </ListTable>
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
