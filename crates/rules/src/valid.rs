//! The proof that a value has passed its rules.

use std::ops::Deref;

/// A value that has passed its rules. Only this crate makes one, so a function that takes
/// `Valid<T>` cannot be given unchecked input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valid<T>(T);

impl<T> Valid<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself; it may be changed from here on, so the proof is gone.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Valid<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
