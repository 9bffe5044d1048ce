//! What a pull reports while it runs.

use serde::Serialize;
use utoipa::ToSchema;

/// What a pull is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelStep)]
pub enum Step {
    /// Another pull of this model has the lock.
    Waiting,
    /// The model is being downloaded.
    Downloading,
    /// The checksum is computed.
    Verifying,
}

impl Step {
    /// In words, for the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting for another pull of this model",
            Self::Downloading => "downloading",
            Self::Verifying => "verifying",
        }
    }
}

/// Progress of a pull.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// The current step.
    Step(Step),
    /// Bytes of the current transfer.
    Bytes {
        /// Bytes so far.
        done: u64,
        /// Total bytes, if known.
        total: Option<u64>,
    },
    /// A message about a problem that the pull recovers from.
    Note(&'a str),
}
