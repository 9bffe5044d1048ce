//! Validated values.

use std::ops::Deref;

/// A value that has passed its rules. Only this crate can construct one, so a function that takes
/// `Valid<T>` cannot get unvalidated input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valid<T>(T);

impl<T> Valid<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself, which can then be changed and no longer counts as validated.
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
