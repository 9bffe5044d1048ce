//! Lists and limits for pages.

use slovo_rules::Code;
use slovo_rules::convert::{JsResult, give_name, give_names, read_name, to_js};
use slovo_rules::export::{self, ExportLayout};
use slovo_rules::language::{self, Language, TranslationTarget};
use slovo_rules::limits::{self, Limits};
use slovo_rules::preset::{self, PresetCategory};
use slovo_rules::profile::Usage;
use slovo_rules::recording::{self, RecordingConstraints};
use slovo_rules::settings::TranscriptionType;
use slovo_rules::upload::AudioType;
use slovo_rules::webhook::WebhookCategory;
use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

/// All limits.
#[wasm_bindgen]
pub fn limits() -> JsResult<Ts<Limits>> {
    to_js(&limits::LIMITS)
}

/// The codes of all violations.
#[wasm_bindgen]
#[must_use]
pub fn codes() -> Vec<Ts<Code>> {
    give_names(Code::ALL)
}

/// The languages offered for a mode; `auto` is offered besides, for Full.
#[wasm_bindgen(js_name = offeredLanguages)]
pub fn offered_languages(
    transcription_type: &Ts<TranscriptionType>,
) -> JsResult<Vec<Ts<Language>>> {
    Ok(known(language::offered(read_name(transcription_type)?)))
}

/// The nine target languages of translation.
#[wasm_bindgen(js_name = translationTargets)]
#[must_use]
pub fn translation_targets() -> Vec<Ts<TranslationTarget>> {
    give_names(language::translation_targets())
}

/// The ten formats.
#[wasm_bindgen(js_name = audioTypes)]
#[must_use]
pub fn audio_types() -> Vec<Ts<AudioType>> {
    give_names(AudioType::ALL)
}

/// How a file of a format (`docx`) can be laid out; formats of one shape have `paragraphs` alone.
#[wasm_bindgen(js_name = exportLayouts)]
#[must_use]
pub fn export_layouts(format: &str) -> Vec<Ts<ExportLayout>> {
    give_names(&export::layouts(format))
}

/// What users may want Slovo for.
#[wasm_bindgen]
#[must_use]
pub fn usages() -> Vec<Ts<Usage>> {
    give_names(Usage::ALL)
}

/// The categories offered to a user who makes a preset.
#[wasm_bindgen(js_name = presetCategories)]
#[must_use]
pub fn preset_categories() -> Vec<Ts<PresetCategory>> {
    give_names(&preset::USER_CATEGORIES)
}

/// All categories a preset may have.
#[wasm_bindgen(js_name = allPresetCategories)]
#[must_use]
pub fn all_preset_categories() -> Vec<Ts<PresetCategory>> {
    give_names(PresetCategory::ALL)
}

/// The categories of webhook services.
#[wasm_bindgen(js_name = webhookCategories)]
#[must_use]
pub fn webhook_categories() -> Vec<Ts<WebhookCategory>> {
    give_names(WebhookCategory::ALL)
}

/// What is asked of the microphone.
#[wasm_bindgen(js_name = recordingConstraints)]
pub fn recording_constraints() -> JsResult<Ts<RecordingConstraints>> {
    to_js(&recording::CONSTRAINTS)
}

fn known(codes: &[&str]) -> Vec<Ts<Language>> {
    codes
        .iter()
        .filter_map(|code| Language::parse(code))
        .map(give_name)
        .collect()
}
