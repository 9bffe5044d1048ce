import type { Preset } from "@/api/presets";
import { useLocale } from "@/hooks/use-locale";

/** A preset's name in the reader's language. */
export function usePresetName(): (preset: Pick<Preset, "name" | "name_en">) => string {
  const locale = useLocale();
  return ({ name, name_en }) => (locale === "en" ? (name_en ?? name) : name);
}
