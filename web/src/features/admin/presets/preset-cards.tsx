/** The presets on a phone. */
import { useTranslation } from "react-i18next";
import type { ManagedPreset } from "@/api/managed-presets";
import { Skeleton } from "@/components/skeleton";
import { PresetActions, PresetName, PublicMark, useCategoryText } from "./preset-parts";
import type { PresetListProps } from "./preset-table";

const SKELETONS = ["a", "b", "c", "d", "e"];

export function PresetCards({ presets, onEdit }: PresetListProps) {
  const { t } = useTranslation("admin-presets");
  return (
    <ul aria-label={t("table")} aria-busy={!presets} className="border-t-2 border-ink">
      {presets
        ? presets.map((preset) => <Card key={preset.id} preset={preset} onEdit={onEdit} />)
        : SKELETONS.map((key) => <SkeletonCard key={key} />)}
    </ul>
  );
}

function Card({ preset, onEdit }: { preset: ManagedPreset; onEdit: (preset: ManagedPreset) => void }) {
  const { t } = useTranslation("admin-presets");
  const categoryText = useCategoryText();
  const uses = t("uses", { count: preset.usage_count });
  return (
    <li className="flex items-start gap-3 border-b border-rule py-3">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <PresetName preset={preset} />
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-ink-soft">
          <span>
            {categoryText(preset.category)}
            {" · "}
            {t(`type.${preset.transcription_type}`)}
          </span>
          <span>{uses}</span>
          <PublicMark shown={preset.is_public} words />
        </p>
      </div>
      <PresetActions preset={preset} onEdit={onEdit} className="-mr-2" />
    </li>
  );
}

function SkeletonCard() {
  return (
    <li className="border-b border-rule py-3.5">
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="mt-2 h-4 w-2/5" />
    </li>
  );
}
