//! Flags that cancel a running transcription.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cancellation flag shared between the caller and the run.
///
/// Clones share the flag. The run checks it between blocks of audio and, through whisper.cpp's
/// abort callback, within a window, so it stops well within a second.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the run to stop. This cannot be undone.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether [`Self::cancel`] was called on this token or a clone of it.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The reasons to end a job early: its caller cancelled it, or one of its parts has ended.
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

    /// Asks all parts of the job to end.
    pub(crate) fn set(&self) {
        self.ended.store(true, Ordering::Release);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.cancel.is_cancelled() || self.ended.load(Ordering::Acquire)
    }

    /// The flag of [`Self::set`] alone, for code that takes a plain flag. It does not cover the
    /// caller's token.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopping_one_job_leaves_the_shared_token_and_other_jobs_alone() {
        let token = CancelToken::new();
        let (job, other) = (Stop::new(&token), Stop::new(&token));
        job.set();
        assert!(job.clone().is_set());
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
