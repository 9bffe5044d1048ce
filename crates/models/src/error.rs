//! Why a model could not be fetched or removed.

use std::io;
use std::path::{Path, PathBuf};

use slovo_model_catalogue::StoreError;

/// Why a model could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// `HF_ENDPOINT` is not a valid URL.
    #[error("HF_ENDPOINT is not an http or https address: {0}")]
    Endpoint(String),
    /// No connection to the hub.
    #[error("the model hub cannot be reached ({0})")]
    Unreachable(String),
    /// The hub responds with an error.
    #[error("the model hub responded with {0}")]
    Refused(u16),
    /// The hub responds with something else.
    #[error("the model hub sent {0} instead of the model")]
    NotAModel(&'static str),
    /// The transfer makes no progress.
    #[error("the transfer failed repeatedly ({0}); run the command again to resume it")]
    BrokenOff(String),
    /// The checksum is wrong, or the models folder is not usable.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// The disk has too little space.
    #[error("{} has too little space: {needed} bytes are needed, {free} are free", path.display())]
    NoRoom {
        /// The models folder.
        path: PathBuf,
        /// Bytes.
        needed: u64,
        /// Bytes.
        free: u64,
    },
    /// The model is not in the folder and downloads are disabled.
    #[error("it is not in {}", .0.display())]
    NotHere(PathBuf),
    /// Another process has the model's lock.
    #[error("it is being pulled by another process")]
    Busy,
    /// The model is not published on a public hub.
    #[error("the model hub does not have this model")]
    NotOnHub,
}

impl PullError {
    /// Whether the hub failed to provide the model, so that another source may help.
    #[must_use]
    pub const fn is_hub_error(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_) | Self::Refused(_) | Self::NotAModel(_) | Self::NotOnHub
        )
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}
