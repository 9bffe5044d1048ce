//! The flag by which a running transcription is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared between the one who cancels and the run that is cancelled.
///
/// Clones share the flag. The run looks at it between blocks of audio and, through
/// whisper.cpp's abort callback, inside a window: it stops well within a second.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the run to stop. It cannot be taken back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether [`Self::cancel`] was called on this token or a clone of it.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What ends a job before its time: its caller's token, or that a part of it has ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    cancel: CancelToken,
    ended: Arc<AtomicBool>,
}

impl Stop {
    pub(crate) fn new(cancel: &CancelToken) -> Self {
        Self {
            cancel: cancel.clone(),
            ended: Arc::default(),
        }
    }

    /// Tells all parts of the job to end.
    pub(crate) fn set(&self) {
        self.ended.store(true, Ordering::Release);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.cancel.is_cancelled() || self.ended.load(Ordering::Acquire)
    }

    /// The flag of [`Self::set`] alone, for what knows only flags.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_stops_by_its_token_or_by_itself_and_leaves_the_token_alone() {
        let token = CancelToken::new();
        let (one, other) = (Stop::new(&token), Stop::new(&token));
        one.set();
        assert!(one.clone().is_set());
        assert!(!other.is_set() && !token.is_cancelled());
        token.cancel();
        assert!(other.is_set());
    }

    #[test]
    fn clones_share_the_flag() {
        let token = CancelToken::new();
        let clone = token.clone();
        assert!(!clone.is_cancelled());
        token.cancel();
        assert!(clone.is_cancelled());
    }
}
