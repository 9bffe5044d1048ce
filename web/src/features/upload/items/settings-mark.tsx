/** The origin of a recording's settings, in a list where each has its own. */
import { Layers, SlidersHorizontal } from "lucide-react";
import { useTranslation } from "react-i18next";
import { usePresetName } from "@/domain/presets/preset-words";
import type { Choice } from "@/domain/settings/settings-draft";
import { isPresetChanged } from "../configure";

interface SettingsMarkProps {
  choice: Choice;
  /** Changed manually for this recording. */
  own: boolean;
}

export function SettingsMark({ choice, own }: SettingsMarkProps) {
  const { t } = useTranslation(["upload", "configure"]);
  const nameOf = usePresetName();
  const { preset } = choice;
  if (!preset && !own) {
    return null;
  }
  const Icon = preset ? Layers : SlidersHorizontal;
  return (
    <p className="mt-1 flex min-w-0 items-center gap-1.5 text-sm text-ink-soft">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-accent" />
      <span className="truncate">{preset ? nameOf(preset) : t("items.own")}</span>
      {isPresetChanged(choice) && <span className="shrink-0">· {t("configure:presets.changed")}</span>}
    </p>
  );
}
