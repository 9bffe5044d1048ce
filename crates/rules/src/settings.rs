//! The serialised settings of a transcription, and their rules. They are parsed into a `JobPlan`.

mod available;
mod outputs;
mod plan;
mod read;
mod speakers;
mod table;
mod value;

pub use crate::mode::TranscriptionType;
pub use crate::upload::Source;
pub use available::{check_available, check_recognised};
pub use outputs::MadeFile;
pub use plan::check_plan;
pub use read::parse;
pub use speakers::{MAX_SPEAKERS, SpeakerCount, speaker_count};
pub use table::{Reader, SETTINGS, Setting, SettingTab, TranscriptionSettings, setting};
pub use value::SettingKind;

use std::collections::HashSet;

use crate::language::{self, AUTO};
use crate::language_set;
use crate::matrix;
use crate::text;
use crate::url;
use crate::violation::{Code, Violation, Violations};

/// Maximum length of a summary, in words.
pub const MAX_SUMMARIZE: i64 = 1000;
/// Longest custom prompt, in characters.
pub const MAX_CUSTOM_PROMPT: usize = 5000;
/// Maximum number of terms in a custom vocabulary. A recognition prompt has about 220 tokens, so
/// more would be dropped.
pub const MAX_VOCABULARY_TERMS: usize = 200;
/// Longest custom vocabulary, in characters, including separators.
pub const MAX_VOCABULARY: usize = 10_000;
/// Maximum number of classification labels; the language model reads all of them for every part.
pub const MAX_LABELS: usize = 50;
/// Longest classification label, in characters.
pub const MAX_LABEL: usize = 100;
/// Longest list of translation languages, in characters: enough for all nine several times.
pub const MAX_TRANSLATION_LIST: usize = 500;
/// The only value of `translate` besides the empty one.
pub const TRANSLATE_TO_ENGLISH: &str = "to_eng";

impl TranscriptionSettings {
    /// The terms of the custom vocabulary: trimmed, without empty ones and duplicates (ignoring
    /// case), in the given order.
    #[must_use]
    pub fn vocabulary_terms(&self) -> Vec<String> {
        vocabulary_terms(&self.custom_vocabulary)
    }

    /// Whether the recognition model must translate. Lite only recognises English, so translating
    /// to English changes nothing.
    #[must_use]
    pub fn translates(&self) -> bool {
        self.transcription_type == TranscriptionType::Full && !self.translate.is_empty()
    }

    /// Whether the language is detected, so that [`TranscriptionSettings::languages`] has an effect.
    #[must_use]
    pub fn detects_language(&self) -> bool {
        self.language_code == AUTO
    }

    /// The settings after choosing this mode. Lite sets English and resets what only Full can do;
    /// Full changes only the mode.
    #[must_use]
    pub fn with_type(self, transcription_type: TranscriptionType) -> Self {
        let mut chosen = Self {
            transcription_type,
            ..self
        };
        if transcription_type == TranscriptionType::Lite {
            language::lite_languages()[0].clone_into(&mut chosen.language_code);
            chosen.reset(|setting| {
                setting
                    .feature
                    .is_some_and(|feature| !matrix::in_lite(feature))
            });
        }
        chosen
    }

    /// The settings with a language supported by their mode, and whether it had to be changed
    /// (Lite: English only), so that the page can say so.
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

/// Checks the settings of a new transcription. Whether a file was chosen, recorded or uploaded is
/// checked by [`crate::upload::nothing_chosen`]; for [`Source::Url`] the URL is required here.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn check(settings: &TranscriptionSettings, source: Source) -> Result<(), Violations> {
    let mut violations = Violations::new();
    if source == Source::Url {
        violations.take(url::classify(&settings.url));
    }
    options(settings, &mut violations);
    violations.or(|| ())
}

/// Checks only the options, as of a preset, which has no source.
///
/// # Errors
/// All violations, in the order of the fields.
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
    // In Lite the option itself is rejected.
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
    // Checked with any language: forms keep the set while another language is selected.
    if let Err(others) = language_set::parse("languages", &settings.languages) {
        violations.0.extend(others.0);
    }
}

fn language_rules(settings: &TranscriptionSettings, violations: &mut Violations) {
    let code = settings.language_code.as_str();
    let lite = settings.transcription_type == TranscriptionType::Lite;
    let is_known = language::is_supported(code) || (code == AUTO && !lite);
    if lite && !language::lite_languages().contains(&code) {
        violations.add("language_code", Code::LiteOnlyEnglish);
    } else if !is_known {
        violations.push(
            Violation::new("language_code", Code::LanguageUnsupported).with_echo("language", code),
        );
    }
    let diarizable = code == AUTO || language::diarization_languages().contains(&code);
    let switches = [
        ("diarization", settings.diarization),
        ("sentence_diarization", settings.sentence_diarization),
    ];
    for (field, requested) in switches {
        if requested && !diarizable {
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
    for setting in settings.asked() {
        if setting
            .feature
            .is_some_and(|feature| !matrix::in_lite(feature))
        {
            violations.add(setting.name, Code::UnavailableInLite);
        }
    }
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
