/** A preset as a card: purpose, results and usage. A click anywhere opens the details. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Preset } from "@/api/presets";
import { Button } from "@/components/button";
import { Skeleton } from "@/components/skeleton";
import { inReadersLanguage, joinWithDots } from "@/domain/presets/preset-words";
import { useChosenLanguage } from "@/domain/settings/settings-words";
import { useLocale } from "@/hooks/use-locale";
import { Marks } from "./marks";
import { PresetHighlightLines } from "./preset-highlight-lines";
import { PresetMenu } from "./preset-menu";
import { useApply } from "./use-apply";

const CARD = "flex flex-col rounded-lg border border-rule-strong bg-paper-raised";

interface PresetCardProps {
  preset: Preset;
  onDetails: (preset: Preset) => void;
  onEdit: (preset: Preset) => void;
}

export function PresetCard({ preset, onDetails, onEdit }: PresetCardProps) {
  const { t } = useTranslation("presets");
  const locale = useLocale();
  const languageName = useChosenLanguage();
  const apply = useApply();
  const title = useId();
  const { name, description, settings, language_code } = inReadersLanguage(preset, locale);
  return (
    <li className={`${CARD} group relative p-4 pb-3 transition-colors hover:border-edge`}>
      <p className="kicker flex min-h-4 items-start justify-between gap-3">
        <Marks preset={preset} />
      </p>
      <h3 id={title} className="headline mt-2 text-lg leading-snug wrap-anywhere underline-offset-4 group-hover:underline">
        {name}
      </h3>
      {description && <p className="mt-1.5 line-clamp-3 text-[0.9375rem] text-ink-soft wrap-anywhere">{description}</p>}
      <div className="mt-auto pt-3 text-sm">
        <PresetHighlightLines settings={settings} />
        <p className="mt-1.5 text-ink-faint">
          {joinWithDots(
            [t(`mode.${preset.transcription_type}`), languageName(language_code), t("used", { count: preset.usage_count })],
            locale,
          )}
        </p>
      </div>
      <div className="mt-3 flex items-center gap-2 border-t border-rule pt-3">
        <Button size="small" aria-describedby={title} className="relative z-1" onClick={() => apply(preset)}>
          {t("apply")}
        </Button>
        <Button
          look="quiet"
          size="small"
          aria-describedby={title}
          // The whole card is clickable; controls above it get their clicks first.
          className="after:absolute after:inset-0"
          onClick={() => onDetails(preset)}
        >
          {t("details")}
        </Button>
        <span className="ml-auto">
          <PresetMenu preset={preset} onEdit={onEdit} />
        </span>
      </div>
    </li>
  );
}

export function SkeletonCard() {
  return (
    <li className={`${CARD} p-4 pb-3`}>
      <Skeleton className="h-3 w-20" />
      <Skeleton className="mt-3 h-5 w-3/5" />
      <Skeleton className="mt-3 h-4 w-full" />
      <Skeleton className="mt-2 h-4 w-4/5" />
      <Skeleton className="mt-5 h-4 w-2/3" />
      <Skeleton className="mt-2 h-4 w-1/2" />
      <div className="mt-4 border-t border-rule pt-3">
        <Skeleton className="h-8 w-28" />
      </div>
    </li>
  );
}
