//! Tags and folders for transcripts.

use crate::text;
use crate::transcript::SPEAKER_COLORS;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest name, in characters: it shares a row of the list with others.
pub const MAX_NAME: usize = 40;
/// Number of colours, which are numbered from 0: those of speakers.
pub const COLORS: u8 = SPEAKER_COLORS;
/// Maximum number of tags per account, and of folders.
pub const MAX_OWN: usize = 100;
/// Maximum number of tags per transcript: what a row of the list can show.
pub const MAX_TAGS_OF_JOB: usize = 20;

wire_enum! {
    /// How transcripts are grouped.
    GroupKind {
        /// A transcript can have several tags.
        Tag => "tag",
        /// A transcript is in at most one folder.
        Folder => "folder",
    }
}

/// Name and colour of a tag or a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupForm {
    /// 1 to 40 characters.
    pub name: String,
    /// 0 to 7; displayed beside the name, never instead of it.
    pub color: u8,
}

/// Checks a tag or a folder. The name is trimmed, on one line, without invisible characters.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(name: &str, color: i64) -> Result<Valid<GroupForm>, Violations> {
    let mut violations = Violations::new();
    let name = text::single_spaced(name);
    let name = text::required(
        &mut violations,
        "name",
        &name,
        Code::GroupNameRequired,
        MAX_NAME,
    );
    let known_color = u8::try_from(color).ok().filter(|color| *color < COLORS);
    if known_color.is_none() {
        violations.push(
            Violation::new("color", Code::FigureOutOfRange)
                .with("min", 0)
                .with("max", COLORS - 1),
        );
    }
    violations.or(|| {
        Valid::new(GroupForm {
            name,
            color: known_color.unwrap_or_default(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_single_lines_and_colours_are_one_of_eight() {
        for (name, expected) in [
            ("робота", "робота"),
            ("  Клієнт\n А  ", "Клієнт А"),
            ("<img src=x>", "<img src=x>"),
            ("a\u{0}\u{202e}b", "ab"),
        ] {
            assert_eq!(validate(name, 7).unwrap().name, expected, "{name:?}");
        }
        let longest = "ї".repeat(MAX_NAME);
        assert_eq!(validate(&longest, 0).unwrap().name, longest);
        for (name, color, code) in [
            ("", 0, Code::GroupNameRequired),
            (" \u{202e}\n", 0, Code::GroupNameRequired),
            (&*(longest + "ї"), 0, Code::TooLong),
            ("a", 8, Code::FigureOutOfRange),
            ("a", -1, Code::FigureOutOfRange),
            ("a", 256, Code::FigureOutOfRange),
            ("a", i64::MAX, Code::FigureOutOfRange),
        ] {
            let violations = validate(name, color).unwrap_err();
            assert_eq!(violations.0.len(), 1, "{name:?} {color}");
            assert_eq!(violations.0[0].code, code, "{name:?} {color}");
        }
        assert_eq!(validate("", 9).unwrap_err().0.len(), 2);
    }
}
