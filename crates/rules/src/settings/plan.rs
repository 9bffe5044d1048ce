//! Whether the caller's plan has what the settings ask for.

use super::{TranscriptionSettings, asked_of_full};
use crate::matrix::Feature;
use crate::plan::PlanFeature;
use crate::violation::{Code, Violation, Violations};

/// Checks that the plan has what is asked for: `has` tells it of a feature. A preset is not asked:
/// it may be used under another plan.
///
/// # Errors
/// [`Code::FeatureNotInPlan`] for each field that asks for what the plan does not have.
pub fn check_plan(
    settings: &TranscriptionSettings,
    has: impl Fn(PlanFeature) -> bool,
) -> Result<(), Violations> {
    let speakers = [
        ("diarization", settings.diarization),
        ("sentence_diarization", settings.sentence_diarization),
        ("multichannel", settings.multichannel),
    ]
    .map(|(field, wanted)| (PlanFeature::Diarization, field, wanted));
    let translation = (
        PlanFeature::Translation,
        "translate",
        !settings.translate.is_empty(),
    );
    let of_full = asked_of_full(settings).map(|(feature, field, wanted)| {
        let of_plan = match feature {
            Feature::LlmTranslation | Feature::SrtTranslation => PlanFeature::Translation,
            _ => PlanFeature::Analytics,
        };
        (of_plan, field, wanted)
    });
    let files = settings.made_files().into_iter();
    let files = files.filter_map(|file| Some((file.plan_needs()?, file.field(), true)));
    let asked = speakers.into_iter().chain([translation]).chain(of_full);
    let mut violations = Violations::new();
    for (feature, field, wanted) in asked.chain(files) {
        if wanted && !has(feature) {
            violations.push(
                Violation::new(field, Code::FeatureNotInPlan).with("feature", feature.as_str()),
            );
        }
    }
    violations.or(|| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_plan_lacks_is_refused_at_its_field() {
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
        let refused = check_plan(&settings, |_| false).unwrap_err();
        let fields: Vec<_> = refused.0.iter().map(|v| v.field.as_str()).collect();
        let expected = [
            "diarization",
            "multichannel",
            "translate",
            "summarize",
            "srt_translation",
            "classification_labels",
            "srt",
        ];
        assert_eq!(fields, expected);
        let starter = |feature| feature == PlanFeature::Analytics;
        let refused = check_plan(&settings, starter).unwrap_err();
        assert_eq!(refused.0.len(), 5);
        assert!(check_plan(&TranscriptionSettings::default(), |_| false).is_ok());
    }

    #[test]
    fn a_file_is_held_to_the_rule_of_exports() {
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
