//! Parses settings from JSON, with one violation per invalid field.

use serde_json::Value;

use super::{TranscriptionSettings, summarize_violation};
use crate::violation::{Code, Violation, Violations};

/// Parses settings from JSON field by field, with one violation per invalid field.
///
/// # Errors
/// A violation for each unknown field and each value of the wrong type. The rules of
/// [`super::check`] are not checked here.
pub fn parse(value: &Value) -> Result<TranscriptionSettings, Violations> {
    let Value::Object(fields) = value else {
        return Err(Violation::new("", Code::WrongType).into());
    };
    let mut settings = TranscriptionSettings::default();
    let mut violations = Violations::new();
    for (name, value) in fields {
        match settings.set(name, value) {
            Some(true) => {}
            Some(false) => violations.push(unreadable(name)),
            None => {
                violations.push(Violation::new("", Code::UnknownField).with_echo("field", name));
            }
        }
    }
    violations.or(|| settings)
}

/// The violation for a known field with a value of the wrong type: that of the field's own rule, if
/// it describes the allowed values.
fn unreadable(field: &str) -> Violation {
    match field {
        "transcription_type" => Violation::new(field, Code::TypeUnknown),
        "summarize" => summarize_violation(),
        _ => Violation::new(field, Code::WrongType),
    }
}
