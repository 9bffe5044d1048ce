//! Why an analysis failed.

use std::time::Duration;

/// Why an engine gave no result. The messages contain neither secrets nor parts of the recording.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The analysis was stopped.
    #[error("stopped")]
    Stopped,
    /// The engine does not support this part, or not in this language.
    #[error("the engine does not do this")]
    Unsupported,
    /// There is nothing to analyse.
    #[error("the text is empty")]
    EmptyText,
    /// The embedded model is missing or damaged.
    #[error("the model cannot be used: {0}")]
    Model(String),
    /// The endpoint cannot be reached or timed out; can be retried.
    #[error("the endpoint does not answer: {0}")]
    Unreachable(String),
    /// The endpoint is busy; can be retried after a while.
    #[error("the endpoint is busy")]
    Busy {
        /// The time that it asked for.
        retry_after: Option<Duration>,
    },
    /// The endpoint refuses the key, the model or the request. Retrying does not help.
    #[error("the endpoint refuses with status {status}")]
    Refused {
        /// HTTP status.
        status: u16,
    },
    /// The answer was cut off or is still invalid after retries.
    #[error("the answer cannot be used: {0}")]
    BadAnswer(&'static str),
}

impl AnalysisError {
    /// Stable code, stored with the part; the locale files have its text.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Stopped => "analysis_stopped",
            Self::Unsupported => "analysis_unsupported",
            Self::EmptyText => "analysis_empty_text",
            Self::Model(_) => "analysis_model_unusable",
            Self::Unreachable(_) => "analysis_unreachable",
            Self::Busy { .. } => "analysis_busy",
            Self::Refused { .. } => "analysis_refused",
            Self::BadAnswer(_) => "analysis_bad_answer",
        }
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_) | Self::Busy { .. } | Self::BadAnswer(_)
        )
    }
}
