//! Cleaning of a text before it is stored.

use crate::text;

/// A segment's text as it is stored: trimmed, on one line, without invisible characters that could
/// break a file or change the text direction.
#[must_use]
pub fn clean(text: &str) -> String {
    text::one_line(text).trim().to_owned()
}
