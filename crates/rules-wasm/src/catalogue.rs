//! The lists and limits that pages offer.

use slovo_rules::Code;
use slovo_rules::language::{self, Language, TranslationTarget};
use slovo_rules::limits::{self, Limits};
use slovo_rules::matrix::Feature;
use slovo_rules::plan::{self, Cell, ComparisonRow, Tier, TierFigures};
use slovo_rules::preset::{self, PresetCategory};
use slovo_rules::profile::Usage;
use slovo_rules::recording::{self, RecordingConstraints};
use slovo_rules::settings::TranscriptionType;
use slovo_rules::upload::AudioType;
use slovo_rules::webhook::WebhookCategory;
use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::convert::{Converted, give, give_all, read};

/// All limits.
#[wasm_bindgen]
pub fn limits() -> Converted<Ts<Limits>> {
    give(&limits::LIMITS)
}

/// The codes of all violations.
#[wasm_bindgen]
pub fn codes() -> Converted<Vec<Ts<Code>>> {
    give_all(Code::ALL)
}

/// The 28 languages of speech.
#[wasm_bindgen]
pub fn languages() -> Converted<Vec<Ts<Language>>> {
    give_all(Language::ALL)
}

/// The languages offered for a mode; `auto` is offered besides, for Full.
#[wasm_bindgen(js_name = offeredLanguages)]
pub fn offered_languages(
    transcription_type: &Ts<TranscriptionType>,
) -> Converted<Vec<Ts<Language>>> {
    known(language::offered(read(transcription_type)?))
}

/// The languages whose speakers can be told apart.
#[wasm_bindgen(js_name = diarizationLanguages)]
pub fn diarization_languages() -> Converted<Vec<Ts<Language>>> {
    known(language::diarization_languages())
}

/// The eight target languages of translation.
#[wasm_bindgen(js_name = translationTargets)]
pub fn translation_targets() -> Converted<Vec<Ts<TranslationTarget>>> {
    give_all(language::translation_targets())
}

/// The ten formats.
#[wasm_bindgen(js_name = audioTypes)]
pub fn audio_types() -> Converted<Vec<Ts<AudioType>>> {
    give_all(AudioType::ALL)
}

/// The features of the matrix.
#[wasm_bindgen]
pub fn features() -> Converted<Vec<Ts<Feature>>> {
    give_all(Feature::ALL)
}

/// What users may want Slovo for.
#[wasm_bindgen]
pub fn usages() -> Converted<Vec<Ts<Usage>>> {
    give_all(Usage::ALL)
}

/// The categories offered to a user who makes a preset.
#[wasm_bindgen(js_name = presetCategories)]
pub fn preset_categories() -> Converted<Vec<Ts<PresetCategory>>> {
    give_all(&preset::USER_CATEGORIES)
}

/// All categories a preset may have.
#[wasm_bindgen(js_name = allPresetCategories)]
pub fn all_preset_categories() -> Converted<Vec<Ts<PresetCategory>>> {
    give_all(PresetCategory::ALL)
}

/// The categories of webhook services.
#[wasm_bindgen(js_name = webhookCategories)]
pub fn webhook_categories() -> Converted<Vec<Ts<WebhookCategory>>> {
    give_all(WebhookCategory::ALL)
}

/// The tiers of the pricing page.
#[wasm_bindgen]
pub fn tiers() -> Converted<Vec<Ts<TierFigures>>> {
    give_all(&plan::TIERS)
}

/// The rows of the comparison table.
#[wasm_bindgen(js_name = comparisonRows)]
pub fn comparison_rows() -> Converted<Vec<Ts<ComparisonRow>>> {
    give_all(ComparisonRow::ALL)
}

/// A cell of the comparison table.
#[wasm_bindgen]
pub fn compare(row: &Ts<ComparisonRow>, tier: &Ts<Tier>) -> Converted<Ts<Cell>> {
    give(&plan::compare(read(row)?, read(tier)?))
}

/// What is asked of the microphone.
#[wasm_bindgen(js_name = recordingConstraints)]
pub fn recording_constraints() -> Converted<Ts<RecordingConstraints>> {
    give(&recording::CONSTRAINTS)
}

fn known(codes: &[&str]) -> Converted<Vec<Ts<Language>>> {
    codes
        .iter()
        .filter_map(|code| Language::parse(code))
        .map(|one| give(&one))
        .collect()
}
