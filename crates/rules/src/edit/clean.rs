//! A text as it is stored.

use crate::text;

/// A segment's text as it is stored: on one line, without characters that cannot be seen and
/// could break a file or turn the direction of what follows, without white space at its ends.
#[must_use]
pub fn clean(text: &str) -> String {
    text::one_line(text).trim().to_owned()
}
