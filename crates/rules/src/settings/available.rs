//! Whether some engine does what the settings ask for. Which engines there are only the server
//! knows.

use super::TranscriptionSettings;
use crate::matrix::Feature;
use crate::violation::{Code, Violation, Violations};

/// Checks that all that is asked for is done by some engine: `does` tells it of a feature,
/// `multichannel` of recognition by channel. For programs that have nobody to wait for; a server
/// keeps what it cannot do yet and goes by [`check_recognised`].
///
/// # Errors
/// [`Code::FeatureUnavailable`] for each field that asks for what nothing does.
pub fn check_available(
    settings: &TranscriptionSettings,
    does: impl Fn(Feature) -> bool,
    multichannel: bool,
) -> Result<(), Violations> {
    let mut violations = Violations::new();
    for setting in settings.asked() {
        // What every recognition has is never missing.
        let made = setting
            .feature
            .filter(|feature| *feature != Feature::Timestamps);
        if let Some(feature) = made.filter(|feature| !does(*feature)) {
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

/// Checks that recognition itself can be done as asked. What is made of the text afterwards keeps
/// no recording from its text: it waits until something does it.
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
    fn what_nothing_does_is_refused_at_its_field() {
        let settings = TranscriptionSettings {
            diarization: true,
            multichannel: true,
            summarize: 10,
            ..TranscriptionSettings::default()
        };
        assert!(check_available(&settings, |_| true, true).is_ok());
        let refused = check_available(&settings, |_| false, false).unwrap_err();
        let fields: Vec<_> = refused.0.iter().map(|v| v.field.as_str()).collect();
        assert_eq!(fields, ["diarization", "summarize", "multichannel"]);
        let summaries = |feature| feature == Feature::Summarization;
        let refused = check_available(&settings, summaries, true).unwrap_err();
        assert_eq!(refused.0.len(), 1);
        assert!(check_available(&TranscriptionSettings::default(), |_| false, false).is_ok());
    }
}
