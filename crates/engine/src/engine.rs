//! The engine: models shared by all jobs, and the entry points of a transcription.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use slovo_rules::language;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::Transcript;

use crate::cancel::CancelToken;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::event::Event;
use crate::isolation::Client;
use crate::media::{self, MediaInfo};
use crate::peaks::{self, Waveform};
use crate::pool::Pool;
use crate::request::{LanguageChoice, Request};
use crate::shared::Shared;
use crate::speakers::{self, SpeakersEvent, SpeakersRequest, Turn, Voice, VoicesRequest};
use crate::stages::StageTimes;
use crate::stretch;

/// Transcribes files. Clones are cheap and share the models; several threads may run jobs at the
/// same time.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
    /// The process that does the work instead.
    isolated: Option<Arc<Client>>,
}

impl Engine {
    /// Creates an engine. Each model is loaded by the first job that needs it.
    ///
    /// # Errors
    /// Currently never fails; the result is there for future validation of the settings.
    pub fn new(config: EngineConfig) -> Result<Self, EngineError> {
        whisper_rs::install_logging_hooks();
        let pool = Pool::new(config.models_dir.clone(), config.threads, config.gpu);
        let isolated = config.isolation.clone();
        let isolated = isolated.map(|isolation| Arc::new(Client::new(isolation, &config)));
        let shared = Arc::new(Shared {
            config,
            pool,
            times: Mutex::default(),
        });
        Ok(Self { shared, isolated })
    }

    /// The settings that the engine was created with.
    #[must_use]
    pub fn config(&self) -> &EngineConfig {
        &self.shared.config
    }

    /// Unloads all models but these. Running jobs keep theirs until they end.
    pub fn keep_only(&self, ids: &[&str]) {
        match &self.isolated {
            Some(client) => client.keep_only(ids),
            None => self.shared.pool.keep_only(ids),
        }
    }

    /// Unloads the recognition models that no job has used for this long; returns their ids. The
    /// next job that needs one loads it again.
    #[must_use]
    pub fn unload_idle(&self, after: Duration) -> Vec<String> {
        match &self.isolated {
            Some(client) => client.unload_idle(after),
            None => self.shared.pool.unload_idle(after),
        }
    }

    /// The id of the process that does the work, if it is another one and runs.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.isolated.as_ref()?.process_id()
    }

    /// Time spent per stage in this process, summed over all jobs since the engine was created.
    #[must_use]
    pub fn stage_times(&self) -> StageTimes {
        *self
            .shared
            .times
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Transcribes a file, or a stretch of it; blocks until it is done. `events` is called on this
    /// thread.
    ///
    /// # Errors
    /// [`EngineError`], with [`EngineError::NoSpeech`] for a file without speech.
    pub fn transcribe(
        &self,
        request: &Request,
        cancel: &CancelToken,
        events: &mut dyn FnMut(Event),
    ) -> Result<Transcript, EngineError> {
        check(request)?;
        match &self.isolated {
            Some(client) => client.transcribe(request, cancel, events),
            None => stretch::run(&self.shared, request, cancel, events),
        }
    }

    /// Detects the format of a file and checks by decoding its first packet whether it can be
    /// decoded; blocks until it is done.
    ///
    /// # Errors
    /// [`EngineError::Media`] with any reason why the file cannot be transcribed, or another error
    /// that says nothing about the file.
    pub fn probe(&self, input: &Path) -> Result<MediaInfo, EngineError> {
        match &self.isolated {
            Some(client) => client.probe(input),
            None => Ok(media::probe(input, &self.shared.config.limits)?),
        }
    }

    /// Decodes a whole file for its waveform; blocks until it is done. `audio_track` is from 0;
    /// `None` is the file's default track.
    ///
    /// # Errors
    /// [`EngineError`]: the file cannot be used, or it was cancelled.
    pub fn waveform(
        &self,
        input: &Path,
        audio_track: Option<usize>,
        cancel: &CancelToken,
    ) -> Result<Waveform, EngineError> {
        match &self.isolated {
            Some(client) => client.waveform(input, audio_track, cancel),
            None => peaks::waveform(input, audio_track, &self.shared.config.limits, cancel),
        }
    }

    /// Finds who speaks when in a file; blocks until it is done. `events` is called on this thread.
    /// A file without speech has no turns.
    ///
    /// # Errors
    /// [`EngineError`]: the file or a model cannot be used, or it was cancelled.
    pub fn speakers(
        &self,
        request: &SpeakersRequest,
        cancel: &CancelToken,
        events: &mut dyn FnMut(SpeakersEvent),
    ) -> Result<Vec<Turn>, EngineError> {
        match &self.isolated {
            Some(client) => client.speakers(request, cancel, events),
            None => speakers::run(&self.shared, request, cancel, events),
        }
    }

    /// Describes the voices of speakers whose times are known, in the order of the request; blocks
    /// until it is done. `None` for a speaker of whom there is less than
    /// [`VoicesRequest::least_seconds`] of speech.
    ///
    /// # Errors
    /// [`EngineError`]: the file or the model cannot be used, or it was cancelled.
    pub fn voices(
        &self,
        request: &VoicesRequest,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Voice>>, EngineError> {
        match &self.isolated {
            Some(client) => client.voices(request, cancel),
            None => speakers::describe_voices(&self.shared, request, cancel),
        }
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
