//! The settings of one transcription and the rules they follow.

mod available;
mod outputs;
mod plan;
mod read;
mod speakers;

pub use available::{check_available, check_recognised};
pub use outputs::MadeFile;
pub use plan::check_plan;
pub use read::parse;
pub use speakers::{MAX_SPEAKERS, SpeakerCount, speaker_count};

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::language::{self, AUTO};
use crate::matrix::{self, Feature};
use crate::text;
use crate::url;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest summary that can be asked for, in words.
pub const MAX_SUMMARIZE: i64 = 1000;
/// Longest custom prompt, in characters.
pub const MAX_CUSTOM_PROMPT: usize = 5000;
/// Most terms of a custom vocabulary. A recognition prompt holds about 220 tokens, so
/// more could only be dropped.
pub const MAX_VOCABULARY_TERMS: usize = 200;
/// Longest custom vocabulary, in characters, separators included.
pub const MAX_VOCABULARY: usize = 10_000;
/// Most classification labels; each is read by the language model for every part.
pub const MAX_LABELS: usize = 50;
/// Longest classification label, in characters.
pub const MAX_LABEL: usize = 100;
/// Longest list of translation languages, in characters: all nine fit several times.
pub const MAX_TRANSLATION_LIST: usize = 500;
/// The one value of `translate` besides the empty one.
pub const TRANSLATE_TO_ENGLISH: &str = "to_eng";

wire_enum! {
    /// Mode of recognition.
    TranscriptionType {
        /// Multilingual model with all features; labelled Pro.
        Full => "full",
        /// Small English model with core recognition; labelled Basic.
        Lite => "lite",
    }
}

wire_enum! {
    /// Where the recording comes from.
    Source {
        /// A file.
        File => "file",
        /// An address.
        Url => "url",
        /// The microphone.
        Voice => "voice",
    }
}

/// What a user asks of one transcription. Absent fields have the default: Full, Ukrainian,
/// sentence timestamps on, everything else off or empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranscriptionSettings {
    /// Address of the recording; empty unless it comes from one.
    pub url: String,
    /// Mode.
    pub transcription_type: TranscriptionType,
    /// One of the 28 codes, or `auto` in Full.
    pub language_code: String,
    /// Tell speakers apart; a sentence is split where the speaker changes.
    pub diarization: bool,
    /// How many speakers there are: a number, two as in `2-4`, or empty to have it found.
    pub speakers: String,
    /// Times of sentences: files and pages of the text show them unless told otherwise.
    pub sentence_level_timestamps: bool,
    /// Times of words: JSON, CSV and VTT have them unless told otherwise.
    pub word_level_timestamps: bool,
    /// Tell speakers apart, and give every sentence one of them: who says most of it.
    pub sentence_diarization: bool,
    /// Make an SRT file with the text, and keep it.
    pub srt: bool,
    /// Make a text file with the text, and keep it.
    pub return_as_file: bool,
    /// Find the overall sentiment.
    pub overall_sentiment_analysis: bool,
    /// Classify by the labels.
    pub overall_classification: bool,
    /// Transcribe each channel on its own.
    pub multichannel: bool,
    /// Length of the summary, 0 to 1000 words; 0 means none.
    pub summarize: i64,
    /// `to_eng` for a translation by the recognition model, or empty.
    pub translate: String,
    /// Languages to translate the text to, comma-separated.
    pub llm_translation: String,
    /// Languages to translate the subtitles to, comma-separated.
    pub srt_translation: String,
    /// Words the recogniser should expect, comma-separated.
    pub custom_vocabulary: String,
    /// Instruction for the language model, at most 5000 characters; empty means none.
    pub custom_prompt: String,
    /// Labels to classify by.
    pub classification_labels: Vec<String>,
}

impl Default for TranscriptionSettings {
    fn default() -> Self {
        Self {
            url: String::new(),
            transcription_type: TranscriptionType::Full,
            language_code: language::DEFAULT.to_owned(),
            diarization: false,
            speakers: String::new(),
            sentence_level_timestamps: true,
            word_level_timestamps: false,
            sentence_diarization: false,
            srt: false,
            return_as_file: false,
            overall_sentiment_analysis: false,
            overall_classification: false,
            multichannel: false,
            summarize: 0,
            translate: String::new(),
            llm_translation: String::new(),
            srt_translation: String::new(),
            custom_vocabulary: String::new(),
            custom_prompt: String::new(),
            classification_labels: Vec::new(),
        }
    }
}

