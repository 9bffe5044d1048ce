//! Requests for analyses, and their rules.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::Part;
use crate::language::{self, TranslationTarget};
use crate::settings::{self, MAX_SUMMARIZE, TranscriptionSettings};
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

wire_enum! {
    /// The state of an analysis.
    AnalysisStatus {
        /// Waiting for a worker.
        Waiting => "waiting",
        /// Being made.
        Running => "running",
        /// Completed.
        Done => "done",
        /// Failed; it can be repeated.
        Failed => "failed",
        /// Requested, but no engine on this server supports it; it can be made once one does.
        Held => "held",
    }
}

impl AnalysisStatus {
    /// Whether it is waiting or running.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Waiting | Self::Running)
    }
}

/// The parameters of a part besides the text; stored and shown with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AnalysisParams))]
pub struct Params {
    /// Number of words of a summary, 1 to 1000.
    pub words: Option<u32>,
    /// Labels of a classification.
    pub labels: Vec<String>,
    /// The user's own instruction.
    pub prompt: Option<String>,
}

/// A request for one part of the analysis. Parameters that the part does not use must be absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = NewAnalysis))]
pub struct PartRequest {
    /// Which part.
    pub part: Part,
    /// Language of a translation.
    #[serde(default)]
    pub target: Option<TranslationTarget>,
    /// Number of words of a summary, 1 to 1000.
    #[serde(default)]
    pub words: Option<u32>,
    /// Labels of a classification.
    #[serde(default)]
    pub labels: Option<Vec<String>>,
    /// The user's own instruction, 1 to 5000 characters.
    #[serde(default)]
    pub prompt: Option<String>,
}

impl PartRequest {
    /// A request without parameters.
    #[must_use]
    pub const fn plain(part: Part) -> Self {
        Self {
            part,
            target: None,
            words: None,
            labels: None,
            prompt: None,
        }
    }

    /// The stored parameters, except for kind and language.
    #[must_use]
    pub fn params(&self) -> Params {
        Params {
            words: self.words,
            labels: self.labels.clone().unwrap_or_default(),
            prompt: self.prompt.clone(),
        }
    }
}

/// Checks a request, by the limits of the settings.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(request: &PartRequest) -> Result<Valid<PartRequest>, Violations> {
    let mut violations = Violations::new();
    let needs_target = matches!(request.part, Part::Translation | Part::SubtitleTranslation);
    let needs = [
        ("target", needs_target, request.target.is_some()),
        (
            "words",
            request.part == Part::Summary,
            request.words.is_some(),
        ),
        (
            "labels",
            request.part == Part::Classification,
            request.labels.is_some(),
        ),
        (
            "prompt",
            request.part == Part::Prompt,
            request.prompt.is_some(),
        ),
    ];
    for (field, needed, given) in needs {
        match (needed, given) {
            (true, _) => needed_field(field, request, &mut violations),
            (false, true) => {
                violations
                    .push(Violation::new(field, Code::UnknownField).with_echo("field", field));
            }
            (false, false) => {}
        }
    }
    violations.or(|| Valid::new(request.clone()))
}

fn needed_field(field: &str, request: &PartRequest, violations: &mut Violations) {
    match field {
        "target" if request.target.is_none() => violations.push(
            Violation::new(field, Code::TranslationLanguageUnsupported)
                .with("language", "")
                .with("allowed", settings::allowed_targets()),
        ),
        "words" => {
            let words = i64::from(request.words.unwrap_or_default());
            if !(1..=MAX_SUMMARIZE).contains(&words) {
                violations.push(
                    Violation::new(field, Code::SummarizeOutOfRange)
                        .with("min", 1)
                        .with("max", MAX_SUMMARIZE),
                );
            }
        }
        "labels" => {
            let labels = request.labels.as_deref().unwrap_or_default();
            if labels.is_empty() {
                violations.add(field, Code::ListEmpty);
            }
            settings::label_rules(field, labels, violations);
            let mut seen = HashSet::new();
            if !labels.iter().all(|label| seen.insert(label.trim())) {
                violations.add(field, Code::Repeated);
            }
        }
        "prompt" => {
            let prompt = request.prompt.as_deref().unwrap_or_default();
            if prompt.trim().is_empty() {
                violations.add(field, Code::CustomPromptBlank);
            } else {
                settings::prompt_rules(field, prompt, violations);
            }
        }
        _ => {}
    }
}

