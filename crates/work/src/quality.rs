//! Warnings about the quality of texts, from the rows of their jobs and what is known of the
//! models. They are not stored: what is known of a model may change.

use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use slovo_db::jobs::Job;
use slovo_engine::models::{self, Choice, Improvement, MachineResources, Measurements};
use slovo_rules::job::JobStatus;
use slovo_rules::language::Language;
use slovo_rules::transcript::Warning;
use slovo_rules::warnings::{Outcome, SpeechModel, SpeechModels, WarningCode, after};

/// What was measured on this machine, as it was at the start.
static MEASURED: OnceLock<Measurements> = OnceLock::new();

/// Takes these measurements into account in all warnings of this process. To be called at the start,
/// before the first warning; only the first call has an effect.
pub fn use_measurements(measurements: Measurements) {
    let _ = MEASURED.set(measurements);
}

fn with_measurements(mut model: SpeechModel) -> SpeechModel {
    if let Some(measurements) = MEASURED.get() {
        measurements.apply(&mut model);
    }
    model
}

/// What is known of the quality of the model with this id.
#[must_use]
pub fn of_model(id: &str) -> Option<SpeechModel> {
    models::quality_of(id).map(with_measurements)
}

/// Models that could serve Full on this machine, whose memory does not change.
static LARGER: LazyLock<Vec<SpeechModel>> = LazyLock::new(|| {
    let larger = models::larger(MachineResources::this().as_ref()).into_iter();
    larger.map(with_measurements).collect()
});

/// A model that would serve Full better in this language than the one in use; see
/// [`models::improvement`].
#[must_use]
pub fn improvement(language: Language, used: &str, dir: &Path) -> Option<Improvement> {
    let none = Measurements::default();
    let measured = MEASURED.get().unwrap_or(&none);
    models::improvement(
        language,
        used,
        MachineResources::this().as_ref(),
        dir,
        measured,
    )
}

/// What is known of the models that serve the modes by this choice, and of larger ones.
#[must_use]
pub fn speech_models(choice: &Choice) -> SpeechModels {
    let models = models::speech_models(choice, LARGER.clone());
    SpeechModels {
        full: models.full.map(with_measurements),
        lite: models.lite.map(with_measurements),
        larger: models.larger,
    }
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
    let model = job.model.as_deref().and_then(of_model);
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
