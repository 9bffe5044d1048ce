//! What is known about the models that recognise speech.

use serde::{Deserialize, Serialize};

use crate::language::Language;
use crate::mode::TranscriptionType;

wire_enum! {
    /// Where a figure comes from.
    FigureSource {
        /// Measured with Slovo: `docs/ACCURACY.md`.
        Measured => "measured",
        /// Published by the model's makers, not measured with Slovo.
        Published => "published",
        /// Measured on this machine with `slovo models measure`.
        MeasuredHere => "measured_here",
    }
}

/// A word error rate of a model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WordErrors {
    /// The language of the speech.
    pub language: Language,
    /// Wrong, missing and added words in percent of the spoken ones (of the characters in Chinese,
    /// Japanese and Korean); can exceed 100.
    pub percent: f64,
    /// Where it comes from.
    pub source: FigureSource,
}

/// What is known about a model that recognises speech.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechModel {
    /// Its id.
    pub id: String,
    /// Id of the model that the figures refer to: itself, or the same weights in another precision.
    pub figures_of: String,
    /// Whether it recognises English only.
    pub english_only: bool,
    /// Whether it was trained to translate speech to English.
    pub translates: bool,
    /// Languages from which its translations were measured to be unusable.
    pub translates_badly: Vec<Language>,
    /// Known word error rates, at most one for a language.
    pub word_errors: Vec<WordErrors>,
}

impl SpeechModel {
    /// Its word error rate for a language, if known.
    #[must_use]
    pub fn errors_of(&self, language: Language) -> Option<&WordErrors> {
        let mut known = self.word_errors.iter();
        known.find(|errors| errors.language == language)
    }

    /// Whether it may be asked to translate speech of this language (`None`: not known yet) to
    /// English: it was trained for that, and nothing is known against it.
    #[must_use]
    pub fn may_translate(&self, language: Option<Language>) -> bool {
        let is_bad = language.is_some_and(|language| self.translates_badly.contains(&language));
        self.translates && !self.english_only && !is_bad
    }
}

/// The models used by the modes, and those that could be used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechModels {
    /// The model for Full; null if nothing is known about it: a service recognises, or the model is
    /// not in the catalogue.
    #[cfg_attr(feature = "wasm", tsify(type = "SpeechModel | null"))]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub full: Option<SpeechModel>,
    /// The model for Lite; null if nothing is known about it.
    #[cfg_attr(feature = "wasm", tsify(type = "SpeechModel | null"))]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lite: Option<SpeechModel>,
    /// Larger models that fit the machine and could be used for Full, the recommended one first.
    pub larger: Vec<SpeechModel>,
}

impl SpeechModels {
    /// The model that serves a mode, if anything is known of it.
    #[must_use]
    pub const fn of(&self, mode: TranscriptionType) -> Option<&SpeechModel> {
        match mode {
            TranscriptionType::Full => self.full.as_ref(),
            TranscriptionType::Lite => self.lite.as_ref(),
        }
    }
}

/// Id of the one of these larger models that would be better for a language than this one: the one
/// with the lowest known word error rate, otherwise the first without a known rate. The latter is
/// not offered as better than a model that is itself one of the larger ones. A translation requires
/// a model that translates.
pub(super) fn better(
    larger: &[SpeechModel],
    than: &SpeechModel,
    language: Option<Language>,
    translating: bool,
) -> Option<String> {
    let is_same = |model: &SpeechModel| model.figures_of == than.figures_of;
    let may_be_unknown = translating || !larger.iter().any(is_same);
    let percent = |model: &SpeechModel| {
        let known = language.and_then(|language| model.errors_of(language));
        known.map(|errors| errors.percent)
    };
    let is_candidate = |model: &&SpeechModel| {
        let is_lower = match (percent(model), percent(than)) {
            (Some(its), Some(present)) => its < present,
            (Some(_), None) => true,
            (None, _) => may_be_unknown,
        };
        !model.english_only
            && !is_same(model)
            && (!translating || model.may_translate(language))
            && is_lower
    };
    let candidates = larger.iter().filter(is_candidate);
    // Equal rates (and unknown ones, which come last) keep the order of the list.
    let rate = |model: &SpeechModel| percent(model).unwrap_or(f64::INFINITY);
    let best = candidates.min_by(|a, b| rate(a).total_cmp(&rate(b)));
    best.map(|model| model.id.clone())
}