/// The analyses requested by a job's settings, in the order in which they are made.
#[must_use]
pub fn of_settings(settings: &TranscriptionSettings) -> Vec<PartRequest> {
    let mut requests = Vec::new();
    if let Ok(words @ 1..) = u32::try_from(settings.summarize) {
        requests.push(PartRequest {
            words: Some(words),
            ..PartRequest::plain(Part::Summary)
        });
    }
    if settings.overall_sentiment_analysis {
        requests.push(PartRequest::plain(Part::Sentiment));
    }
    if settings.overall_classification && !settings.classification_labels.is_empty() {
        let mut seen = HashSet::new();
        let labels = settings.classification_labels.iter();
        let labels = labels.filter(|label| seen.insert(label.trim()));
        requests.push(PartRequest {
            labels: Some(labels.cloned().collect()),
            ..PartRequest::plain(Part::Classification)
        });
    }
    if !settings.custom_prompt.trim().is_empty() {
        requests.push(PartRequest {
            prompt: Some(settings.custom_prompt.clone()),
            ..PartRequest::plain(Part::Prompt)
        });
    }
    for (part, list) in [
        (Part::Translation, &settings.llm_translation),
        (Part::SubtitleTranslation, &settings.srt_translation),
    ] {
        let targets = language::translation_list(list).into_iter();
        requests.extend(targets.map(|target| PartRequest {
            target: Some(target),
            ..PartRequest::plain(part)
        }));
    }
    requests
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(request: &PartRequest) -> Vec<(String, Code)> {
        match validate(request) {
            Ok(_) => Vec::new(),
            Err(violations) => violations
                .0
                .into_iter()
                .map(|violation| (violation.field, violation.code))
                .collect(),
        }
    }

    fn expected_violation(field: &str, code: Code) -> Vec<(String, Code)> {
        vec![(field.to_owned(), code)]
    }

    #[test]
    fn each_part_requires_its_own_parameters_and_no_others() {
        let plain = PartRequest::plain;
        for part in [Part::Sentiment, Part::Keywords, Part::Chapters] {
            assert_eq!(codes(&plain(part)), []);
        }
        let words = |words| PartRequest {
            words,
            ..plain(Part::Summary)
        };
        assert_eq!(codes(&words(Some(1000))), []);
        for wrong in [None, Some(0), Some(1001)] {
            let expected = expected_violation("words", Code::SummarizeOutOfRange);
            assert_eq!(codes(&words(wrong)), expected, "{wrong:?}");
        }
        let labels = |labels: &[&str]| PartRequest {
            labels: Some(labels.iter().map(|&label| label.to_owned()).collect()),
            ..plain(Part::Classification)
        };
        assert_eq!(codes(&labels(&["a", "b"])), []);
        assert_eq!(
            codes(&labels(&[])),
            expected_violation("labels", Code::ListEmpty)
        );
        assert_eq!(
            codes(&labels(&["a", " a"])),
            expected_violation("labels", Code::Repeated)
        );
        assert_eq!(
            codes(&labels(&[" "])),
            expected_violation("labels.0", Code::LabelBlank)
        );
        let prompt = |prompt: &str| PartRequest {
            prompt: Some(prompt.to_owned()),
            ..plain(Part::Prompt)
        };
        assert_eq!(codes(&prompt("Who decides?")), []);
        assert_eq!(
            codes(&prompt(" \n")),
            expected_violation("prompt", Code::CustomPromptBlank)
        );
        assert_eq!(
            codes(&prompt(&"x".repeat(5001))),
            expected_violation("prompt", Code::CustomPromptTooLong)
        );
        let target = |part| PartRequest {
            target: Some(TranslationTarget::Spanish),
            ..plain(part)
        };
        for part in [Part::Translation, Part::SubtitleTranslation] {
            assert_eq!(codes(&target(part)), []);
            let expected = expected_violation("target", Code::TranslationLanguageUnsupported);
            assert_eq!(codes(&plain(part)), expected);
        }
        assert_eq!(
            codes(&target(Part::Keywords)),
            expected_violation("target", Code::UnknownField)
        );
    }

    #[test]
    fn settings_request_the_parts_that_are_switched_on() {
        assert_eq!(of_settings(&TranscriptionSettings::default()), []);
        let settings = TranscriptionSettings {
            summarize: 50,
            overall_sentiment_analysis: true,
            overall_classification: true,
            classification_labels: vec!["a".into(), "b".into(), "a".into()],
            custom_prompt: "Who?".into(),
            llm_translation: "spanish, german, spanish".into(),
            srt_translation: "thai".into(),
            ..TranscriptionSettings::default()
        };
        let requests = of_settings(&settings);
        for request in &requests {
            assert_eq!(codes(request), [], "{request:?}");
        }
        let parts: Vec<_> = requests
            .iter()
            .map(|request| request.part.as_str())
            .collect();
        let expected = [
            "summary",
            "sentiment",
            "classification",
            "prompt",
            "translation",
            "translation",
            "subtitle_translation",
        ];
        assert_eq!(parts, expected);
        let none = TranscriptionSettings {
            overall_classification: true,
            ..TranscriptionSettings::default()
        };
        assert_eq!(of_settings(&none), [], "no labels, nothing to classify by");
    }
}
