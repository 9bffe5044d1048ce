//! An engine whose runs are in another process.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use slovo_rules::transcript::Transcript;

use super::locked;
use super::messages::{Made, Work};
use super::process::{Process, Report};
use crate::cancel::CancelToken;
use crate::config::{EngineConfig, Isolation};
use crate::error::EngineError;
use crate::event::Event;
use crate::media::{MediaError, MediaInfo};
use crate::peaks::Waveform;
use crate::remote::Remote;
use crate::request::Request;
use crate::speakers::{SpeakersEvent, SpeakersRequest, Turn, Voice, VoicesRequest};

/// Sends runs to the engine's process, which is started for the first of them.
pub(crate) struct Client {
    isolation: Isolation,
    config: EngineConfig,
    shared: Mutex<Option<Arc<Process>>>,
}

/// A process of a run; it ends with it if nobody shares it.
struct Place {
    process: Arc<Process>,
    is_own: bool,
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.is_own {
            self.process.close();
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(process) = self.shared().take() {
            process.close();
        }
    }
}

impl Client {
    pub(crate) fn new(isolation: Isolation, config: &EngineConfig) -> Self {
        Self {
            isolation,
            config: config.clone(),
            shared: Mutex::default(),
        }
    }

    pub(crate) fn transcribe(
        &self,
        request: &Request,
        cancel: &CancelToken,
        events: &mut dyn FnMut(Event),
    ) -> Result<Transcript, EngineError> {
        let mut reports = |report| {
            if let Report::Event(event) = report {
                events(event);
            }
        };
        let work = Work::Transcribe(Box::new(request.into()));
        let remote = request.remote.as_ref();
        match self.run_in(request.alone, work, remote, cancel, &mut reports)? {
            Made::Transcript(transcript) => Ok(*transcript),
            _ => Err(unexpected()),
        }
    }

    pub(crate) fn speakers(
        &self,
        request: &SpeakersRequest,
        cancel: &CancelToken,
        events: &mut dyn FnMut(SpeakersEvent),
    ) -> Result<Vec<Turn>, EngineError> {
        let mut reports = |report| {
            if let Report::Percent(percent) = report {
                events(SpeakersEvent::Progress { percent });
            }
        };
        let work = Work::from(request);
        match self.run(work, cancel, &mut reports)? {
            Made::Turns(turns) => Ok(turns),
            _ => Err(unexpected()),
        }
    }

    pub(crate) fn voices(
        &self,
        request: &VoicesRequest,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Voice>>, EngineError> {
        match self.run(request.into(), cancel, &mut |_| {})? {
            Made::Voices(voices) => Ok(voices),
            _ => Err(unexpected()),
        }
    }

    /// A file that crashes a process for it alone, too, is damaged.
    pub(crate) fn probe(&self, input: &Path) -> Result<MediaInfo, EngineError> {
        let crashed = |error: &EngineError| matches!(error, EngineError::Crashed { .. });
        let probed = self.probe_in(false, input);
        if !probed.as_ref().is_err_and(crashed) {
            return probed;
        }
        let probed = self.probe_in(true, input);
        if !probed.as_ref().is_err_and(crashed) {
            return probed;
        }
        let what = "it crashes the decoder".to_owned();
        Err(MediaError::Damaged { what }.into())
    }

    fn probe_in(&self, alone: bool, input: &Path) -> Result<MediaInfo, EngineError> {
        let work = Work::Probe {
            input: input.to_owned(),
        };
        match self.run_in(alone, work, None, &CancelToken::new(), &mut |_| {})? {
            Made::Info(info) => Ok(info),
            _ => Err(unexpected()),
        }
    }

    pub(crate) fn waveform(
        &self,
        input: &Path,
        audio_track: Option<usize>,
        cancel: &CancelToken,
    ) -> Result<Waveform, EngineError> {
        let work = Work::Waveform {
            input: input.to_owned(),
            audio_track,
        };
        match self.run(work, cancel, &mut |_| {})? {
            Made::Waveform(waveform) => Ok(waveform),
            _ => Err(unexpected()),
        }
    }

    pub(crate) fn keep_only(&self, ids: &[&str]) {
        if let Some(process) = &*self.shared() {
            process.keep_only(ids);
        }
    }

    /// Ends the process if its last run ended this long ago; returns the models that were loaded.
    pub(crate) fn unload_idle(&self, after: Duration) -> Vec<String> {
        let mut shared = self.shared();
        let idle = shared
            .as_ref()
            .and_then(|process| process.idle_models(after));
        if idle.is_some()
            && let Some(process) = shared.take()
        {
            process.close();
        }
        idle.unwrap_or_default()
    }

    /// The id of the shared process, if it runs.
    pub(crate) fn process_id(&self) -> Option<u32> {
        let shared = self.shared();
        let alive = shared.as_ref().filter(|process| process.is_alive());
        alive.map(|process| process.id())
    }

    /// Runs in the shared process what needs no engine on another machine.
    fn run(
        &self,
        work: Work,
        cancel: &CancelToken,
        reports: &mut dyn FnMut(Report),
    ) -> Result<Made, EngineError> {
        self.run_in(false, work, None, cancel, reports)
    }

    fn run_in(
        &self,
        alone: bool,
        work: Work,
        remote: Option<&Remote>,
        cancel: &CancelToken,
        reports: &mut dyn FnMut(Report),
    ) -> Result<Made, EngineError> {
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let place = self.place(alone)?;
        let model = work.model(&self.config).map(str::to_owned);
        let result = place.process.run(work, model, remote, cancel, reports);
        if let Err(error @ EngineError::Crashed { .. }) = &result {
            tracing::error!(pid = place.process.id(), alone, %error, "the engine's process ended");
        }
        result
    }

    fn place(&self, alone: bool) -> Result<Place, EngineError> {
        if alone {
            return Ok(Place {
                process: Process::start(&self.isolation, &self.config)?,
                is_own: true,
            });
        }
        let mut shared = self.shared();
        let alive = shared.as_ref().filter(|process| process.is_alive());
        let process = match alive {
            Some(process) => Arc::clone(process),
            None => Process::start(&self.isolation, &self.config)?,
        };
        *shared = Some(Arc::clone(&process));
        Ok(Place {
            process,
            is_own: false,
        })
    }

    fn shared(&self) -> MutexGuard<'_, Option<Arc<Process>>> {
        locked(&self.shared)
    }
}

fn unexpected() -> EngineError {
    EngineError::Recognition("the engine's process made something else".to_owned())
}
