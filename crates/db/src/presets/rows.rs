//! Parts of presets as they are stored.

use slovo_rules::settings::TranscriptionSettings;

use crate::core::statement::row_columns;

/// A permanent name that is taken.
pub(super) struct TakenName {
    pub preset_id: String,
    pub is_own: bool,
}

row_columns! {
    pub(super) fn read_taken() -> TakenName from "synced_presets" by "preset_id" {
        preset_id: text,
        is_own: text_or_none in "user_id" => |owner: Option<String>| owner.is_some(),
    }
}

/// The settings of a preset, also for readers of English.
pub(super) struct BothSettings {
    pub settings: TranscriptionSettings,
    pub english: Option<TranscriptionSettings>,
}

row_columns! {
    pub(super) fn read_settings() -> BothSettings from "synced_presets" by "id" {
        settings: json,
        english: json_or_none in "settings_en",
    }
}
