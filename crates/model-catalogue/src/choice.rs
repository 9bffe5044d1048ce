//! The models chosen for the modes, stored in the models folder as `choice.json`.
//!
//! Order of precedence: command-line option or variable, this file, default.

use std::path::Path;

use serde::{Deserialize, Serialize};
use slovo_rules::settings::TranscriptionType;

use super::catalogue::{DEFAULT_FULL, DEFAULT_LITE};
use super::store::{StoreError, write_json};

const FILE: &str = "choice.json";

/// The model chosen for each mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// Model id for Full, if one was chosen.
    pub full: Option<String>,
    /// Model id for Lite, if one was chosen.
    pub lite: Option<String>,
}

impl Choice {
    /// The choice stored in this models folder. If the file is missing or unreadable, nothing is
    /// chosen and the defaults apply.
    #[must_use]
    pub fn load(dir: &Path) -> Self {
        std::fs::read(dir.join(FILE))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// Stores the choice.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn save(&self, dir: &Path) -> Result<(), StoreError> {
        write_json(&dir.join(FILE), self)
    }

    /// This choice, overridden by the values that the other one sets.
    #[must_use]
    pub fn overridden_by(self, other: Self) -> Self {
        Self {
            full: other.full.or(self.full),
            lite: other.lite.or(self.lite),
        }
    }

    /// Id of the model that is used for this mode.
    #[must_use]
    pub fn model(&self, mode: TranscriptionType) -> &str {
        match mode {
            TranscriptionType::Full => self.full.as_deref().unwrap_or(DEFAULT_FULL),
            TranscriptionType::Lite => self.lite.as_deref().unwrap_or(DEFAULT_LITE),
        }
    }

    /// Sets the model of a mode.
    pub fn set(&mut self, mode: TranscriptionType, id: &str) {
        let place = match mode {
            TranscriptionType::Full => &mut self.full,
            TranscriptionType::Lite => &mut self.lite,
        };
        *place = Some(id.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_overrides_the_file_and_the_file_the_default() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(
            Choice::load(dir.path()).model(TranscriptionType::Full),
            DEFAULT_FULL
        );
        let mut choice = Choice::default();
        choice.set(TranscriptionType::Full, "small");
        choice.save(dir.path()).unwrap();
        let stored = Choice::load(dir.path());
        assert_eq!(stored.model(TranscriptionType::Full), "small");
        assert_eq!(stored.model(TranscriptionType::Lite), DEFAULT_LITE);
        let option = Choice {
            full: Some("medium".into()),
            lite: None,
        };
        assert_eq!(
            stored.overridden_by(option).model(TranscriptionType::Full),
            "medium"
        );
    }

    #[test]
    fn a_broken_file_counts_as_no_choice() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FILE), "{\"full\": 3").unwrap();
        assert_eq!(Choice::load(dir.path()), Choice::default());
    }
}
