//! Checks that every text field shares: trimmed presence and length in characters.

use crate::violation::{Code, Violation, Violations};

/// Whether the text has more than `max` characters; reads at most `max + 1` of them.
#[must_use]
pub fn longer_than(text: &str, max: usize) -> bool {
    text.len() > max && text.chars().nth(max).is_some()
}

/// Number of characters (Unicode scalar values).
#[must_use]
pub fn length(text: &str) -> usize {
    text.chars().count()
}

/// The trimmed text of a required field of at most `max` characters.
pub(crate) fn required(
    violations: &mut Violations,
    field: &str,
    text: &str,
    missing: Code,
    max: usize,
) -> String {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        violations.add(field, missing);
    }
    limited(violations, field, trimmed, max);
    trimmed.to_owned()
}

/// Notes a text of more than `max` characters.
pub(crate) fn limited(violations: &mut Violations, field: &str, text: &str, max: usize) {
    if longer_than(text, max) {
        violations.push(
            Violation::new(field, Code::TooLong)
                .with("max", max)
                .with("length", length(text)),
        );
    }
}
