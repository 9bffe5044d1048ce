/** The first quick-start presets: one click applies a preset, a second one reverts it. */
import { useQuery } from "@tanstack/react-query";
import { Captions, GraduationCap, Layers, type LucideIcon, Mic, Phone, Users, Zap } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Preset, presetsQuery } from "@/api/presets";
import { Skeleton } from "@/components/skeleton";
import { inReadersLanguage, joinWithDots, nameOf } from "@/domain/presets/preset-words";
import { usePresetHighlights } from "@/domain/presets/use-preset-highlights";
import type { Choice } from "@/domain/settings/settings-draft";
import { useLocale } from "@/hooks/use-locale";
import { isInUse, quickStarts, withoutPreset } from "./preset-choice";
import { useApplyPreset } from "./use-apply-preset";

const ICONS: Partial<Record<string, LucideIcon>> = {
  meeting_with_speakers_v1: Users,
  interview_v1: Mic,
  subtitles_v1: Captions,
  lecture_v1: GraduationCap,
  call_two_channels_v1: Phone,
  quick_draft_v1: Zap,
};
const ROW = "grid grid-cols-2 gap-2 sm:gap-3 lg:grid-cols-4";
const SKELETONS = ["a", "b", "c", "d"];

interface PresetTilesProps {
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

export function PresetTiles({ choice, onChoice }: PresetTilesProps) {
  const { t } = useTranslation("configure");
  const { data: presets, isPending } = useQuery(presetsQuery());
  const put = useApplyPreset(choice, onChoice);
  if (isPending) {
    return (
      <div aria-hidden="true" className={ROW}>
        {SKELETONS.map((key) => (
          <Skeleton key={key} className="h-13.5 rounded-lg" />
        ))}
      </div>
    );
  }
  const tiles = quickStarts(presets ?? []);
  // An administrator may have deleted them all.
  if (tiles.length === 0) return null;
  return (
    <fieldset>
      <legend className="sr-only">{t("presets.tiles")}</legend>
      <div className={ROW}>
        {tiles.map((preset) => {
          const chosen = isInUse(choice, preset);
          return (
            <Tile
              key={preset.id}
              preset={preset}
              chosen={chosen}
              onPress={() => (chosen ? onChoice(withoutPreset(choice)) : put(preset))}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

interface TileProps {
  preset: Preset;
  chosen: boolean;
  onPress: () => void;
}

function Tile({ preset, chosen, onPress }: TileProps) {
  const { t } = useTranslation("presets");
  const locale = useLocale();
  const { now, later, missing } = usePresetHighlights()(inReadersLanguage(preset, locale).settings, "brief");
  const Icon = ICONS[preset.preset_id] ?? Layers;
  const highlights = [
    ...(now.length > 0 ? [now.join(", ")] : []),
    ...(later.length > 0 ? [t("gives.waits", { list: later.join(", ") })] : []),
    ...(missing.length > 0 ? [t("gives.missing", { list: missing.join(", ") })] : []),
  ];
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onPress}
      className="flex min-h-13 min-w-0 flex-col rounded-lg border border-edge bg-paper-raised px-3 py-1.5 text-left transition-colors hover:border-ink-faint aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:shadow-[inset_0_0_0_1px_var(--accent)] forced-colors:aria-pressed:outline-3 forced-colors:aria-pressed:outline-[Highlight]"
    >
      <span className="flex min-w-0 items-start gap-2 font-strong">
        <Icon aria-hidden="true" className="mt-0.75 size-4 shrink-0 text-accent" />
        <span className="min-w-0 leading-snug wrap-anywhere">{nameOf(preset, locale)}</span>
      </span>
      {highlights.length > 0 && (
        <span className="text-sm leading-snug text-ink-soft wrap-anywhere">
          {/* Separates the name and the description with a pause for screen readers. */}
          <span className="sr-only">: </span>
          {joinWithDots(highlights, locale)}
        </span>
      )}
    </button>
  );
}
