//! Why a run ends without a text, and what that means for the job.

use slovo_db::uploads::Fault;
use slovo_engine::EngineError;
use slovo_engine::media::MediaError;

/// A failure that ends a run.
#[derive(Debug)]
pub enum Failure {
    /// The lease is lost.
    Lost,
    /// The file or the request is at fault: trying again changes nothing.
    Input(Fault),
    /// Something of ours failed: it may go better the next time.
    Passing(Fault),
    /// The server stops.
    Stopped,
}

impl From<slovo_db::Error> for Failure {
    fn from(error: slovo_db::Error) -> Self {
        tracing::error!(%error, "a job's state could not be read or stored");
        Self::Passing(Fault::new("storage_failed"))
    }
}

impl Failure {
    /// What an engine's error means, while the server stops or not.
    #[must_use]
    pub fn of(error: &EngineError, stopping: bool) -> Self {
        let named = Fault {
            code: error.code().to_owned(),
            params: error.params(),
        };
        match error {
            EngineError::Cancelled if stopping => Self::Stopped,
            EngineError::Cancelled => Self::Lost,
            // What stops the server, such as Ctrl-C, may have stopped a decoder as well.
            EngineError::Media(_) if stopping => Self::Stopped,
            // The file was whole when it was taken in: it is the disk.
            EngineError::Media(MediaError::Io { .. }) => {
                tracing::error!(%error, "a recording cannot be read");
                Self::Passing(Fault::new("io"))
            }
            EngineError::Media(_) => Self::Input(named),
            EngineError::NoSpeech
            | EngineError::ModelMissing { .. }
            | EngineError::ModelUnusable { .. }
            | EngineError::UnsupportedLanguage { .. }
            | EngineError::Unavailable { .. } => {
                tracing::warn!(%error, "a job cannot be done");
                Self::Input(named)
            }
            EngineError::Recognition(_) | EngineError::Io(_) => {
                tracing::error!(%error, "a job failed");
                Self::Passing(named)
            }
        }
    }
}

/// Milliseconds before a job is tried again: 5 s, then 20 s. Long enough for a full disk or a
/// restarting database to be over, short enough that the user still waits.
pub fn backoff_ms(attempts: i64) -> i64 {
    5_000 * 4_i64.pow(u32::try_from(attempts.clamp(1, 6) - 1).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let passing =
            |error: EngineError| matches!(Failure::of(&error, false), Failure::Passing(_));
        assert!(passing(EngineError::Io(
            std::io::ErrorKind::StorageFull.into()
        )));
        assert!(passing(EngineError::Recognition(
            "out of memory".to_owned()
        )));
        assert!(!passing(EngineError::UnsupportedLanguage {
            code: "xx".to_owned()
        }));
        let unreadable = EngineError::Media(MediaError::Io {
            what: "the disk".to_owned(),
        });
        assert!(matches!(Failure::of(&unreadable, true), Failure::Stopped));
        assert!(passing(unreadable));
        assert!(!passing(EngineError::Media(MediaError::NoSamples)));
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
    fn the_wait_grows_and_stays_bounded() {
        assert_eq!([1, 2, 3].map(backoff_ms), [5_000, 20_000, 80_000]);
        assert_eq!(
            (backoff_ms(0), backoff_ms(i64::MAX)),
            (5_000, backoff_ms(6))
        );
    }
}