impl TranscriptionSettings {
    /// The terms of the custom vocabulary: trimmed, without empty ones, each once (whatever
    /// its case), in the given order.
    #[must_use]
    pub fn vocabulary_terms(&self) -> Vec<String> {
        vocabulary_terms(&self.custom_vocabulary)
    }

    /// Whether the recognition model has something to translate. Lite hears English only, so
    /// asking it for English asks for what it does anyway.
    #[must_use]
    pub fn translates(&self) -> bool {
        self.transcription_type == TranscriptionType::Full && !self.translate.is_empty()
    }

    /// The settings after a user has chosen this mode. Choosing Lite sets English and takes
    /// back what only Full can do; choosing Full changes the mode alone.
    #[must_use]
    pub fn with_type(self, transcription_type: TranscriptionType) -> Self {
        let chosen = Self {
            transcription_type,
            ..self
        };
        match transcription_type {
            TranscriptionType::Full => chosen,
            TranscriptionType::Lite => Self {
                language_code: language::lite_languages()[0].to_owned(),
                summarize: 0,
                llm_translation: String::new(),
                srt_translation: String::new(),
                overall_sentiment_analysis: false,
                overall_classification: false,
                classification_labels: Vec::new(),
                custom_prompt: String::new(),
                ..chosen
            },
        }
    }

    /// The settings with a language that their mode has, and whether it had to be forced:
    /// Lite takes English only. The page then says so.
    #[must_use]
    pub fn with_allowed_language(self) -> (Self, bool) {
        let allowed = language::lite_languages();
        if self.transcription_type == TranscriptionType::Lite
            && !allowed.contains(&self.language_code.as_str())
        {
            return (
                Self {
                    language_code: allowed[0].to_owned(),
                    ..self
                },
                true,
            );
        }
        (self, false)
    }
}

