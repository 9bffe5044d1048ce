/** The line above a preset's name: its purpose, and whether it is recommended or public. */
import { Globe, Star } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Preset } from "@/api/presets";

export function Marks({ preset }: { preset: Preset }) {
  const { t, i18n } = useTranslation(["presets", "rules"]);
  const key = `rules:preset_category.${preset.category}`;
  return (
    <>
      {/* An unknown category, from a newer server, is shown as its code. */}
      <span>{i18n.exists(key) ? t(key as "rules:preset_category.other") : preset.category}</span>
      {preset.is_default && (
        <span className="inline-flex items-center gap-1 text-accent">
          <Star aria-hidden="true" className="size-3.5 shrink-0 fill-current" />
          {t("recommended")}
        </span>
      )}
      {preset.is_own && preset.is_public && (
        <span className="inline-flex items-center gap-1">
          <Globe aria-hidden="true" className="size-3.5 shrink-0" />
          {t("published")}
        </span>
      )}
    </>
  );
}
