//! Attempts, as processes tell each other of them.

use std::fmt;
use std::str::FromStr;

use super::table::Limit;

/// Attempts that other processes are told of, as a word without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempts {
    pub(super) limit: Limit,
    /// The hash of what is limited.
    pub(super) key: u64,
    pub(super) count: u32,
}

impl fmt::Display for Attempts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, key, count } = self;
        write!(f, "{}:{key:x}:{count}", limit.name())
    }
}

/// A word that is none of [`Attempts`], or of a limit that this version does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAttempts;

impl FromStr for Attempts {
    type Err = NoAttempts;

    fn from_str(word: &str) -> Result<Self, NoAttempts> {
        let mut parts = word.split(':');
        let mut next = || parts.next().ok_or(NoAttempts);
        let name = next()?;
        let limit = Limit::ALL.iter().find(|limit| limit.name() == name);
        let attempts = Self {
            limit: *limit.ok_or(NoAttempts)?,
            key: u64::from_str_radix(next()?, 16).map_err(|_| NoAttempts)?,
            count: next()?.parse().map_err(|_| NoAttempts)?,
        };
        match parts.next() {
            None => Ok(attempts),
            Some(_) => Err(NoAttempts),
        }
    }
}
