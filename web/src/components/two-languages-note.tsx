/** A note in the editor: a built-in preset also has an English text, and what editing does to it. */
import { useTranslation } from "react-i18next";
import type { Preset } from "@/api/presets";

export function TwoLanguagesNote({ preset }: { preset: Pick<Preset, "settings_en"> | null }) {
  const { t } = useTranslation("presets");
  if (!preset?.settings_en) return null;
  return <p className="rounded bg-paper-sunk px-3.5 py-2.5 text-sm text-ink-soft">{t("editor.two_languages")}</p>;
}
