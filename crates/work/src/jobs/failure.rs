//! Why a run ends without a text, and the consequence for the job.

use std::io::{self, ErrorKind};
use std::time::Duration;

use slovo_engine::EngineError;
use slovo_engine::media::MediaError;

use slovo_fetch::FetchError;
use slovo_platform::disk::is_full;
use slovo_rules::media::Fault;

/// The code of a recording that is gone.
pub(super) const RECORDING_MISSING: &str = "recording_missing";

/// A failure that ends a run.
#[derive(Debug)]
pub enum Failure {
    /// The lease is lost.
    Lost,
    /// The file or the request is at fault: retrying does not help.
    Input(Fault),
    /// An error of this server: retrying may help.
    Transient(Fault),
    /// An external server's error: retrying may help, and it is not our failure.
    External {
        /// The job's error if the retries fail, too.
        fault: Fault,
        /// The retry delay that the server asked for.
        retry_after: Option<Duration>,
    },
    /// The disk is full, or the object store does not answer: the job waits, without a time limit.
    NoStorage,
    /// The server stops.
    Stopped,
}

impl From<slovo_db::Error> for Failure {
    fn from(error: slovo_db::Error) -> Self {
        tracing::error!(%error, "a job's state could not be read or stored");
        match error {
            slovo_db::Error::Full(_) => Self::NoStorage,
            _ => Self::Transient(Fault::new("storage_failed")),
        }
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        let fault = error.fault();
        match error {
            FetchError::Unreachable(silence) if silence.transient => Self::External {
                fault,
                retry_after: silence.retry_after,
            },
            _ => Self::Input(fault),
        }
    }
}

impl Failure {
    /// The input has this fault, without parameters.
    pub fn input(code: &str) -> Self {
        Self::Input(Fault::new(code))
    }

    /// A recording that was complete cannot be opened.
    #[must_use]
    pub fn of_recording(error: &io::Error) -> Self {
        tracing::error!(%error, "a recording cannot be opened");
        match error.kind() {
            // The disk is at fault.
            ErrorKind::NotFound => Self::Transient(Fault::new("io")),
            _ => Self::NoStorage,
        }
    }

    /// The recording of a text cannot be opened: it may be gone.
    #[must_use]
    pub fn of_missing_recording(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::input(RECORDING_MISSING),
            _ => Self::of_recording(error),
        }
    }

    /// Maps an engine's error; `stopping` is whether the server is shutting down.
    #[must_use]
    pub fn of(error: &EngineError, stopping: bool) -> Self {
        let fault = Fault {
            code: error.code().to_owned(),
            params: error.params(),
        };
        match error {
            EngineError::Cancelled if stopping => Self::Stopped,
            EngineError::Cancelled => Self::Lost,
            // The signal that stops the server, such as Ctrl-C, may have ended a decoder as well.
            EngineError::Media(_) if stopping => Self::Stopped,
            // The file was complete when it was accepted: the disk is at fault.
            EngineError::Media(MediaError::Io { .. }) => {
                tracing::error!(%error, "a recording cannot be read");
                Self::Transient(Fault::new("io"))
            }
            EngineError::Media(_)
            | EngineError::NoSpeech
            | EngineError::ModelMissing { .. }
            | EngineError::ModelUnusable { .. }
            | EngineError::UnsupportedLanguage { .. }
            | EngineError::Unavailable { .. } => {
                tracing::warn!(%error, "a job cannot be processed");
                Self::Input(fault)
            }
            EngineError::Io(io) if is_full(io) => {
                tracing::error!(%error, "the disk has no space for a job");
                Self::NoStorage
            }
            EngineError::Remote { retry_after, .. } => {
                tracing::warn!(%error, "a job was not recognised elsewhere");
                Self::External {
                    fault,
                    retry_after: *retry_after,
                }
            }
            EngineError::Crashed { .. } if stopping => Self::Stopped,
            EngineError::Recognition(_) | EngineError::Crashed { .. } | EngineError::Io(_) => {
                tracing::error!(%error, "a job failed");
                Self::Transient(fault)
            }
        }
    }
}

/// Delay before a job checks for disk space again, in milliseconds.
pub const NO_ROOM_MS: i64 = 5_000;

/// Longest retry delay that an external server may ask for: for longer ones the job fails, so that
/// the user knows.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(10 * 60);

/// Delay before a request to an external server is retried, in milliseconds; `None` if it is too
/// long.
pub fn external_backoff_ms(attempts: i64, retry_after: Option<Duration>) -> Option<i64> {
    let requested = retry_after.unwrap_or_default();
    let requested = (requested <= MAX_RETRY_AFTER).then_some(requested)?;
    let requested = i64::try_from(requested.as_millis()).ok()?;
    Some(requested.max(backoff_ms(attempts)))
}

/// Delay before a retry in milliseconds: 5 s, then 20 s. Long enough for a full disk or a database
/// restart to pass, short enough for a waiting user.
pub fn backoff_ms(attempts: i64) -> i64 {
    5_000 * 4_i64.pow(u32::try_from(attempts.clamp(1, 6) - 1).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temporary_failures_are_retried() {
        let transient =
            |error: EngineError| matches!(Failure::of(&error, false), Failure::Transient(_));
        assert!(transient(EngineError::Io(ErrorKind::TimedOut.into())));
        let full = EngineError::Io(ErrorKind::StorageFull.into());
        assert!(matches!(Failure::of(&full, false), Failure::NoStorage));
        assert!(transient(EngineError::Recognition(
            "out of memory".to_owned()
        )));
        let crashed = || EngineError::Crashed {
            how: "signal: 11 (SIGSEGV)".to_owned(),
        };
        assert!(transient(crashed()));
        assert!(matches!(Failure::of(&crashed(), true), Failure::Stopped));
        assert!(!transient(EngineError::UnsupportedLanguage {
            code: "xx".to_owned()
        }));
        let unreadable = EngineError::Media(MediaError::Io {
            what: "the disk".to_owned(),
        });
        assert!(matches!(Failure::of(&unreadable, true), Failure::Stopped));
        assert!(transient(unreadable));
        assert!(!transient(EngineError::Media(MediaError::NoSamples)));
        assert!(matches!(
            Failure::of(&EngineError::Cancelled, true),
            Failure::Stopped
        ));
        assert!(matches!(
            Failure::of(&EngineError::Cancelled, false),
            Failure::Lost
        ));
    }

    #[test]
    fn retry_after_of_another_server_is_respected_up_to_a_limit() {
        let seconds = |n| Some(Duration::from_secs(n));
        assert_eq!(external_backoff_ms(1, None), Some(5_000));
        assert_eq!(external_backoff_ms(1, seconds(1)), Some(5_000));
        assert_eq!(external_backoff_ms(1, seconds(60)), Some(60_000));
        assert_eq!(external_backoff_ms(1, seconds(86_400)), None);
    }

    #[test]
    fn the_backoff_grows_and_is_bounded() {
        assert_eq!([1, 2, 3].map(backoff_ms), [5_000, 20_000, 80_000]);
        assert_eq!(
            (backoff_ms(0), backoff_ms(i64::MAX)),
            (5_000, backoff_ms(6))
        );
    }
}
