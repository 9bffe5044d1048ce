//! Reads settings from JSON so that each wrong field is named on its own.

use serde_json::Value;

use super::{TranscriptionSettings, TranscriptionType, summarize_violation};
use crate::violation::{Code, Violation, Violations};

/// Reads settings from JSON field by field, so that each wrong field is named on its own.
///
/// # Errors
/// A violation for each unknown field and each value of the wrong type. The rules of
/// [`super::validate`] are not checked yet.
pub fn parse(value: &Value) -> Result<TranscriptionSettings, Violations> {
    let Value::Object(fields) = value else {
        return Err(Violation::new("", Code::WrongType).into());
    };
    let mut settings = TranscriptionSettings::default();
    let mut violations = Violations::new();
    for (name, value) in fields {
        match set_field(&mut settings, name, value) {
            Some(true) => {}
            Some(false) => violations.push(unreadable(name)),
            None => {
                violations.push(Violation::new("", Code::UnknownField).with_echo("field", name));
            }
        }
    }
    violations.or(|| settings)
}

/// Sets one field: whether the value had the right type, or `None` for an unknown field.
///
/// By hand and not by serde, whose JSON deserializer brings number tables and message
/// texts that would make up a sixth of what a browser downloads.
fn set_field(settings: &mut TranscriptionSettings, name: &str, value: &Value) -> Option<bool> {
    let switch = match name {
        "diarization" => &mut settings.diarization,
        "sentence_level_timestamps" => &mut settings.sentence_level_timestamps,
        "word_level_timestamps" => &mut settings.word_level_timestamps,
        "sentence_diarization" => &mut settings.sentence_diarization,
        "srt" => &mut settings.srt,
        "return_as_file" => &mut settings.return_as_file,
        "overall_sentiment_analysis" => &mut settings.overall_sentiment_analysis,
        "overall_classification" => &mut settings.overall_classification,
        "multichannel" => &mut settings.multichannel,
        _ => return set_text(settings, name, value),
    };
    Some(value.as_bool().map(|on| *switch = on).is_some())
}

fn set_text(settings: &mut TranscriptionSettings, name: &str, value: &Value) -> Option<bool> {
    let text = match name {
        "url" => &mut settings.url,
        "language_code" => &mut settings.language_code,
        "speakers" => &mut settings.speakers,
        "translate" => &mut settings.translate,
        "llm_translation" => &mut settings.llm_translation,
        "srt_translation" => &mut settings.srt_translation,
        "custom_vocabulary" => &mut settings.custom_vocabulary,
        "custom_prompt" => &mut settings.custom_prompt,
        _ => return set_other(settings, name, value),
    };
    Some(value.as_str().map(|given| given.clone_into(text)).is_some())
}

fn set_other(settings: &mut TranscriptionSettings, name: &str, value: &Value) -> Option<bool> {
    let read = match name {
        "transcription_type" => value
            .as_str()
            .and_then(TranscriptionType::parse)
            .map(|given| settings.transcription_type = given),
        "summarize" => whole(value).map(|words| settings.summarize = words),
        "classification_labels" => {
            value
                .as_array()
                .and_then(|labels| texts(labels))
                .map(|labels| {
                    settings.classification_labels = labels;
                })
        }
        _ => return None,
    };
    Some(read.is_some())
}

/// A whole number. Browsers have those from 2^53 on as floating ones only: they are taken, too, so
/// that both sides refuse them for their size.
fn whole(value: &Value) -> Option<i64> {
    const LARGE: f64 = 9_007_199_254_740_992.0;
    let large = || value.as_f64().filter(|number| number.abs() >= LARGE);
    // The cast saturates.
    value
        .as_i64()
        .or_else(|| large().map(|number| number as i64))
}

fn texts(values: &[Value]) -> Option<Vec<String>> {
    values
        .iter()
        .map(|value| value.as_str().map(str::to_owned))
        .collect()
}

/// The violation of a known field whose value has the wrong type. Where the field's own
/// rule says what it takes, that rule is named.
fn unreadable(field: &str) -> Violation {
    match field {
        "transcription_type" => Violation::new(field, Code::TypeUnknown),
        "summarize" => summarize_violation(),
        _ => Violation::new(field, Code::WrongType),
    }
}
