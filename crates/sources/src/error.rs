//! Why a source cannot be read. No error contains an address: its query may be a secret.

use std::io;

use slovo_fetch::FetchError;
use slovo_fetch::post::PostError;

/// Why a source, or a recording there, cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The server must not connect to this address.
    #[error("the address is refused")]
    AddressRefused,
    /// Nobody listens there, or the name or the certificate is wrong.
    #[error("no connection")]
    NoConnection,
    /// No response in time.
    #[error("no answer in time")]
    TimedOut,
    /// The name or the password is wrong, or the account may not read there.
    #[error("not permitted there")]
    Unauthorized,
    /// There is nothing.
    #[error("nothing is there")]
    NotFound,
    /// The server responds with another HTTP status.
    #[error("answered with HTTP {0}")]
    Status(u16),
    /// The response is not a feed.
    #[error("it is not a feed")]
    NotAFeed,
    /// The response is not one of WebDAV.
    #[error("it does not speak WebDAV")]
    NotWebdav,
    /// The response is not one of S3.
    #[error("it does not speak S3")]
    NotS3,
    /// A list is too long to be read.
    #[error("the list is too large")]
    TooLarge,
    /// There are too many recordings or folders.
    #[error("there are too many recordings")]
    TooMany,
    /// The folder is missing.
    #[error("the folder is missing")]
    FolderMissing,
    /// The folder may not be watched.
    #[error("the folder may not be watched")]
    FolderNotAllowed,
    /// There is no room left.
    #[error("no room is left there")]
    Full,
    /// The connection broke, or the file could not be read to its end.
    #[error("it broke off")]
    BrokenOff,
}

impl SourceError {
    /// Its stable name.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AddressRefused => "source_address_refused",
            Self::NoConnection => "source_no_connection",
            Self::TimedOut => "source_timed_out",
            Self::Unauthorized => "source_unauthorized",
            Self::NotFound => "source_not_found",
            Self::Status(_) => "source_refused",
            Self::NotAFeed => "source_not_a_feed",
            Self::NotWebdav => "source_not_webdav",
            Self::NotS3 => "source_not_s3",
            Self::TooLarge => "source_too_large",
            Self::TooMany => "source_too_many",
            Self::FolderMissing => "source_folder_missing",
            Self::FolderNotAllowed => "source_folder_not_allowed",
            Self::Full => "source_full",
            Self::BrokenOff => "source_broken_off",
        }
    }

    /// What more is known, in English.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Status(status) => Some(format!("HTTP {status}")),
            _ => None,
        }
    }

    /// Whether it may be over at the next look.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::NoConnection
            | Self::TimedOut
            | Self::Unauthorized
            | Self::Full
            | Self::BrokenOff => true,
            Self::Status(status) => *status >= 500 || matches!(*status, 408 | 425 | 429),
            _ => false,
        }
    }

    /// The error for a response that is no success.
    pub(crate) const fn of_status(status: u16) -> Self {
        match status {
            401 | 403 | 407 => Self::Unauthorized,
            404 | 410 => Self::NotFound,
            507 => Self::Full,
            status => Self::Status(status),
        }
    }
}

impl From<PostError> for SourceError {
    fn from(error: PostError) -> Self {
        match error {
            PostError::Refused(_) => Self::AddressRefused,
            PostError::TimedOut => Self::TimedOut,
            PostError::NoConnection | PostError::NotHttp => Self::NoConnection,
            PostError::BrokenOff => Self::BrokenOff,
            PostError::TooLong => Self::TooLarge,
        }
    }
}

impl From<FetchError> for SourceError {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Refused(_) => Self::AddressRefused,
            FetchError::Unreachable(silence) => match silence.status {
                Some(status) => Self::of_status(status),
                None => Self::NoConnection,
            },
            FetchError::TooLarge { .. } => Self::TooLarge,
            FetchError::NotMedia { .. }
            | FetchError::NeedsDownloader
            | FetchError::NotPublic
            | FetchError::IsFolder => Self::NotAFeed,
        }
    }
}

/// The error of a folder or a file on the disk.
impl From<io::Error> for SourceError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::FolderMissing,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Self::FolderNotAllowed
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::BrokenOff,
        }
    }
}

impl From<rustix::io::Errno> for SourceError {
    fn from(error: rustix::io::Errno) -> Self {
        io::Error::from(error).into()
    }
}
