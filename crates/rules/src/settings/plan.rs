//! Whether the caller's plan includes the requested features.

use super::TranscriptionSettings;
use crate::plan::PlanFeature;
use crate::violation::{Code, Violation, Violations};

/// Checks that the plan includes the requested features: `includes` returns this for a feature.
/// Presets are not checked, because they may be used with another plan.
///
/// # Errors
/// [`Code::FeatureNotInPlan`] for each field that requests a feature not in the plan.
pub fn check_plan(
    settings: &TranscriptionSettings,
    includes: impl Fn(PlanFeature) -> bool,
) -> Result<(), Violations> {
    let mut violations = Violations::new();
    for setting in settings.asked() {
        if let Some(feature) = setting.plan.filter(|feature| !includes(*feature)) {
            violations.push(
                Violation::new(setting.name, Code::FeatureNotInPlan)
                    .with("feature", feature.as_str()),
            );
        }
    }
    violations.or(|| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_missing_from_the_plan_are_refused_at_their_field() {
        let settings = TranscriptionSettings {
            diarization: true,
            multichannel: true,
            translate: "to_eng".to_owned(),
            srt_translation: "french".to_owned(),
            summarize: 10,
            return_as_file: true,
            srt: true,
            classification_labels: vec!["a".to_owned()],
            ..TranscriptionSettings::default()
        };
        assert!(check_plan(&settings, |_| true).is_ok());
        let violations = check_plan(&settings, |_| false).unwrap_err();
        let fields: Vec<_> = violations.0.iter().map(|v| v.field.as_str()).collect();
        let expected = [
            "diarization",
            "srt",
            "multichannel",
            "summarize",
            "translate",
            "srt_translation",
            "classification_labels",
        ];
        assert_eq!(fields, expected);
        let starter = |feature| feature == PlanFeature::Analytics;
        let violations = check_plan(&settings, starter).unwrap_err();
        assert_eq!(violations.0.len(), 5);
        assert!(check_plan(&TranscriptionSettings::default(), |_| false).is_ok());
    }

    #[test]
    fn a_stored_file_follows_the_plan_rule_of_exports() {
        let settings = TranscriptionSettings {
            srt: true,
            ..TranscriptionSettings::default()
        };
        let refused = check_plan(&settings, |feature| feature != PlanFeature::ExportFormats);
        let expected =
            Violation::new("srt", Code::FeatureNotInPlan).with("feature", "export_formats");
        assert_eq!(refused.unwrap_err().0, [expected]);
        assert!(check_plan(&settings, |feature| feature == PlanFeature::ExportFormats).is_ok());
    }
}
