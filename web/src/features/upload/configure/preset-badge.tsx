/** Which preset is in use, whether it was changed, and the ways back. */
import { Layers, RotateCcw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/icon-button";
import type { Choice } from "@/lib/settings-draft";
import { isPresetChanged, withoutPreset, withPresetRestored } from "./preset-choice";
import { usePresetName } from "./use-preset-name";

interface PresetBadgeProps {
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

export function PresetBadge({ choice, onChoice }: PresetBadgeProps) {
  const { t } = useTranslation("configure");
  const nameOf = usePresetName();
  const { preset } = choice;
  if (!preset) return <p role="status" className="sr-only" />;
  const name = nameOf(preset);
  const changed = isPresetChanged(choice);
  return (
    <div className="mb-1 flex min-w-0 items-center rounded bg-accent-wash pl-2.5 text-sm">
      <Layers aria-hidden="true" className="size-4 shrink-0 text-accent" />
      <p role="status" className="ml-2 min-w-0 truncate py-1.5">
        <span className="sr-only">{t("presets.active", { name })}</span>
        <span aria-hidden="true" className="font-strong">
          {name}
        </span>
        {changed && <span className="text-ink-soft"> · {t("presets.changed")}</span>}
      </p>
      <span className="ml-1 flex">
        {changed && (
          <IconButton
            label={t("presets.restore", { name })}
            className="size-8 [&_svg]:size-4"
            onClick={() => onChoice(withPresetRestored(choice))}
          >
            <RotateCcw aria-hidden="true" />
          </IconButton>
        )}
        <IconButton label={t("presets.remove")} className="size-8 [&_svg]:size-4" onClick={() => onChoice(withoutPreset(choice))}>
          <X aria-hidden="true" />
        </IconButton>
      </span>
    </div>
  );
}
