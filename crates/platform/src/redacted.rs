//! Secrets of other services, such as tokens and passwords: a log shows `…` instead of the value.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// A secret that `Debug` does not show.
#[derive(Clone)]
pub struct Redacted(String);

impl Redacted {
    /// The value itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Redacted {
    fn from(value: String) -> Self {
        Self(value)
    }
}

impl FromStr for Redacted {
    type Err = Infallible;

    fn from_str(value: &str) -> Result<Self, Self::Err> {
        Ok(Self(value.to_owned()))
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_the_value() {
        let secret = Redacted::from("hunter2".to_owned());
        assert_eq!(secret.expose(), "hunter2");
        assert_eq!(format!("{secret:?}"), "…");
    }
}
