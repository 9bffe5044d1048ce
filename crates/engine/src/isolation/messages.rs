//! What the parent and the engine's process tell each other.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slovo_rules::language::Language;
use slovo_rules::settings::{SpeakerCount, TranscriptionType};
use slovo_rules::transcript::Transcript;

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::event::Event;
use crate::media::{MediaError, MediaInfo};
use crate::models::SPEAKER_EMBEDDING;
use crate::peaks::Waveform;
use crate::remote::{RemoteAudio, RemoteError, RemoteText};
use crate::request::{LanguageChoice, Request, Resume, Stretch};
use crate::speakers::{SpeakersRequest, Turn, Voice, VoicesRequest};

/// Numbers a run within its process.
pub(crate) type RunId = u64;

/// Numbers a question of the engine's process.
pub(crate) type CallId = u64;

/// From the parent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToHost {
    /// The first message.
    Settings {
        config: Box<EngineConfig>,
        /// See [`crate::Isolation::max_memory`].
        max_memory: Option<u64>,
    },
    /// A run begins.
    Run {
        run: RunId,
        work: Box<Work>,
        /// Nice value of its threads.
        nice: i32,
    },
    /// The last event was processed: the run goes on.
    Noted { run: RunId },
    /// The run must end.
    Cancel { run: RunId },
    /// The file that was asked for comes with this message, unless there is an error.
    Input { call: CallId, error: Option<String> },
    /// The answer of the engine on another machine.
    Remote {
        call: CallId,
        answer: Result<RemoteText, RemoteFailure>,
    },
    /// Models other than these are not needed any more.
    KeepOnly { models: Vec<String> },
}

/// From the engine's process.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromHost {
    /// The first message: it is confined, except for these parts.
    Ready { unconfined: Vec<String> },
    /// An event; the run waits until it is noted.
    Event { run: RunId, event: Box<Event> },
    /// The progress of finding speakers, 0 to 100; the run does not wait.
    Percent { run: RunId, percent: f32 },
    /// A run has ended.
    Ended {
        run: RunId,
        result: Result<Made, RunError>,
    },
    /// A run needs this recording.
    Input { call: CallId, path: PathBuf },
    /// A run needs the engine on another machine.
    Remote {
        run: RunId,
        call: CallId,
        question: RemoteQuestion,
    },
}

/// [`RemoteAudio`] in a form that can be sent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoteQuestion {
    samples: Vec<f32>,
    language: Option<Language>,
    translate: bool,
    prompt: String,
}

impl RemoteQuestion {
    pub(crate) fn audio(&self) -> RemoteAudio<'_> {
        RemoteAudio {
            samples: &self.samples,
            language: self.language,
            translate: self.translate,
            prompt: &self.prompt,
        }
    }
}

impl From<&RemoteAudio<'_>> for RemoteQuestion {
    fn from(audio: &RemoteAudio<'_>) -> Self {
        Self {
            samples: audio.samples.to_vec(),
            language: audio.language,
            translate: audio.translate,
            prompt: audio.prompt.to_owned(),
        }
    }
}

/// What a run does.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Work {
    Transcribe(Box<TranscribeWork>),
    Speakers {
        input: PathBuf,
        audio_track: Option<usize>,
        count: Count,
    },
    Voices {
        input: PathBuf,
        audio_track: Option<usize>,
        speakers: Vec<Vec<(f64, f64)>>,
        least_seconds: f64,
    },
    Probe {
        input: PathBuf,
    },
    Waveform {
        input: PathBuf,
        audio_track: Option<usize>,
    },
}

/// [`Request`], whose remote engine stays in the parent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TranscribeWork {
    input: PathBuf,
    mode: TranscriptionType,
    model: Option<String>,
    /// `None` to detect it.
    language: Option<String>,
    languages: Vec<Language>,
    translate: bool,
    words: bool,
    vocabulary: Vec<String>,
    pub(crate) remote: Option<RemoteWork>,
    threads: Option<usize>,
    audio_track: Option<usize>,
    multichannel: bool,
    stretch: Option<Stretch>,
    resume: Resume,
}

/// What a run needs to know of its remote engine.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoteWork {
    pub name: String,
    pub parallel: usize,
    pub falls_back: bool,
}

/// [`SpeakerCount`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Count {
    Found,
    Exactly(usize),
    Between(usize, usize),
}

/// The result of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Made {
    Transcript(Box<Transcript>),
    Turns(Vec<Turn>),
    Voices(Vec<Option<Voice>>),
    Info(MediaInfo),
    Waveform(Waveform),
}

/// Why the engine on another machine gave no text.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum RemoteFailure {
    Cancelled,
    Failed {
        reason: String,
        retry_after: Option<Duration>,
    },
}

/// [`EngineError`] in a form that can be sent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum RunError {
    Media(MediaError),
    NoSpeech,
    ModelMissing {
        id: String,
        path: PathBuf,
    },
    ModelUnusable {
        path: PathBuf,
        reason: String,
    },
    UnsupportedLanguage {
        code: String,
    },
    Cancelled,
    Remote {
        reason: String,
        retry_after: Option<Duration>,
    },
    Recognition(String),
    /// The system's error number, if there is one, and its message.
    Io(Option<i32>, String),
}

impl Work {
    /// The id of the model that it needs, if it needs one that is kept.
    pub(crate) fn model<'a>(&'a self, config: &'a EngineConfig) -> Option<&'a str> {
        match self {
            Self::Transcribe(work) => Some(
                work.model
                    .as_deref()
                    .unwrap_or_else(|| config.model_for(work.mode)),
            ),
            Self::Speakers { .. } | Self::Voices { .. } => Some(SPEAKER_EMBEDDING),
            Self::Probe { .. } | Self::Waveform { .. } => None,
        }
    }

