//! Warnings about the quality of a text: before the start, from the settings and the models that
//! serve the modes; afterwards, from what is stored of the result.
//!
//! Nothing is said of what is not known: a model without figures gets no warning about a language.

mod models;

use crate::language::Language;
use crate::mode::TranscriptionType;
use crate::removed::RemovedReason;
use crate::settings::TranscriptionSettings;
use crate::transcript::{Transcript, Warning};

use models::better;
pub use models::{FigureSource, SpeechModel, SpeechModels, WordErrors};

/// From this word error rate on, in percent, a model serves a language poorly. People correct a
/// text with fewer wrong words faster than they type it; with more, typing it anew is faster (Gaur
/// et al., 2016).
pub const POOR_FROM_PERCENT: f64 = 30.0;

/// From this share of the speech on, 0 to 1, a text lacks much that was not recognised: as many
/// words as a model gets wrong in a language that it serves well.
pub const MUCH_UNRECOGNISED: f64 = 0.1;

/// Less unrecognised speech than this, in seconds, is not worth a note: a word or two.
const UNRECOGNISED_SECONDS: f64 = 2.0;

wire_enum! {
    /// The code of a warning about quality. Its text is `warnings.<code>` in `problems.json`.
    WarningCode {
        /// Lite recognises only English, and the speech is in another language.
        LiteNotEnglish => "lite_not_english",
        /// Many words of the language are wrong with the model.
        LanguageServedPoorly => "language_served_poorly",
        /// The model does not translate speech, or not usably from the language.
        TranslationUnsuitable => "translation_unsuitable",
        /// Much of the speech was not recognised.
        MuchUnrecognised => "much_unrecognised",
    }
}

/// A warning about the quality of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum QualityWarning {
    /// See [`WarningCode::LiteNotEnglish`].
    LiteNotEnglish,
    /// See [`WarningCode::LanguageServedPoorly`].
    LanguageServedPoorly {
        /// The language.
        language: Language,
        /// Id of the model that serves the mode.
        model: String,
        /// Id of the model with the same weights that the figure is of.
        figures_of: String,
        /// Wrong, missing and added words in percent of the spoken ones.
        percent: f64,
        /// Where the figure comes from.
        source: FigureSource,
        /// Id of a model that would serve it better here, if one is known.
        better: Option<String>,
    },
    /// See [`WarningCode::TranslationUnsuitable`].
    TranslationUnsuitable {
        /// Id of the model that serves the mode.
        model: String,
        /// Id of a model that would translate better here, if one is known.
        better: Option<String>,
    },
    /// See [`WarningCode::MuchUnrecognised`].
    MuchUnrecognised {
        /// Share of the speech, 0 to 1.
        share: f64,
    },
}

impl QualityWarning {
    /// Its code.
    #[must_use]
    pub const fn code(&self) -> WarningCode {
        match self {
            Self::LiteNotEnglish => WarningCode::LiteNotEnglish,
            Self::LanguageServedPoorly { .. } => WarningCode::LanguageServedPoorly,
            Self::TranslationUnsuitable { .. } => WarningCode::TranslationUnsuitable,
            Self::MuchUnrecognised { .. } => WarningCode::MuchUnrecognised,
        }
    }
}

/// Its code, and its figures and names as parameters; `better` is absent if unknown.
impl From<QualityWarning> for Warning {
    fn from(warning: QualityWarning) -> Self {
        let told = Self::new(warning.code().as_str());
        let with_better = |told: Self, better: Option<String>| match better {
            Some(id) => told.with("better", id),
            None => told,
        };
        match warning {
            QualityWarning::LiteNotEnglish => told,
            QualityWarning::LanguageServedPoorly {
                language,
                model,
                figures_of,
                percent,
                source,
                better,
            } => {
                let told = told
                    .with("language", language.as_str())
                    .with("model", model)
                    .with("figures_of", figures_of)
                    .with("percent", percent.round())
                    .with("source", source.as_str());
                with_better(told, better)
            }
            QualityWarning::TranslationUnsuitable { model, better } => {
                with_better(told.with("model", model), better)
            }
            QualityWarning::MuchUnrecognised { share } => {
                told.with("percent", (share * 100.0).round())
            }
        }
    }
}

