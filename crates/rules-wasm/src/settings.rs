//! Transcription settings, and the matrix of Lite and Full.

use serde::Serialize;
use slovo_rules::convert::{
    JsResult, all_to_js, from_js, give_name, give_names, read_name, read_untyped, single, to_js,
    verdict,
};
use slovo_rules::language::{Language, TranslationTarget};
use slovo_rules::matrix::{self, Availability, Feature};
use slovo_rules::settings::{self, Setting, Source, TranscriptionSettings, TranscriptionType};
use slovo_rules::subtitles::{self, SubtitleLimits, SubtitleOptions};
use slovo_rules::transcript::Warning;
use slovo_rules::url::{self, UrlKind};
use slovo_rules::warnings::{self, SpeechModels};
use slovo_rules::{Code, Violation, Violations, analysis, language};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

/// Settings with a language that their mode has.
#[derive(Serialize, Tsify)]
pub struct AllowedLanguage {
    /// The settings.
    settings: TranscriptionSettings,
    /// Whether the language had to be changed.
    forced: bool,
}

/// The settings a new user starts with.
#[wasm_bindgen(js_name = defaultSettings)]
pub fn default_settings() -> JsResult<Ts<TranscriptionSettings>> {
    to_js(&TranscriptionSettings::default())
}

/// What the table of settings says of one; undefined for a name that is none.
#[wasm_bindgen(js_name = settingOf)]
pub fn setting_of(name: &str) -> JsResult<Option<Ts<Setting>>> {
    settings::setting(name).map(to_js).transpose()
}

/// Checks the settings of a new transcription.
#[wasm_bindgen(js_name = validateSettings)]
pub fn validate_settings(
    settings: &Ts<TranscriptionSettings>,
    source: &Ts<Source>,
) -> JsResult<Ts<Violations>> {
    let source = read_name(source)?;
    verdict(parse(settings).and_then(|parsed| settings::check(&parsed, source)))
}

/// Checks the options alone, as a preset's are.
#[wasm_bindgen(js_name = validateOptions)]
pub fn validate_options(settings: &Ts<TranscriptionSettings>) -> JsResult<Ts<Violations>> {
    verdict(parse(settings).and_then(|parsed| settings::validate_options(&parsed)))
}

/// The settings after the user has chosen this mode; Lite takes back what only Full can do.
#[wasm_bindgen(js_name = withType)]
pub fn with_type(
    settings: &Ts<TranscriptionSettings>,
    transcription_type: &Ts<TranscriptionType>,
) -> JsResult<Ts<TranscriptionSettings>> {
    to_js(&from_js(settings)?.with_type(read_name(transcription_type)?))
}

/// The settings with a language that their mode has, and whether it was forced.
#[wasm_bindgen(js_name = withAllowedLanguage)]
pub fn with_allowed_language(
    settings: &Ts<TranscriptionSettings>,
) -> JsResult<Ts<AllowedLanguage>> {
    let (settings, forced) = from_js(settings)?.with_allowed_language();
    to_js(&AllowedLanguage { settings, forced })
}

/// Whether speakers are to be told apart, by turn or by sentence.
#[wasm_bindgen(js_name = wantsSpeakers)]
pub fn wants_speakers(settings: &Ts<TranscriptionSettings>) -> JsResult<bool> {
    Ok(from_js(settings)?.wants_speakers())
}

/// Whether something is to be made of the text after recognition.
#[wasm_bindgen(js_name = asksForAnalysis)]
pub fn asks_for_analysis(settings: &Ts<TranscriptionSettings>) -> JsResult<bool> {
    Ok(!analysis::of_settings(&from_js(settings)?).is_empty())
}

/// The terms of a comma-separated vocabulary, each once.
#[wasm_bindgen(js_name = vocabularyTerms)]
#[must_use]
pub fn vocabulary_terms(vocabulary: &str) -> Vec<String> {
    settings::vocabulary_terms(vocabulary)
}

/// The known languages of a comma-separated list, each once.
#[wasm_bindgen(js_name = translationList)]
#[must_use]
pub fn translation_list(list: &str) -> Vec<Ts<TranslationTarget>> {
    give_names(&language::translation_list(list))
}

/// Whether a feature can be had in this mode and language.
#[wasm_bindgen]
pub fn available(
    feature: &Ts<Feature>,
    transcription_type: &Ts<TranscriptionType>,
    language_code: &str,
) -> JsResult<Ts<Availability>> {
    let mode = read_name(transcription_type)?;
    Ok(give_name(matrix::available(
        read_name(feature)?,
        mode,
        language_code,
    )))
}

/// The warnings about quality that can be given before the start, for these three settings: the
/// others may be invalid. `wanted` is the language that the user wanted before Lite set English;
/// empty if there is none.
#[wasm_bindgen(js_name = warningsBeforeStart)]
pub fn warnings_before_start(
    transcription_type: &Ts<TranscriptionType>,
    language_code: &str,
    translate: &str,
    wanted: &str,
    models: &Ts<SpeechModels>,
) -> JsResult<Vec<Ts<Warning>>> {
    let settings = TranscriptionSettings {
        transcription_type: read_name(transcription_type)?,
        language_code: language_code.to_owned(),
        translate: translate.to_owned(),
        ..TranscriptionSettings::default()
    };
    let found = warnings::before(&settings, Language::parse(wanted), &from_js(models)?);
    let found: Vec<_> = found.into_iter().map(Warning::from).collect();
    all_to_js(&found)
}

/// Checks the form of an address.
#[wasm_bindgen(js_name = validateUrl)]
pub fn validate_url(url: &str) -> JsResult<Ts<Violations>> {
    single(url::classify(url))
}

/// What kind of address it is; undefined where it is none.
#[wasm_bindgen(js_name = classifyUrl)]
pub fn classify_url(url: &str) -> JsResult<Option<Ts<UrlKind>>> {
    url::classify(url).ok().as_ref().map(to_js).transpose()
}

/// Reads settings as the server reads JSON: by name, so that a wrong type is told with its field
/// and an unknown field is not passed over, as reading into the type would.
fn parse(settings: &Ts<TranscriptionSettings>) -> Result<TranscriptionSettings, Violations> {
    let json = read_untyped(settings.js_value());
    settings::parse(&json.map_err(|_| Violation::new("", Code::WrongType))?)
}

/// Checks what subtitles are to keep to.
#[wasm_bindgen(js_name = validateSubtitles)]
pub fn validate_subtitles(options: &Ts<SubtitleOptions>) -> JsResult<Ts<Violations>> {
    verdict(subtitles::validate(&from_js(options)?))
}

/// What subtitles keep to that are asked for so, for speech in a language (`en`).
#[wasm_bindgen(js_name = subtitleLimitsOf)]
pub fn subtitle_limits_of(
    options: &Ts<SubtitleOptions>,
    language: &str,
) -> JsResult<Ts<SubtitleLimits>> {
    to_js(&from_js(options)?.limits(language))
}
