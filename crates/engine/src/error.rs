//! Why a transcription failed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::media::MediaError;

/// Why a transcription ended without a transcript.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The file cannot be used: damaged, of an unknown format, too long, or without audio.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// The file is readable but contains no speech.
    #[error("no speech was found in the recording")]
    NoSpeech,
    /// The model file is not in the models folder.
    #[error("the model {id} is missing: {} does not exist (run `slovo models pull {id}`)", path.display())]
    ModelMissing {
        /// Model id.
        id: String,
        /// The path where it was expected.
        path: PathBuf,
    },
    /// The model file exists but cannot be loaded, or the folder of a transducer lacks a file.
    #[error("the model file {} cannot be loaded: {reason}", path.display())]
    ModelUnusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The language is not supported in the chosen mode.
    #[error("the language {code:?} is not known to this mode")]
    UnsupportedLanguage {
        /// The requested code.
        code: String,
    },
    /// The request contradicts itself or the mode.
    #[error("{feature} is not available in this mode")]
    Unavailable {
        /// The requested feature.
        feature: &'static str,
    },
    /// [`crate::CancelToken::cancel`] was called.
    #[error("the transcription was cancelled")]
    Cancelled,
    /// whisper.cpp reported a failure.
    #[error("recognition failed: {0}")]
    Recognition(String),
    /// The engine on another machine failed, see [`crate::RemoteError`].
    #[error("the speech endpoint failed: {reason}")]
    Remote {
        /// A stable `snake_case` code.
        reason: &'static str,
        /// The delay that it asked for.
        retry_after: Option<Duration>,
    },
    /// The engine's process ended before the run, see [`crate::isolation`]. The run itself or
    /// another one may be the cause.
    #[error("the engine's process ended: {how}")]
    Crashed {
        /// Its exit status or signal.
        how: String,
    },
    /// A file of the engine's own could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl EngineError {
    /// A stable `snake_case` code, the same for the command line, the API and the texts.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Media(error) => error.code(),
            Self::NoSpeech => "no_speech",
            Self::ModelMissing { .. } => "model_missing",
            Self::ModelUnusable { .. } => "model_unusable",
            Self::UnsupportedLanguage { .. } => "unsupported_language",
            Self::Unavailable { .. } => "feature_unavailable",
            Self::Cancelled => "cancelled",
            Self::Recognition(_) | Self::Crashed { .. } => "recognition_failed",
            Self::Remote { .. } => "speech_endpoint_failed",
            Self::Io(_) => "io",
        }
    }

    /// The parameters of the code's message, by name.
    #[must_use]
    pub fn params(&self) -> BTreeMap<String, Value> {
        let pair = |key: &str, value: &str| BTreeMap::from([(key.to_owned(), Value::from(value))]);
        match self {
            Self::Media(error) => error.params(),
            Self::ModelMissing { id, .. } => pair("model", id),
            Self::ModelUnusable { path, .. } => pair(
                "file",
                &path.file_name().unwrap_or_default().to_string_lossy(),
            ),
            Self::UnsupportedLanguage { code } => pair("language", code),
            Self::Unavailable { feature } => pair("feature", feature),
            Self::Remote { reason, .. } => pair("reason", reason),
            Self::NoSpeech
            | Self::Cancelled
            | Self::Recognition(_)
            | Self::Crashed { .. }
            | Self::Io(_) => BTreeMap::new(),
        }
    }
}
