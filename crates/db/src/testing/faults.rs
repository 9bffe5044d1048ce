//! A database that fails at a chosen step, to see what a caller makes of it.

use std::sync::{Mutex, PoisonError};

use crate::{Error, Result};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The database cannot be reached: whatever asks for it fails.
    Unreachable,
    /// Its disk is full: reading goes on, writing fails.
    Full,
}

/// The failure planned for a database, shared by its clones.
#[derive(Debug, Default)]
pub struct Faults(Mutex<Option<Planned>>);

#[derive(Debug)]
struct Planned {
    failure: Failure,
    /// Steps that still succeed.
    left: usize,
    has_failed: bool,
}

impl Faults {
    /// From now on `after` steps succeed, and all later ones fail until [`Faults::end`]. A step is a
    /// connection for reading, the begin of a transaction for writing, or its commit; with a full
    /// disk only the latter two.
    pub fn fail_after(&self, failure: Failure, after: usize) {
        *self.planned() = Some(Planned {
            failure,
            left: after,
            has_failed: false,
        });
    }

    /// Ends the failure. Returns whether a step has failed.
    pub fn end(&self) -> bool {
        self.planned()
            .take()
            .is_some_and(|planned| planned.has_failed)
    }

    pub(crate) fn before_read(&self) -> Result<()> {
        self.step(false)
    }

    pub(crate) fn before_write(&self) -> Result<()> {
        self.step(true)
    }

    fn step(&self, is_write: bool) -> Result<()> {
        let mut planned = self.planned();
        let Some(planned) = planned.as_mut() else {
            return Ok(());
        };
        if planned.failure == Failure::Full && !is_write {
            return Ok(());
        }
        if let Some(left) = planned.left.checked_sub(1) {
            planned.left = left;
            return Ok(());
        }
        planned.has_failed = true;
        let cause = sqlx::Error::Protocol("the test wants it to fail".into());
        Err(match planned.failure {
            Failure::Unreachable => Error::Unreachable(cause),
            Failure::Full => Error::Full(cause),
        })
    }

    fn planned(&self) -> std::sync::MutexGuard<'_, Option<Planned>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