    /// The recording.
    pub(crate) fn input(&self) -> &PathBuf {
        match self {
            Self::Transcribe(work) => &work.input,
            Self::Speakers { input, .. }
            | Self::Voices { input, .. }
            | Self::Probe { input }
            | Self::Waveform { input, .. } => input,
        }
    }
}

impl From<&Request> for TranscribeWork {
    fn from(request: &Request) -> Self {
        let remote = request.remote.as_ref().map(|remote| RemoteWork {
            name: remote.name.clone(),
            parallel: remote.parallel,
            falls_back: remote.falls_back,
        });
        Self {
            input: request.input.clone(),
            mode: request.mode,
            model: request.model.clone(),
            language: match &request.language {
                LanguageChoice::Auto => None,
                LanguageChoice::Code(code) => Some(code.clone()),
            },
            languages: request.languages.languages().collect(),
            translate: request.translate,
            words: request.words,
            vocabulary: request.vocabulary.clone(),
            remote,
            threads: request.threads,
            audio_track: request.audio_track,
            multichannel: request.multichannel,
            stretch: request.stretch,
            resume: request.resume.clone(),
        }
    }
}

impl From<TranscribeWork> for Request {
    fn from(work: TranscribeWork) -> Self {
        Self {
            input: work.input,
            mode: work.mode,
            model: work.model,
            language: work
                .language
                .map_or(LanguageChoice::Auto, LanguageChoice::Code),
            languages: work.languages.into_iter().collect(),
            translate: work.translate,
            words: work.words,
            vocabulary: work.vocabulary,
            remote: None,
            threads: work.threads,
            audio_track: work.audio_track,
            multichannel: work.multichannel,
            stretch: work.stretch,
            resume: work.resume,
            alone: false,
        }
    }
}

impl From<&SpeakersRequest> for Work {
    fn from(request: &SpeakersRequest) -> Self {
        Self::Speakers {
            input: request.input.clone(),
            audio_track: request.audio_track,
            count: match request.count {
                SpeakerCount::Found => Count::Found,
                SpeakerCount::Exactly(count) => Count::Exactly(count),
                SpeakerCount::Between(least, most) => Count::Between(least, most),
            },
        }
    }
}

impl From<Count> for SpeakerCount {
    fn from(count: Count) -> Self {
        match count {
            Count::Found => Self::Found,
            Count::Exactly(count) => Self::Exactly(count),
            Count::Between(least, most) => Self::Between(least, most),
        }
    }
}

impl From<&VoicesRequest> for Work {
    fn from(request: &VoicesRequest) -> Self {
        Self::Voices {
            input: request.input.clone(),
            audio_track: request.audio_track,
            speakers: request.speakers.clone(),
            least_seconds: request.least_seconds,
        }
    }
}

impl From<EngineError> for RunError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Media(error) => Self::Media(error),
            EngineError::NoSpeech => Self::NoSpeech,
            EngineError::ModelMissing { id, path } => Self::ModelMissing { id, path },
            EngineError::ModelUnusable { path, reason } => Self::ModelUnusable { path, reason },
            EngineError::UnsupportedLanguage { code } => Self::UnsupportedLanguage { code },
            EngineError::Cancelled => Self::Cancelled,
            EngineError::Remote {
                reason,
                retry_after,
            } => Self::Remote {
                reason: reason.to_owned(),
                retry_after,
            },
            EngineError::Io(error) => Self::Io(error.raw_os_error(), error.to_string()),
            EngineError::Recognition(reason) => Self::Recognition(reason),
            // The parent refuses what is not available before it asks, and here is no other process.
            error @ (EngineError::Unavailable { .. } | EngineError::Crashed { .. }) => {
                Self::Recognition(error.to_string())
            }
        }
    }
}

impl From<RunError> for EngineError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Media(error) => Self::Media(error),
            RunError::NoSpeech => Self::NoSpeech,
            RunError::ModelMissing { id, path } => Self::ModelMissing { id, path },
            RunError::ModelUnusable { path, reason } => Self::ModelUnusable { path, reason },
            RunError::UnsupportedLanguage { code } => Self::UnsupportedLanguage { code },
            RunError::Cancelled => Self::Cancelled,
            RunError::Remote {
                reason,
                retry_after,
            } => Self::Remote {
                reason: interned(reason),
                retry_after,
            },
            RunError::Recognition(reason) => Self::Recognition(reason),
            RunError::Io(Some(number), _) => std::io::Error::from_raw_os_error(number).into(),
            RunError::Io(None, message) => std::io::Error::other(message).into(),
        }
    }
}

impl From<RemoteError> for RemoteFailure {
    fn from(error: RemoteError) -> Self {
        match error {
            RemoteError::Cancelled => Self::Cancelled,
            RemoteError::Failed {
                reason,
                retry_after,
            } => Self::Failed {
                reason: reason.to_owned(),
                retry_after,
            },
        }
    }
}

impl From<RemoteFailure> for RemoteError {
    fn from(failure: RemoteFailure) -> Self {
        match failure {
            RemoteFailure::Cancelled => Self::Cancelled,
            RemoteFailure::Failed {
                reason,
                retry_after,
            } => Self::Failed {
                reason: interned(reason),
                retry_after,
            },
        }
    }
}

/// Codes are constants of the program that crossed to another process and back; there are few.
fn interned(code: String) -> &'static str {
    static CODES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = codes.get(code.as_str()) {
        return known;
    }
    let code: &'static str = code.leak();
    codes.insert(code);
    code
}
