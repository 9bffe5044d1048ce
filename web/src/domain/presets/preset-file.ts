/** Presets as files, in the very form that the import reads. */
import type { Preset } from "@/api/presets";
import { saveBlob } from "@/lib/save-file";

/** Longest part of a file's name that comes from a preset's id; file systems take 255 bytes in all. */
const MAX_STEM = 80;

/** One as an object, several as a list. */
export function exportText(presets: Preset | readonly Preset[]): string {
  const exported = "id" in presets ? entryOf(presets) : presets.map(entryOf);
  return `${JSON.stringify(exported, null, 2)}\n`;
}

/** Named after the preset's lasting id, with nothing in it that a file's name cannot have. */
export function exportName({ preset_id }: Pick<Preset, "preset_id">): string {
  const name = preset_id.replace(/[^\p{L}\p{N}_-]+/gu, "_").slice(0, MAX_STEM);
  return `${name || "preset"}.json`;
}

export const saveOne = (preset: Preset): void => save(exportText(preset), exportName(preset));

export const saveAll = (presets: readonly Preset[]): void => save(exportText(presets), "slovo_presets.json");

const save = (text: string, filename: string) => saveBlob(new Blob([text], { type: "application/json" }), filename);

/** The mode stands beside the settings, and where a recording is, a preset does not say. */
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
