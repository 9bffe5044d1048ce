//! Bookmarks and highlights by the owner of a transcript, with notes.

use crate::edit::{self, MAX_SECONDS, MAX_TEXT};
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest note, in characters.
pub const MAX_NOTE: usize = 2000;
/// Longest quotation, in characters: the beginning is enough to find longer text.
pub const MAX_QUOTE: usize = 2000;
/// Maximum number of bookmarks and highlights per transcript, over all runs.
pub const MAX_ANNOTATIONS: usize = 500;
/// Maximum number created by one request: a selection over many lines marks each of them.
pub const MAX_AT_ONCE: usize = 50;
/// Longest id of a segment, in bytes: a number or a UUID.
const MAX_SEGMENT: usize = 36;

wire_enum! {
    /// The kind of an annotation; its text is `annotations.kinds.<word>` of `editor.json`.
    AnnotationKind {
        /// A bookmark at a place in the text.
        Bookmark => "bookmark",
        /// Highlighted words of one line.
        Highlight => "highlight",
    }
}

wire_enum! {
    /// The colour of an annotation; its text is `annotations.colours.<word>` of `editor.json`.
    AnnotationColour {
        /// Yellow.
        Yellow => "yellow",
        /// Green.
        Green => "green",
        /// Blue.
        Blue => "blue",
        /// Pink.
        Pink => "pink",
    }
}

/// The place of a bookmark or a highlight, and its note.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotationForm {
    /// Id of the line's segment.
    pub segment: String,
    /// Characters (Unicode scalar values) in the line before the quote.
    pub offset: u32,
    /// The quoted words: 1 to 2,000 characters. A bookmark quotes the following words of its line.
    pub quote: String,
    /// Start of the quote in seconds; for a bookmark its time.
    pub start: f64,
    /// End of the quote in seconds.
    pub end: f64,
    /// Up to 2,000 characters; empty if there is none.
    pub note: String,
}

/// Checks a bookmark or a highlight. The quotation is cleaned like text of transcripts, on one
/// line; the note is trimmed, without invisible characters; `end` is not before `start`.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &AnnotationForm) -> Result<Valid<AnnotationForm>, Violations> {
    let mut violations = Violations::new();
    if form.segment.is_empty() || form.segment.len() > MAX_SEGMENT {
        violations.add("segment", Code::IdInvalid);
    }
    if form.offset as usize > MAX_TEXT {
        violations.push(Violation::new("offset", Code::NumberTooLarge).with("max", MAX_TEXT));
    }
    let quote = if text::longer_than(&form.quote, MAX_QUOTE) {
        // It is rejected, so cleaning all of it would be wasted work.
        form.quote.clone()
    } else {
        edit::clean(&form.quote)
    };
    let quote = text::required(
        &mut violations,
        "quote",
        &quote,
        Code::TextRequired,
        MAX_QUOTE,
    );
    let start = seconds(&mut violations, "start", form.start);
    let end = seconds(&mut violations, "end", form.end).max(start);
    let note = violations.take(validate_note(&form.note).map(Valid::into_inner));
    let (segment, offset) = (form.segment.clone(), form.offset);
    let note = note.unwrap_or_default();
    violations.or(|| {
        Valid::new(AnnotationForm {
            segment,
            offset,
            quote,
            start,
            end,
            note,
        })
    })
}

/// Checks a note: trimmed, without invisible characters. It may be empty.
///
/// # Errors
/// More than 2,000 characters.
pub fn validate_note(note: &str) -> Result<Valid<String>, Violation> {
    let mut violations = Violations::new();
    let note = if text::longer_than(note, MAX_NOTE) {
        note.to_owned()
    } else {
        text::lines(note).trim().to_owned()
    };
    text::limited(&mut violations, "note", &note, MAX_NOTE);
    match violations.0.pop() {
        Some(violation) => Err(violation),
        None => Ok(Valid::new(note)),
    }
}

fn seconds(violations: &mut Violations, field: &str, seconds: f64) -> f64 {
    if seconds.is_nan() || seconds < 0.0 {
        violations.push(Violation::new(field, Code::NumberTooSmall).with("min", 0));
    } else if seconds > MAX_SECONDS {
        violations.push(Violation::new(field, Code::NumberTooLarge).with("max", MAX_SECONDS));
    }
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> AnnotationForm {
        AnnotationForm {
            segment: "3".to_owned(),
            offset: 4,
            quote: "п’ять працівниць".to_owned(),
            start: 12.5,
            end: 13.25,
            note: String::new(),
        }
    }

    fn violations_of(form: &AnnotationForm) -> Vec<(String, Code)> {
        let violations = validate(form).unwrap_err().0;
        violations
            .into_iter()
            .map(|violation| (violation.field, violation.code))
            .collect()
    }

    #[test]
    fn quotes_and_notes_are_stored_without_invisible_characters() {
        let raw = AnnotationForm {
            quote: " п’ять\n\u{0}працівниць ".to_owned(),
            note: "\n Перепитати:\r\n\u{202e}хто саме?\u{0} \n".to_owned(),
            ..form()
        };
        let valid = validate(&raw).unwrap();
        assert_eq!(valid.quote, "п’ять працівниць");
        assert_eq!(valid.note, "Перепитати:\nхто саме?");
        let markup = AnnotationForm {
            quote: "<script>alert(1)</script>".to_owned(),
            note: "=HYPERLINK(\"x\")".to_owned(),
            ..form()
        };
        assert_eq!(*validate(&markup).unwrap(), markup);
    }

    #[test]
    fn an_end_before_the_start_is_moved_to_the_start() {
        let turned = AnnotationForm {
            start: 9.0,
            end: 3.0,
            ..form()
        };
        assert_eq!(validate(&turned).unwrap().end, 9.0);
    }

    #[test]
    fn every_field_has_limits() {
        let longest = AnnotationForm {
            quote: "ї".repeat(MAX_QUOTE),
            note: "ї".repeat(MAX_NOTE),
            end: MAX_SECONDS,
            ..form()
        };
        assert!(validate(&longest).is_ok());
        let too_long = AnnotationForm {
            segment: "1".repeat(MAX_SEGMENT + 1),
            offset: u32::MAX,
            quote: "ї".repeat(MAX_QUOTE + 1),
            start: -0.5,
            end: f64::INFINITY,
            note: "ї".repeat(MAX_NOTE + 1),
        };
        let all = [
            ("segment", Code::IdInvalid),
            ("offset", Code::NumberTooLarge),
            ("quote", Code::TooLong),
            ("start", Code::NumberTooSmall),
            ("end", Code::NumberTooLarge),
            ("note", Code::TooLong),
        ];
        assert_eq!(
            violations_of(&too_long),
            all.map(|(field, code)| (field.to_owned(), code))
        );
        let empty = AnnotationForm {
            segment: String::new(),
            quote: " \u{0}\n".to_owned(),
            start: f64::NAN,
            ..form()
        };
        let all = [
            ("segment", Code::IdInvalid),
            ("quote", Code::TextRequired),
            ("start", Code::NumberTooSmall),
        ];
        assert_eq!(
            violations_of(&empty),
            all.map(|(field, code)| (field.to_owned(), code))
        );
    }
}
