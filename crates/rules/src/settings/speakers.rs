//! The number of speakers, as set by the user.

use crate::violation::{Code, Violation};

/// Maximum number of speakers.
pub const MAX_SPEAKERS: usize = 50;

/// The number of speakers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SpeakerCount {
    /// To be detected.
    #[default]
    Found,
    /// This many; fewer only if there is too little speech to distinguish them.
    Exactly(usize),
    /// At least the first and at most the second number.
    Between(usize, usize),
}

/// Parses a count: a number (`3`), a range as in `2-4` (any dash, optional spaces), or empty text
/// for detection. Numbers are from 1 to [`MAX_SPEAKERS`].
///
/// # Errors
/// [`Code::SpeakersOutOfRange`] at `speakers` for anything else.
pub fn speaker_count(text: &str) -> Result<SpeakerCount, Violation> {
    if text.trim().is_empty() {
        return Ok(SpeakerCount::Found);
    }
    let (min, max) = text.split_once(['-', '–', '—']).unwrap_or((text, text));
    match (number(min), number(max)) {
        (Some(min @ 1..), Some(max @ ..=MAX_SPEAKERS)) if min == max => {
            Ok(SpeakerCount::Exactly(min))
        }
        (Some(min @ 1..), Some(max @ ..=MAX_SPEAKERS)) if min < max => {
            Ok(SpeakerCount::Between(min, max))
        }
        _ => Err(Violation::new("speakers", Code::SpeakersOutOfRange)
            .with("min", 1)
            .with("max", MAX_SPEAKERS)),
    }
}

fn number(text: &str) -> Option<usize> {
    let digits = text.trim();
    // `parse` would accept a sign.
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speaker_count_is_a_number_or_a_range() {
        let count = |text: &str| speaker_count(text).unwrap();
        assert_eq!(count(""), SpeakerCount::Found);
        assert_eq!(count("  "), SpeakerCount::Found);
        assert_eq!(count("3"), SpeakerCount::Exactly(3));
        assert_eq!(count("3-3"), SpeakerCount::Exactly(3));
        assert_eq!(count(" 2 - 4 "), SpeakerCount::Between(2, 4));
        assert_eq!(count("2–4"), SpeakerCount::Between(2, 4));
        assert_eq!(count("1-50"), SpeakerCount::Between(1, 50));
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
            let violation = speaker_count(wrong).unwrap_err();
            assert_eq!(violation.code, Code::SpeakersOutOfRange, "{wrong}");
        }
    }
}
