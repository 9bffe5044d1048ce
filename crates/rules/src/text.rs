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

/// A name on one line, without characters that cannot be seen and could break a line, a mail's
/// header or a stored text, or turn the direction of what follows.
pub(crate) fn one_line(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control() && !turns(*c))
        .collect()
}

/// A text of several lines without such characters; line breaks and tabs stay.
pub(crate) fn lines(text: &str) -> String {
    text.chars()
        .filter(|c| matches!(c, '\n' | '\t') || !(c.is_control() || turns(*c)))
        .collect()
}

/// Whether the character turns the direction of writing.
const fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
