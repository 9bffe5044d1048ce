//! The engine of recognition and the downloads of its models, built from the configuration.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use slovo_engine::EngineConfig;
use slovo_engine::device::{self, Device};
use slovo_engine::models::{self, Choice};
use slovo_models::{Fetcher, HubEndpoint, Source};
use slovo_rules::settings::TranscriptionType;

use crate::config::{self, Config, GpuChoice, ModelsSource};

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
    engine.gpu = gpu(options.gpu, device::all)?;
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

/// The engine of a server: as configured, in the process that is configured for it.
///
/// # Errors
/// As [`engine_config`].
pub(super) fn serving_engine(config: &Config) -> Result<EngineConfig> {
    let mut engine = engine_config(&config.engine)?;
    engine.isolation = config.engine_process.isolation();
    Ok(engine)
}

/// The number of the GPU for recognition. Lists the devices, which starts their drivers, only if one
/// was asked for by its number.
///
/// # Errors
/// If a GPU was asked for by its number and does not exist, or the program has no backend for GPUs.
fn gpu(choice: GpuChoice, devices: impl FnOnce() -> Vec<Device>) -> Result<Option<u32>> {
    let number = match choice {
        GpuChoice::Auto => return Ok(Some(0)),
        GpuChoice::Off => return Ok(None),
        GpuChoice::Number(number) => number,
    };
    ensure!(
        !device::backends().is_empty(),
        "--gpu {number}: this program was built without a GPU backend; build it with \
         `--features cuda`, `hipblas`, `metal` or `vulkan`"
    );
    let devices = devices();
    let gpus = devices.iter().filter(|device| device.kind.is_gpu());
    let found: Vec<_> = gpus.map(|device| &*device.name).collect();
    ensure!(
        found.len() > number as usize,
        "--gpu {number}: there is no such GPU; found: {}",
        if found.is_empty() {
            "none".to_owned()
        } else {
            found.join(", ")
        }
    );
    Ok(Some(number))
}

/// The device on which Whisper models run in this process.
#[must_use]
pub fn recognition_device(options: &config::Engine) -> Option<Device> {
    let gpu = gpu(options.gpu, device::all).ok()?;
    device::in_use(&device::all(), gpu).cloned()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_does_not_exist_is_refused() {
        assert_eq!(gpu(GpuChoice::Auto, Vec::new).unwrap(), Some(0));
        assert_eq!(gpu(GpuChoice::Off, Vec::new).unwrap(), None);
        let message = gpu(GpuChoice::Number(1), Vec::new).unwrap_err().to_string();
        assert!(message.starts_with("--gpu 1: "), "{message}");
    }
}
