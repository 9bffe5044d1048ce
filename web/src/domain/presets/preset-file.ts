/** Exports presets as files in the format of the import. */
import type { Preset } from "@/api/presets";
import { saveBlob } from "@/lib/save-file";

/** Longest part of a preset's id in a file name, in characters; file systems allow 255 bytes in total. */
const MAX_STEM = 80;

/** One preset as an object, several as an array. */
export function exportText(presets: Preset | readonly Preset[]): string {
  const exported = "id" in presets ? entryOf(presets) : presets.map(entryOf);
  return `${JSON.stringify(exported, null, 2)}\n`;
}

/** The preset's permanent id, without characters that are invalid in file names. */
export function exportName({ preset_id }: Pick<Preset, "preset_id">): string {
  const name = preset_id.replace(/[^\p{L}\p{N}_-]+/gu, "_").slice(0, MAX_STEM);
  return `${name || "preset"}.json`;
}

export const saveOne = (preset: Preset): void => save(exportText(preset), exportName(preset));

export const saveAll = (presets: readonly Preset[]): void => save(exportText(presets), "slovo_presets.json");

const save = (text: string, filename: string) => saveBlob(new Blob([text], { type: "application/json" }), filename);

/** The mode is separate from the settings, and the URL is not part of a preset. */
function entryOf(preset: Preset) {
  const { url: _url, transcription_type: _mode, ...settings } = preset.settings;
  return {
    preset_id: preset.preset_id,
    name: preset.name,
    description: preset.description ?? "",
    category: preset.category,
    is_public: preset.is_public,
    is_default: preset.is_default,
    transcription_type: preset.transcription_type,
    language_code: preset.language_code,
    settings,
  };
}
