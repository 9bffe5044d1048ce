//! Whether engines exist for the requested features. Only the server knows its engines.

use super::TranscriptionSettings;
use crate::matrix::Feature;
use crate::violation::{Code, Violation, Violations};

/// Checks that an engine exists for each requested feature: `is_available` returns this for a
/// feature, `multichannel` for recognition by channel. For programs that cannot wait; a server
/// holds what it cannot do yet and uses [`check_recognised`].
///
/// # Errors
/// [`Code::FeatureUnavailable`] for each field that requests a missing feature.
pub fn check_available(
    settings: &TranscriptionSettings,
    is_available: impl Fn(Feature) -> bool,
    multichannel: bool,
) -> Result<(), Violations> {
    let mut violations = Violations::new();
    for setting in settings.asked() {
        // Timestamps are part of every recognition.
        let required = setting
            .feature
            .filter(|feature| *feature != Feature::Timestamps);
        if let Some(feature) = required.filter(|feature| !is_available(*feature)) {
            violations.push(
                Violation::new(setting.name, Code::FeatureUnavailable)
                    .with("feature", feature.as_str()),
            );
        }
    }
    if let Err(channels) = check_recognised(settings, multichannel) {
        violations.0.extend(channels.0);
    }
    violations.or(|| ())
}

/// Checks that recognition itself is possible as requested. Analyses do not block the transcript:
/// they wait until an engine exists.
///
/// # Errors
/// [`Code::FeatureUnavailable`] at `multichannel`.
pub fn check_recognised(
    settings: &TranscriptionSettings,
    multichannel: bool,
) -> Result<(), Violations> {
    let mut violations = Violations::new();
    if settings.multichannel && !multichannel {
        violations.push(
            Violation::new("multichannel", Code::FeatureUnavailable)
                .with("feature", "multichannel"),
        );
    }
    violations.or(|| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unavailable_features_are_refused_at_their_field() {
        let settings = TranscriptionSettings {
            diarization: true,
            multichannel: true,
            summarize: 10,
            ..TranscriptionSettings::default()
        };
        assert!(check_available(&settings, |_| true, true).is_ok());
        let violations = check_available(&settings, |_| false, false).unwrap_err();
        let fields: Vec<_> = violations.0.iter().map(|v| v.field.as_str()).collect();
        assert_eq!(fields, ["diarization", "summarize", "multichannel"]);
        let summaries = |feature| feature == Feature::Summarization;
        let violations = check_available(&settings, summaries, true).unwrap_err();
        assert_eq!(violations.0.len(), 1);
        assert!(check_available(&TranscriptionSettings::default(), |_| false, false).is_ok());
    }
}
