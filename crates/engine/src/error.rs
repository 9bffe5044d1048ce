//! Why a transcription did not come to its end.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::media::MediaError;

/// The reason a transcription stopped without a transcript.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The file cannot be used: damaged, unknown, too long, without sound.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// The file is readable and nobody speaks in it.
    #[error("no speech was found in the recording")]
    NoSpeech,
    /// The model file is not in the models folder.
    #[error("the model {id} is missing: {} does not exist (run `slovo models pull {id}`)", path.display())]
    ModelMissing {
        /// Model id.
        id: String,
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The model file is there and whisper.cpp cannot load it.
    #[error("the model file {} cannot be loaded: {reason}", path.display())]
    ModelUnusable {
        /// The file.
        path: PathBuf,
        /// What whisper.cpp or the reader said.
        reason: String,
    },
    /// The language is not one that the chosen mode knows.
    #[error("the language {code:?} is not known to this mode")]
    UnsupportedLanguage {
        /// The code as asked for.
        code: String,
    },
    /// The request contradicts itself or the mode.
    #[error("{feature} is not available in this mode")]
    Unavailable {
        /// What was asked for.
        feature: &'static str,
    },
    /// [`crate::CancelToken::cancel`] was called.
    #[error("the transcription was cancelled")]
    Cancelled,
    /// whisper.cpp failed inside.
    #[error("recognition failed: {0}")]
    Recognition(String),
    /// A file of ours could not be read or written.
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
            Self::Recognition(_) => "recognition_failed",
            Self::Io(_) => "io",
        }
    }

    /// What the code's text names, by parameter.
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
            Self::NoSpeech | Self::Cancelled | Self::Recognition(_) | Self::Io(_) => {
                BTreeMap::new()
            }
        }
    }
}
