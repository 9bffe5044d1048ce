//! A transcript's title by its owner, displayed instead of the file name.

use crate::text;
use crate::valid::Valid;
use crate::violation::Violations;

/// Longest title, in characters: two lines of a page heading.
pub const MAX_TITLE: usize = 200;

/// Checks a title. The result is trimmed, on one line, without invisible characters; `None` if
/// nothing is left, which restores the file name.
///
/// # Errors
/// The title is too long.
pub fn validate(title: &str) -> Result<Valid<Option<String>>, Violations> {
    let title = text::single_spaced(title);
    let mut violations = Violations::new();
    text::limited(&mut violations, "title", &title, MAX_TITLE);
    violations.or(|| Valid::new(Some(title).filter(|title| !title.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::Code;

    #[test]
    fn a_title_is_a_single_line_and_a_blank_one_is_none() {
        for (given, expected) in [
            ("Нарада редакції", Some("Нарада редакції")),
            ("  Нарада \t\r\n редакції  ", Some("Нарада редакції")),
            ("a\u{0}b\u{7}c", Some("abc")),
            ("\u{202e}gpj.exe\u{2066}", Some("gpj.exe")),
            ("<b>Нарада</b> & \"Co\"", Some("<b>Нарада</b> & \"Co\"")),
            ("Interview v1.2", Some("Interview v1.2")),
            ("", None),
            (" \u{a0}\n", None),
            ("\u{202e}\u{0}", None),
        ] {
            let title = validate(given).unwrap().into_inner();
            assert_eq!(title.as_deref(), expected, "{given:?}");
        }
    }

    #[test]
    fn title_length_is_counted_in_characters() {
        let longest = "ї".repeat(MAX_TITLE);
        let spaced = format!("  {longest}\n");
        assert_eq!(*validate(&spaced).unwrap(), Some(longest.clone()));
        let violations = validate(&(longest + "ї")).unwrap_err();
        assert_eq!(violations.0.len(), 1);
        assert_eq!(violations.0[0].field, "title");
        assert_eq!(violations.0[0].code, Code::TooLong);
        assert_eq!(violations.0[0].params["max"], MAX_TITLE);
        assert_eq!(violations.0[0].params["length"], MAX_TITLE + 1);
    }
}
