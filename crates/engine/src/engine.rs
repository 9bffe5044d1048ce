//! The engine: models shared by all jobs, and the entry to the pipeline.

use std::sync::{Arc, Mutex, PoisonError};

use slovo_rules::language;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::Transcript;

use crate::cancel::CancelToken;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::event::Event;
use crate::pipeline;
use crate::pool::Pool;
use crate::request::{LanguageChoice, Request};
use crate::shared::Shared;
use crate::speakers::{self, SpeakersEvent, SpeakersRequest, Turn};
use crate::stages::StageTimes;

/// Transcribes files. Clones are cheap and share the models; jobs may run at the same
/// time from several threads.
#[derive(Clone)]
pub struct Engine(Arc<Shared>);

impl Engine {
    /// Makes an engine. Models are loaded by the first job that needs them.
    ///
    /// # Errors
    /// None today; reserved for settings that cannot work.
    pub fn new(config: EngineConfig) -> Result<Self, EngineError> {
        whisper_rs::install_logging_hooks();
        let pool = Pool::new(config.models_dir.clone(), config.threads);
        Ok(Self(Arc::new(Shared {
            config,
            pool,
            times: Mutex::default(),
        })))
    }

    /// The settings it was made with.
    #[must_use]
    pub fn config(&self) -> &EngineConfig {
        &self.0.config
    }

    /// Gives up the memory of all models but these. What runs keeps its own until it ends.
    pub fn keep_only(&self, ids: &[&str]) {
        self.0.pool.keep_only(ids);
    }

    /// Time spent by stage, over all jobs since the engine was made.
    #[must_use]
    pub fn stage_times(&self) -> StageTimes {
        *self.0.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Transcribes a file; blocks until it is done. `events` is called on this thread.
    ///
    /// # Errors
    /// [`EngineError`], with [`EngineError::NoSpeech`] for a file in which nobody speaks.
    pub fn transcribe(
        &self,
        request: &Request,
        cancel: &CancelToken,
        events: &mut dyn FnMut(Event),
    ) -> Result<Transcript, EngineError> {
        check(request)?;
        pipeline::run(&self.0, request, cancel, events)
    }

    /// Finds who speaks when in a file; blocks until it is done. `events` is called on
    /// this thread. A file in which nobody speaks has no turns.
    ///
    /// # Errors
    /// [`EngineError`]: the file or a model cannot be used, or it was cancelled.
    pub fn speakers(
        &self,
        request: &SpeakersRequest,
        cancel: &CancelToken,
        events: &mut dyn FnMut(SpeakersEvent),
    ) -> Result<Vec<Turn>, EngineError> {
        speakers::run(&self.0, request, cancel, events)
    }
}

fn check(request: &Request) -> Result<(), EngineError> {
    let lite = request.mode == TranscriptionType::Lite;
    if let LanguageChoice::Code(code) = &request.language
        && !language::offered(request.mode).contains(&code.as_str())
    {
        return Err(EngineError::UnsupportedLanguage { code: code.clone() });
    }
    if lite && request.translate {
        return Err(EngineError::Unavailable {
            feature: "translate",
        });
    }
    Ok(())
}
