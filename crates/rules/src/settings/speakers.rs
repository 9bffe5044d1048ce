//! How many speakers a recording has, as a user knows it.

use crate::violation::{Code, Violation};

/// The most speakers that can be asked for.
pub const MAX_SPEAKERS: u32 = 50;

/// From so many speakers to so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpeakerCount {
    /// At least 1.
    pub min: u32,
    /// At least `min`, at most [`MAX_SPEAKERS`].
    pub max: u32,
}

/// Reads a count: a number (`3`), two as in `2-4` (any dash, spaces around it), or nothing,
/// which is `None`: the count is to be found.
///
/// # Errors
/// [`Code::SpeakersOutOfRange`] at `speakers` for anything else.
pub fn speaker_count(text: &str) -> Result<Option<SpeakerCount>, Violation> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let (min, max) = text.split_once(['-', '–', '—']).unwrap_or((text, text));
    match (number(min), number(max)) {
        (Some(min @ 1..), Some(max @ ..=MAX_SPEAKERS)) if min <= max => {
            Ok(Some(SpeakerCount { min, max }))
        }
        _ => Err(Violation::new("speakers", Code::SpeakersOutOfRange)
            .with("min", 1)
            .with("max", MAX_SPEAKERS)),
    }
}

fn number(text: &str) -> Option<u32> {
    let digits = text.trim();
    // `parse` would take a sign.
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_a_number_or_two() {
        let count = |min, max| Some(SpeakerCount { min, max });
        assert_eq!(speaker_count("").unwrap(), None);
        assert_eq!(speaker_count("  ").unwrap(), None);
        assert_eq!(speaker_count("3").unwrap(), count(3, 3));
        assert_eq!(speaker_count(" 2 - 4 ").unwrap(), count(2, 4));
        assert_eq!(speaker_count("2–4").unwrap(), count(2, 4));
        assert_eq!(speaker_count("1-50").unwrap(), count(1, 50));
        for wrong in [
            "0",
            "51",
            "4-2",
            "2-",
            "-2",
            "2-3-4",
            "two",
            "+2",
            "1.5",
            "2-51",
            "99999999999",
            "２",
        ] {
            let refused = speaker_count(wrong).unwrap_err();
            assert_eq!(refused.code, Code::SpeakersOutOfRange, "{wrong}");
        }
    }
}
