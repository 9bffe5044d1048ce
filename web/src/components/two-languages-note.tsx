/** In an editor: a preset that comes with the program has an English text, too, and what becomes of it. */
import { useTranslation } from "react-i18next";
import type { Preset } from "@/api/presets";

export function TwoLanguagesNote({ preset }: { preset: Pick<Preset, "settings_en"> | null }) {
  const { t } = useTranslation("presets");
  if (!preset?.settings_en) return null;
  return <p className="rounded bg-paper-sunk px-3.5 py-2.5 text-sm text-ink-soft">{t("editor.two_languages")}</p>;
}
