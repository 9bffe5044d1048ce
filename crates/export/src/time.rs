//! Formats times.

/// `HH:MM:SS` and milliseconds after `separator`, rounded to the nearest millisecond; hours take as
/// many digits as they need; negative values and NaN become zero.
pub fn stamp(seconds: f64, separator: char) -> String {
    let total = milliseconds(seconds);
    let (rest, ms) = (total / 1_000, total % 1_000);
    let (rest, s) = (rest / 60, rest % 60);
    let (h, m) = (rest / 60, rest % 60);
    format!("{h:02}:{m:02}:{s:02}{separator}{ms:03}")
}

/// `hh:mm:ss` for readers, rounded down to the second.
pub fn clock(seconds: f64) -> String {
    let total = milliseconds(seconds) / 1_000;
    format!(
        "{:02}:{:02}:{:02}",
        total / 3_600,
        total / 60 % 60,
        total % 60
    )
}

/// Milliseconds, at least 0.
pub fn milliseconds(seconds: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a saturating cast is what is wanted: negative and NaN give 0"
    )]
    let ms = (seconds * 1_000.0).round() as u64;
    ms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_carries_into_minutes_and_hours() {
        assert_eq!(stamp(0.0, ','), "00:00:00,000");
        assert_eq!(stamp(0.999_6, ','), "00:00:01,000");
        assert_eq!(stamp(59.999_9, '.'), "00:01:00.000");
        assert_eq!(stamp(3_599.999_5, '.'), "01:00:00.000");
        assert_eq!(stamp(86_399.999_6, ','), "24:00:00,000");
    }

    #[test]
    fn hours_may_exceed_99() {
        assert_eq!(stamp(100.0 * 3_600.0 + 1.5, ','), "100:00:01,500");
        assert_eq!(stamp(12_345.0 * 3_600.0, ','), "12345:00:00,000");
    }

    #[test]
    fn negative_and_invalid_numbers_are_zero() {
        for seconds in [-1.0, -0.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(stamp(seconds, ','), "00:00:00,000");
        }
    }
}
