//! Features of the modes: the matrix of Lite and Full.

use crate::language;
use crate::mode::TranscriptionType;

/// Additional time of a job with diarization, in percent; displayed beside the switch.
pub const DIARIZATION_EXTRA_PERCENT: u32 = 25;

wire_enum! {
    /// A feature that can be requested of a transcription.
    Feature {
        /// Speech to text.
        Transcription => "transcription",
        /// Times of sentences and words.
        Timestamps => "timestamps",
        /// Distinguishing speakers.
        Diarization => "diarization",
        /// Summary of a given number of words.
        Summarization => "summarization",
        /// Translation of the text by the language model.
        LlmTranslation => "llm_translation",
        /// Translation of the subtitles.
        SrtTranslation => "srt_translation",
        /// Overall sentiment.
        Sentiment => "sentiment",
        /// Classification by the given labels.
        Classification => "classification",
        /// Answers to the custom prompt.
        Insights => "insights",
    }
}

wire_enum! {
    /// Whether a feature is available, and if not, why.
    Availability {
        /// It is available.
        Available => "available",
        /// It requires Full mode.
        NeedsFull => "needs_full",
        /// It is not available in this language.
        LanguageUnsupported => "language_unsupported",
    }
}

/// Whether `feature` is available in this mode and language. "auto" counts as supported in Full:
/// whether the detected language supports it is known only when the job runs.
#[must_use]
pub fn available(feature: Feature, mode: TranscriptionType, language_code: &str) -> Availability {
    if mode == TranscriptionType::Lite && !in_lite(feature) {
        return Availability::NeedsFull;
    }
    let languages = match feature {
        Feature::Diarization => language::diarization_languages(),
        _ => language::LANGUAGES.as_slice(),
    };
    let any = mode == TranscriptionType::Full && language_code == language::AUTO;
    if !any && !languages.contains(&language_code) {
        return Availability::LanguageUnsupported;
    }
    if mode == TranscriptionType::Lite && !language::lite_languages().contains(&language_code) {
        return Availability::NeedsFull;
    }
    Availability::Available
}

/// Whether Lite has the feature: only core recognition.
#[must_use]
pub const fn in_lite(feature: Feature) -> bool {
    matches!(
        feature,
        Feature::Transcription | Feature::Timestamps | Feature::Diarization
    )
}
