//! Why nothing was fetched. No error of this module contains the URL: its query may be a secret.

use std::time::Duration;

use serde_json::Value;
use slovo_db::jobs::uploads::Fault;

use crate::guard::{Refusal, refusal_in};

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
pub enum FetchError {
    /// The guard refused the address.
    #[error("refused: {0}")]
    Refused(#[from] Refusal),
    /// No response, or one of no use.
    #[error("nothing is answered: {0}")]
    Unreachable(Silence),
    /// The content is not a recording.
    #[error("there is no recording but {found}")]
    NotMedia {
        /// Name of the content type, as the rules name them.
        found: String,
    },
    /// The file exceeds the largest size of a recording.
    #[error("there are too many bytes")]
    TooLarge {
        /// The largest accepted size, in bytes.
        max_bytes: u64,
    },
    /// It is a web page, and yt-dlp is not installed.
    #[error("it is a page, and yt-dlp is not installed")]
    NeedsDownloader,
}

/// Details of a missing or useless response.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
#[error("{what}")]
pub struct Silence {
    /// For the log.
    pub what: String,
    /// Whether a retry may succeed.
    pub passing: bool,
    /// When the server asks for a retry.
    pub retry_after: Option<Duration>,
    /// The HTTP status of the response, if there was one.
    pub status: Option<u16>,
}

impl FetchError {
    /// No response, and a retry would not help.
    pub fn silent(what: impl Into<String>) -> Self {
        Self::Unreachable(Silence {
            what: what.into(),
            passing: false,
            retry_after: None,
            status: None,
        })
    }

    /// No response at present.
    pub fn passing(what: impl Into<String>) -> Self {
        Self::Unreachable(Silence {
            what: what.into(),
            passing: true,
            retry_after: None,
            status: None,
        })
    }

    /// A response that is neither a file nor a redirect.
    pub fn status(status: u16, retry_after: Option<Duration>) -> Self {
        Self::Unreachable(Silence {
            what: format!("answered with {status}"),
            passing: status >= 500 || matches!(status, 408 | 425 | 429),
            retry_after,
            status: Some(status),
        })
    }

    /// The content found, by its name.
    pub fn not_media(found: impl Into<String>) -> Self {
        Self::NotMedia {
            found: found.into(),
        }
    }

    /// For the user: a code and its parameters.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let with = |code: &str, name: &str, value: Value| {
            let mut fault = Fault::new(code);
            fault.params.insert(name.to_owned(), value);
            fault
        };
        match self {
            Self::Refused(Refusal::Redirects) => Fault::new("url_redirects"),
            Self::Refused(_) => Fault::new("url_refused"),
            Self::Unreachable(silence) => match silence.status {
                None => Fault::new("url_unreachable"),
                Some(404 | 410) => Fault::new("url_not_found"),
                Some(status @ (401 | 403 | 407)) => with("url_forbidden", "status", status.into()),
                Some(status @ 500..) => with("url_server_error", "status", status.into()),
                Some(status) => with("url_status", "status", status.into()),
            },
            Self::NotMedia { found } => with("url_not_media", "found", found.as_str().into()),
            Self::TooLarge { max_bytes } => with(
                "url_too_large",
                "max_mb",
                (max_bytes / (1024 * 1024)).into(),
            ),
            Self::NeedsDownloader => Fault::new("url_needs_downloader"),
        }
    }
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        if let Some(refusal) = refusal_in(&error) {
            return refusal.into();
        }
        // The library's message would contain the URL.
        let what = if error.is_timeout() {
            "no answer in time"
        } else if error.is_connect() {
            "no connection"
        } else if error.is_body() || error.is_decode() {
            "the answer broke off"
        } else {
            "the answer is not HTTP"
        };
        Self::passing(what)
    }
}