/// The terms of a comma-separated vocabulary; see [`TranscriptionSettings::vocabulary_terms`].
#[must_use]
pub fn vocabulary_terms(vocabulary: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    language::listed(vocabulary)
        .filter(|term| seen.insert(term.to_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// Checks the settings of a new transcription. Whether a file was chosen, recorded or
/// uploaded is the upload's question ([`crate::upload::nothing_chosen`]); for
/// [`Source::Url`] the address is required here.
///
/// # Errors
/// Every broken rule, in the order of the fields.
pub fn validate(
    settings: &TranscriptionSettings,
    source: Source,
) -> Result<Valid<TranscriptionSettings>, Violations> {
    let mut violations = Violations::new();
    if source == Source::Url {
        violations.take(url::classify(&settings.url));
    }
    options(settings, &mut violations);
    violations.or(|| Valid::new(settings.clone()))
}

/// Checks the options alone, as a preset's are: no source is asked for.
///
/// # Errors
/// Every broken rule, in the order of the fields.
pub fn validate_options(settings: &TranscriptionSettings) -> Result<(), Violations> {
    let mut violations = Violations::new();
    options(settings, &mut violations);
    violations.or(|| ())
}

fn summarize_violation() -> Violation {
    Violation::new("summarize", Code::SummarizeOutOfRange)
        .with("min", 0)
        .with("max", MAX_SUMMARIZE)
}

fn options(settings: &TranscriptionSettings, violations: &mut Violations) {
    language_rules(settings, violations);
    lite_rules(settings, violations);
    if !(0..=MAX_SUMMARIZE).contains(&settings.summarize) {
        violations.push(summarize_violation());
    }
    if !settings.translate.is_empty() && settings.translate != TRANSLATE_TO_ENGLISH {
        violations.push(
            Violation::new("translate", Code::TranslateUnknown)
                .with("allowed", TRANSLATE_TO_ENGLISH),
        );
    }
    translation_rules("llm_translation", &settings.llm_translation, violations);
    translation_rules("srt_translation", &settings.srt_translation, violations);
    vocabulary_rules(&settings.custom_vocabulary, violations);
    prompt_rules("custom_prompt", &settings.custom_prompt, violations);
    // In Lite the option itself is refused.
    if settings.transcription_type == TranscriptionType::Full
        && settings.overall_classification
        && settings.classification_labels.is_empty()
    {
        violations.add("classification_labels", Code::LabelsRequired);
    }
    label_rules(
        "classification_labels",
        &settings.classification_labels,
        violations,
    );
}

fn language_rules(settings: &TranscriptionSettings, violations: &mut Violations) {
    let code = settings.language_code.as_str();
    let lite = settings.transcription_type == TranscriptionType::Lite;
    let known = language::is_supported(code) || (code == AUTO && !lite);
    if lite && !language::lite_languages().contains(&code) {
        violations.add("language_code", Code::LiteOnlyEnglish);
    } else if !known {
        violations.push(
            Violation::new("language_code", Code::LanguageUnsupported).with_echo("language", code),
        );
    }
    let diarizable = code == AUTO || language::diarization_languages().contains(&code);
    let asked = [
        ("diarization", settings.diarization),
        ("sentence_diarization", settings.sentence_diarization),
    ];
    for (field, wanted) in asked {
        if wanted && !diarizable {
            violations.push(
                Violation::new(field, Code::DiarizationLanguageUnsupported)
                    .with_echo("language", code),
            );
        }
    }
    if let Err(violation) = speaker_count(&settings.speakers) {
        violations.push(violation);
    }
}

fn lite_rules(settings: &TranscriptionSettings, violations: &mut Violations) {
    if settings.transcription_type == TranscriptionType::Full {
        return;
    }
    for (feature, field, wanted) in asked_of_full(settings) {
        if wanted && !matrix::in_lite(feature) {
            violations.add(field, Code::UnavailableInLite);
        }
    }
}

/// What only Full has: the feature, its field, and whether the settings ask for it.
fn asked_of_full(settings: &TranscriptionSettings) -> [(Feature, &'static str, bool); 7] {
    [
        (
            Feature::Sentiment,
            "overall_sentiment_analysis",
            settings.overall_sentiment_analysis,
        ),
        (
            Feature::Classification,
            "overall_classification",
            settings.overall_classification,
        ),
        (Feature::Summarization, "summarize", settings.summarize > 0),
        (
            Feature::LlmTranslation,
            "llm_translation",
            !settings.llm_translation.trim().is_empty(),
        ),
        (
            Feature::SrtTranslation,
            "srt_translation",
            !settings.srt_translation.trim().is_empty(),
        ),
        (
            Feature::Insights,
            "custom_prompt",
            !settings.custom_prompt.is_empty(),
        ),
        (
            Feature::Classification,
            "classification_labels",
            !settings.classification_labels.is_empty(),
        ),
    ]
}

fn translation_rules(field: &str, list: &str, violations: &mut Violations) {
    if text::longer_than(list, MAX_TRANSLATION_LIST) {
        return text::limited(violations, field, list, MAX_TRANSLATION_LIST);
    }
    for name in language::listed(list) {
        if language::translation_target(name).is_none() {
            violations.push(
                Violation::new(field, Code::TranslationLanguageUnsupported)
                    .with_echo("language", name)
                    .with("allowed", allowed_targets()),
            );
        }
    }
}

pub(crate) fn allowed_targets() -> String {
    let names: Vec<_> = language::translation_targets()
        .iter()
        .map(|target| target.as_str())
        .collect();
    names.join(", ")
}

fn vocabulary_rules(vocabulary: &str, violations: &mut Violations) {
    if text::longer_than(vocabulary, MAX_VOCABULARY) {
        return text::limited(violations, "custom_vocabulary", vocabulary, MAX_VOCABULARY);
    }
    let terms = language::listed(vocabulary)
        .take(MAX_VOCABULARY_TERMS + 1)
        .count();
    if terms > MAX_VOCABULARY_TERMS {
        violations.push(
            Violation::new("custom_vocabulary", Code::TooMany).with("max", MAX_VOCABULARY_TERMS),
        );
    }
}

pub(crate) fn prompt_rules(field: &str, prompt: &str, violations: &mut Violations) {
    if prompt.is_empty() {
        return;
    }
    if prompt.trim().is_empty() {
        violations.add(field, Code::CustomPromptBlank);
    }
    if text::longer_than(prompt, MAX_CUSTOM_PROMPT) {
        violations.push(
            Violation::new(field, Code::CustomPromptTooLong)
                .with("max", MAX_CUSTOM_PROMPT)
                .with("length", text::length(prompt)),
        );
    }
}

pub(crate) fn label_rules(list: &str, labels: &[String], violations: &mut Violations) {
    if labels.len() > MAX_LABELS {
        violations.push(Violation::new(list, Code::TooMany).with("max", MAX_LABELS));
    }
    for (position, label) in labels.iter().take(MAX_LABELS).enumerate() {
        let blank = label.trim().is_empty();
        if blank || text::longer_than(label, MAX_LABEL) {
            let field = format!("{list}.{position}");
            if blank {
                violations.add(&field, Code::LabelBlank);
            }
            text::limited(violations, &field, label, MAX_LABEL);
        }
    }
}
