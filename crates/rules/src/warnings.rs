//! Warnings about the quality of a text: before the start, from the settings and the models used by
//! the modes; afterwards, from the stored result.
//!
//! There are no warnings about unknown facts: a model without figures gets no warning about a
//! language.

mod models;

use crate::language::Language;
use crate::mode::TranscriptionType;
use crate::removed::RemovedReason;
use crate::settings::TranscriptionSettings;
use crate::transcript::{Transcript, Warning};

use models::better;
pub use models::{FigureSource, SpeechModel, SpeechModels, WordErrors};

/// From this word error rate on, in percent, a model is poor in a language. Correcting a text with
/// fewer wrong words is faster than typing it; with more, typing it anew is faster (Gaur et al.,
/// 2016).
pub const POOR_FROM_PERCENT: f64 = 30.0;

/// From this share of the speech on, 0 to 1, much of it was not recognised: as much as the share of
/// words that a model gets wrong in a language in which it is good.
pub const UNRECOGNISED_THRESHOLD: f64 = 0.1;

/// Less unrecognised speech than this, in seconds, is ignored: a word or two.
const UNRECOGNISED_SECONDS: f64 = 2.0;

wire_enum! {
    /// The code of a warning about quality. Its text is `warnings.<code>` in `problems.json`.
    WarningCode {
        /// Lite recognises only English, and the speech is in another language.
        LiteNotEnglish => "lite_not_english",
        /// The model recognises many words of the language incorrectly.
        LanguageServedPoorly => "language_served_poorly",
        /// The model does not translate speech, or not usably from this language.
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
        /// Id of the model used by the mode.
        model: String,
        /// Id of the model with the same weights that the figure refers to.
        figures_of: String,
        /// Wrong, missing and added words in percent of the spoken ones.
        percent: f64,
        /// Where the figure comes from.
        source: FigureSource,
        /// Id of a model available here that would be better, if one is known.
        better: Option<String>,
    },
    /// See [`WarningCode::TranslationUnsuitable`].
    TranslationUnsuitable {
        /// Id of the model used by the mode.
        model: String,
        /// Id of a model available here that would translate better, if one is known.
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
    found.extend(of_model(
        model,
        &models.larger,
        settings,
        language,
        language,
    ));
    found
}

/// The stored data of a completed transcription.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    /// The settings.
    pub settings: &'a TranscriptionSettings,
    /// Language of the speech, as set or detected; `None` if unknown.
    pub language: Option<Language>,
    /// The result of [`unrecognised_share`]; `None` if it is not stored.
    pub unrecognised: Option<f64>,
}

/// The warnings about a completed text, recognised by this model (`None` if nothing is known about
/// it), if these larger models could be used for Full. There is no warning about a poor language
/// that the user chose: it was given before the start.
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
    let much = share >= UNRECOGNISED_THRESHOLD;
    let lite = settings.transcription_type == TranscriptionType::Lite;
    let mut found = Vec::new();
    if much {
        found.push(QualityWarning::MuchUnrecognised { share });
    }
    // An English model does not report the language of the speech; only that it recognised little
    // can be known.
    if lite && (much || language.is_some_and(|it| it != Language::En)) {
        found.push(QualityWarning::LiteNotEnglish);
    }
    let Some(model) = model else {
        return found;
    };
    let was_found = Language::parse(&settings.language_code).is_none();
    let found_language = language.filter(|_| was_found);
    found.extend(of_model(model, larger, settings, language, found_language));
    found
}

/// The warnings about a model that recognises speech in `language` with these settings. Only
/// `doubted` may get a warning as a poor language.
fn of_model(
    model: &SpeechModel,
    larger: &[SpeechModel],
    settings: &TranscriptionSettings,
    language: Option<Language>,
    doubted: Option<Language>,
) -> impl Iterator<Item = QualityWarning> {
    let poorly = doubted.and_then(|language| served_poorly(language, model, larger));
    let badly = settings
        .translates()
        .then(|| translated_badly(language, model, larger));
    poorly.into_iter().chain(badly.flatten())
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
        figures_of: match known.source {
            FigureSource::MeasuredHere => model.id.clone(),
            FigureSource::Measured | FigureSource::Published => model.figures_of.clone(),
        },
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
