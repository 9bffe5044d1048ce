//! The engine of recognition and the downloads of its models, built from the configuration.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use slovo_engine::EngineConfig;
use slovo_engine::models::{self, Choice};
use slovo_models::{Fetcher, HubEndpoint, Source};
use slovo_rules::settings::TranscriptionType;

use crate::config::{self, ModelsSource};

/// The configuration of the engine.
///
/// # Errors
/// If no models folder is configured and there is no home folder, or if a configured speaker
/// embedding does not exist.
pub fn engine_config(options: &config::Engine) -> Result<EngineConfig> {
    let folder = options.models.clone().or_else(models::default_dir);
    let folder = folder.context("--models: there is no home folder, so it must be given")?;
    let choice = Choice::load(&folder).overridden_by(configured_choice(options));
    let mut engine = EngineConfig::new(folder);
    choice
        .model(TranscriptionType::Full)
        .clone_into(&mut engine.full_model);
    choice
        .model(TranscriptionType::Lite)
        .clone_into(&mut engine.lite_model);
    engine.threads = options.threads.unwrap_or(engine.threads);
    if let Some(file) = &options.speaker_embedding {
        ensure!(
            file.is_file(),
            "--speaker-embedding {}: no such file",
            file.display()
        );
        engine.speaker_embedding = Some(file.clone());
    }
    Ok(engine)
}

/// The models that the configuration names for the modes.
pub(super) fn configured_choice(options: &config::Engine) -> Choice {
    Choice {
        full: options.full_model.clone(),
        lite: options.lite_model.clone(),
    }
}

/// The fetcher that downloads models into the folder.
///
/// # Errors
/// If the hub is not a valid URL.
pub(super) fn model_fetcher(options: &config::Engine, dir: PathBuf) -> Result<Fetcher> {
    let hub = HubEndpoint::at(options.models_hub.as_deref()).context("--models-hub")?;
    Ok(Fetcher {
        dir,
        hub,
        source: match options.models_source {
            ModelsSource::Hub => Source::Hub,
            ModelsSource::None => Source::None,
        },
    })
}
