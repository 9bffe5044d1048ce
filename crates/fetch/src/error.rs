//! Why nothing was fetched. No error of this module contains the URL: its query may be a secret.

use std::time::Duration;

use serde_json::Value;
use slovo_rules::codes::ProblemCode;
use slovo_rules::media::Fault;

use crate::guard::{GuardRefusal, refusal_in};

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
pub enum FetchError {
    /// The guard refused the address.
    #[error("refused: {0}")]
    Refused(#[from] GuardRefusal),
    /// No response, or one of no use.
    #[error("no usable response: {0}")]
    Unreachable(Silence),
    /// The content is not a recording.
    #[error("the content is {found}, not a recording")]
    NotMedia {
        /// Name of the content type, as the rules name them.
        found: String,
    },
    /// The file exceeds the largest size of a recording.
    #[error("the file is too large")]
    TooLarge {
        /// The largest accepted size, in bytes.
        max_bytes: u64,
    },
    /// It is a web page, and yt-dlp is not installed.
    #[error("it is a web page, and yt-dlp is not installed")]
    NeedsDownloader,
    /// A shared link opens a page instead of the file.
    #[error("the shared file is not public")]
    NotPublic,
    /// A shared link opens a folder.
    #[error("the link shares a folder")]
    IsFolder,
}

/// Details of a missing or useless response.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
#[error("{what}")]
pub struct Silence {
    /// For the log.
    pub what: String,
    /// Whether a retry may succeed.
    pub transient: bool,
    /// When the server asks for a retry.
    pub retry_after: Option<Duration>,
    /// The HTTP status of the response, if there was one.
    pub status: Option<u16>,
}

impl FetchError {
    /// No response, and a retry would not help.
    pub fn silent(reason: impl Into<String>) -> Self {
        Self::Unreachable(Silence {
            what: reason.into(),
            transient: false,
            retry_after: None,
            status: None,
        })
    }

    /// No response at present.
    pub fn transient(reason: impl Into<String>) -> Self {
        Self::Unreachable(Silence {
            what: reason.into(),
            transient: true,
            retry_after: None,
            status: None,
        })
    }

    /// A response that is neither a file nor a redirect.
    pub fn status(status: u16, retry_after: Option<Duration>) -> Self {
        Self::Unreachable(Silence {
            what: format!("answered with {status}"),
            transient: status >= 500 || matches!(status, 408 | 425 | 429),
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

    /// For the user: a code, whose text is in the locale files. Jobs store it, so it is one of
    /// `slovo_rules::codes::JOB_FAULTS`, too.
    #[must_use]
    pub const fn code(&self) -> ProblemCode {
        match self {
            Self::Refused(GuardRefusal::Redirects) => ProblemCode::UrlRedirects,
            Self::Refused(_) => ProblemCode::UrlRefused,
            Self::Unreachable(silence) => match silence.status {
                None => ProblemCode::UrlUnreachable,
                Some(404 | 410) => ProblemCode::UrlNotFound,
                Some(401 | 403 | 407) => ProblemCode::UrlForbidden,
                Some(500..) => ProblemCode::UrlServerError,
                Some(_) => ProblemCode::UrlStatus,
            },
            Self::NotMedia { .. } => ProblemCode::UrlNotMedia,
            Self::TooLarge { .. } => ProblemCode::UrlTooLarge,
            Self::NeedsDownloader => ProblemCode::UrlNeedsDownloader,
            Self::NotPublic => ProblemCode::UrlNotPublic,
            Self::IsFolder => ProblemCode::UrlIsFolder,
        }
    }

    /// For the user: the code and its parameters.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let code = self.code();
        let mut fault = Fault::new(code.as_str());
        let param: Option<(&str, Value)> = match self {
            Self::Unreachable(silence) => match (code, silence.status) {
                (ProblemCode::UrlNotFound, _) | (_, None) => None,
                (_, Some(status)) => Some(("status", status.into())),
            },
            Self::NotMedia { found } => Some(("found", found.as_str().into())),
            Self::TooLarge { max_bytes } => Some(("max_mb", (max_bytes / (1024 * 1024)).into())),
            Self::Refused(_) | Self::NeedsDownloader | Self::NotPublic | Self::IsFolder => None,
        };
        if let Some((name, value)) = param {
            fault.params.insert(name.to_owned(), value);
        }
        fault
    }
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        if let Some(refusal) = refusal_in(&error) {
            return refusal.into();
        }
        // The library's message would contain the URL.
        let reason = if error.is_timeout() {
            "no answer in time"
        } else if error.is_connect() {
            "no connection"
        } else if error.is_body() || error.is_decode() {
            "the answer broke off"
        } else {
            "the answer is not HTTP"
        };
        Self::transient(reason)
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::codes::JOB_FAULTS;

    use super::*;

    /// A job with this fault shows its text under `job` of the locale files.
    #[test]
    fn every_error_code_is_a_known_job_fault() {
        let with_status = |status| FetchError::status(status, None);
        let errors: [FetchError; 12] = [
            GuardRefusal::Redirects.into(),
            GuardRefusal::Address.into(),
            FetchError::silent("nothing"),
            with_status(404),
            with_status(403),
            with_status(503),
            with_status(418),
            FetchError::not_media("html"),
            FetchError::TooLarge { max_bytes: 1 },
            FetchError::NeedsDownloader,
            FetchError::NotPublic,
            FetchError::IsFolder,
        ];
        let codes: Vec<_> = errors.iter().map(|error| error.code().as_str()).collect();
        let urls = ProblemCode::ALL.iter().map(|code| code.as_str());
        // That one is about a setting of the server, not about a URL.
        let urls = urls.filter(|code| code.starts_with("url_") && *code != "url_fetch_off");
        let (mut found, mut all) = (codes.clone(), urls.collect::<Vec<_>>());
        found.sort_unstable();
        all.sort_unstable();
        assert_eq!(found, all, "each code is of one of these errors");
        for (error, code) in errors.iter().zip(codes) {
            assert!(JOB_FAULTS.contains(&code), "{code}");
            assert_eq!(error.fault().code, code);
        }
    }
}
