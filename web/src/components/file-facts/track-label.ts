/** The label of an audio track. */
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import type { MediaTrack } from "@/lib/media-facts";

/** `1. Українська — коментар режисера · AAC · стерео`; missing values are left out. */
export function useTrackLabel(): (track: MediaTrack) => string {
  const { t } = useTranslation("media-facts");
  const locale = useLocale();
  const channels = (count: number) => {
    if (count === 1) return t("track.mono");
    if (count === 2) return t("track.stereo");
    return SURROUND[count] ?? (count > 0 ? t("track.channels", { count }) : null);
  };
  return ({ index, language, title, codec, channels: count }) => {
    const spoken = language ? languageName(language, locale) : null;
    const name = [spoken, title].filter(Boolean).join(" — ") || t("track.name", { number: index + 1 });
    const facts = [name, codecName(codec), channels(count)].filter(Boolean).join(" · ");
    return spoken || title ? `${index + 1}. ${facts}` : facts;
  };
}

const SURROUND: Record<number, string> = { 6: "5.1", 8: "7.1" };

/** The language's name in the user's language, capitalised; null for an unknown tag. */
export function languageName(tag: string, locale: string): string | null {
  try {
    const name = new Intl.DisplayNames([locale], { type: "language", fallback: "none" }).of(tag);
    return name ? name.charAt(0).toLocaleUpperCase(locale) + name.slice(1) : null;
  } catch {
    return null;
  }
}

/** `pcm-s16` becomes `PCM`, `mp4a` becomes `AAC`; null for a codec without a common name. */
function codecName(codec: string): string | null {
  if (codec === "unknown") return null;
  if (codec.startsWith("pcm")) return "PCM";
  return NAMES[codec] ?? codec.toUpperCase();
}

const NAMES: Record<string, string> = {
  opus: "Opus",
  vorbis: "Vorbis",
  mp4a: "AAC",
  "ac-3": "AC-3",
  ac3: "AC-3",
  eac3: "E-AC-3",
};
