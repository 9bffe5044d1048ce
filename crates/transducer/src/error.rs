//! Why a model cannot be loaded, and why audio cannot be recognised.

use std::path::{Path, PathBuf};

/// Why the files of a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file is missing or cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file is not what its name says, or does not fit the other files.
    #[error("{} cannot be used: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl LoadError {
    pub(crate) fn unusable(path: &Path, reason: impl Into<String>) -> Self {
        Self::Unusable {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }

    pub(crate) fn unreadable(path: &Path, error: std::io::Error) -> Self {
        Self::Unreadable {
            path: path.to_owned(),
            error,
        }
    }
}

/// Why audio was not recognised.
#[derive(Debug, thiserror::Error)]
pub enum RecognitionError {
    /// The caller's flag was set.
    #[error("the recognition was cancelled")]
    Cancelled,
    /// The audio is longer than [`crate::MAX_SAMPLES`].
    #[error("the audio is longer than 30 s: {samples} samples")]
    TooLong {
        /// Length of the audio in samples.
        samples: usize,
    },
    /// The network failed, or its result makes no sense.
    #[error("the network failed: {0}")]
    Network(String),
}