/// The warnings that can be given before the start. `wanted` is the language that the user wanted
/// before Lite set English, if another one was chosen.
#[must_use]
pub fn before(
    settings: &TranscriptionSettings,
    wanted: Option<Language>,
    models: &SpeechModels,
) -> Vec<QualityWarning> {
    let language = Language::parse(&settings.language_code);
    let lite = settings.transcription_type == TranscriptionType::Lite;
    let is_foreign = |language: Option<Language>| language.is_some_and(|it| it != Language::En);
    let mut found = Vec::new();
    if lite && (is_foreign(wanted) || is_foreign(language)) {
        found.push(QualityWarning::LiteNotEnglish);
    }
    let Some(model) = models.of(settings.transcription_type) else {
        return found;
    };
    found.extend(language.and_then(|language| served_poorly(language, model, &models.larger)));
    if settings.translates() {
        found.extend(translated_badly(language, model, &models.larger));
    }
    found
}

/// What is stored of a finished transcription.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    /// What was asked for.
    pub settings: &'a TranscriptionSettings,
    /// Language of the speech, given or found; `None` if unknown.
    pub language: Option<Language>,
    /// What [`unrecognised_share`] gives; `None` if it is not stored.
    pub unrecognised: Option<f64>,
}

/// The warnings about a finished text, by this model (`None` if nothing is known of it), where
/// these larger models could serve Full. A language that the user chose has no warning about being
/// served poorly: it was given before the start.
#[must_use]
pub fn after(
    outcome: Outcome<'_>,
    model: Option<&SpeechModel>,
    larger: &[SpeechModel],
) -> Vec<QualityWarning> {
    let Outcome {
        settings, language, ..
    } = outcome;
    let share = outcome.unrecognised.unwrap_or(0.0);
    let much = share >= MUCH_UNRECOGNISED;
    let lite = settings.transcription_type == TranscriptionType::Lite;
    let mut found = Vec::new();
    if much {
        found.push(QualityWarning::MuchUnrecognised { share });
    }
    // An English model does not say in which language it heard speech; that it recognised little is
    // what can be known.
    if lite && (much || language.is_some_and(|it| it != Language::En)) {
        found.push(QualityWarning::LiteNotEnglish);
    }
    let Some(model) = model else {
        return found;
    };
    let was_found = Language::parse(&settings.language_code).is_none();
    let found_language = language.filter(|_| was_found);
    found.extend(found_language.and_then(|language| served_poorly(language, model, larger)));
    if settings.translates() {
        found.extend(translated_badly(language, model, larger));
    }
    found
}

fn served_poorly(
    language: Language,
    model: &SpeechModel,
    larger: &[SpeechModel],
) -> Option<QualityWarning> {
    let known = model.errors_of(language)?;
    (known.percent >= POOR_FROM_PERCENT).then(|| QualityWarning::LanguageServedPoorly {
        language,
        model: model.id.clone(),
        figures_of: model.figures_of.clone(),
        percent: known.percent,
        source: known.source,
        better: better(larger, model, Some(language), false),
    })
}

/// English speech needs no translation.
fn translated_badly(
    language: Option<Language>,
    model: &SpeechModel,
    larger: &[SpeechModel],
) -> Option<QualityWarning> {
    let unsuitable = language != Some(Language::En) && !model.may_translate(language);
    unsuitable.then(|| QualityWarning::TranslationUnsuitable {
        model: model.id.clone(),
        better: better(larger, model, language, true),
    })
}

/// Share of the speech that was not recognised, 0 to 1: seconds with a voice in the removed
/// passages, of these and the seconds of the segments. 0 if it is only a word or two.
#[must_use]
pub fn unrecognised_share(transcript: &Transcript) -> f64 {
    let length = |start: f64, end: f64| (end - start).max(0.0);
    let unrecognised: f64 = transcript
        .removed
        .iter()
        .filter(|passage| passage.reason == RemovedReason::Unrecognised)
        .map(|passage| length(passage.start, passage.end) * passage.voiced.clamp(0.0, 1.0))
        .sum();
    let recognised: f64 = transcript
        .segments
        .iter()
        .map(|segment| length(segment.start, segment.end))
        .sum();
    let all = unrecognised + recognised;
    // Also false if a time is not a number.
    if unrecognised >= UNRECOGNISED_SECONDS && all.is_finite() {
        unrecognised / all
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests;
