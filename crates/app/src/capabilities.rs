//! What the engines and programs of this server can do.

use slovo_engine::media;
use slovo_rules::matrix::Feature;
use slovo_rules::plan::PlanFeature;
use slovo_rules::upload::ExternalType;
use slovo_work::analysis::engines::Engines;

/// What this server has of what plans may include.
pub fn plan_features(engines: &Engines) -> Vec<PlanFeature> {
    let analytics = [
        Feature::Summarization,
        Feature::Sentiment,
        Feature::Classification,
        Feature::Insights,
    ];
    let is_available = |feature: &PlanFeature| match feature {
        PlanFeature::Diarization => engines.supports(Feature::Diarization) || engines.multichannel,
        PlanFeature::Analytics => analytics.iter().any(|part| engines.supports(*part)),
        // The recognition model translates into English by itself.
        PlanFeature::Translation
        | PlanFeature::Realtime
        | PlanFeature::ExportFormats
        | PlanFeature::Api => true,
    };
    PlanFeature::ALL
        .iter()
        .copied()
        .filter(is_available)
        .collect()
}

/// Extensions of the accepted formats besides the ten built-in ones.
pub fn more_types() -> Vec<String> {
    if !media::has_external_decoder() {
        return Vec::new();
    }
    ExternalType::extensions().map(str::to_owned).collect()
}
