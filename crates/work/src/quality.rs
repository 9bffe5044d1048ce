//! Warnings about the quality of texts, from the rows of their jobs and what is known of the
//! models. They are not stored: what is known of a model may change.

use std::sync::LazyLock;

use slovo_db::jobs::Job;
use slovo_engine::models::{self, Choice, MachineResources, Model};
use slovo_rules::job::JobStatus;
use slovo_rules::language::Language;
use slovo_rules::transcript::Warning;
use slovo_rules::warnings::{Outcome, SpeechModel, SpeechModels, WarningCode, after};

/// Models that could serve Full on this machine, whose memory does not change.
static LARGER: LazyLock<Vec<SpeechModel>> =
    LazyLock::new(|| models::larger(MachineResources::this().as_ref()));

/// What is known of the models that serve the modes by this choice, and of larger ones.
#[must_use]
pub fn speech_models(choice: &Choice) -> SpeechModels {
    models::speech_models(choice, LARGER.clone())
}

/// All warnings about a job: those stored with it and, when it is completed, those about the
/// quality of its text.
#[must_use]
pub fn warnings(job: &Job) -> Vec<Warning> {
    let mut all = job.warnings.clone();
    if job.status != JobStatus::Completed {
        return all;
    }
    let outcome = Outcome {
        settings: job.plan.settings(),
        language: job.language.as_deref().and_then(Language::parse),
        unrecognised: job.unrecognised,
    };
    let model = job.model.as_deref().and_then(models::find);
    let model = model.and_then(Model::quality);
    let found = after(outcome, model.as_ref(), &LARGER).into_iter();
    let found: Vec<_> = found.map(Warning::from).collect();
    // Unrecognised speech must not also be reported as no speech.
    let much = WarningCode::MuchUnrecognised.as_str();
    if found.iter().any(|warning| warning.code == much) {
        all.retain(|warning| !matches!(warning.code.as_str(), "no_speech" | "speech_unrecognised"));
    }
    all.extend(found);
    all
}
