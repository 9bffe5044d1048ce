//! The Preferences tab of the settings.

use serde::{Deserialize, Serialize};

use crate::locale::{Locale, Theme};
use crate::settings::{self, TranscriptionSettings};
use crate::valid::Valid;
use crate::violation::{Code, Violations};

/// A user's preferences.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preferences {
    /// Language of the interface and of mails.
    pub locale: Locale,
    /// The colour theme.
    pub theme: Theme,
    /// Whether the user gets a mail when a transcription is completed.
    pub mail_on_completion: bool,
    /// The default settings of a new transcription; without a URL.
    pub settings: TranscriptionSettings,
}

/// Checks preferences.
///
/// # Errors
/// All violations of the settings, with fields below `settings.`.
pub fn validate(preferences: &Preferences) -> Result<Valid<Preferences>, Violations> {
    let mut violations = Violations::new();
    if let Err(broken) = settings::validate_options(&preferences.settings) {
        violations.extend_under("settings", broken);
    }
    if !preferences.settings.url.is_empty() {
        violations.add("settings.url", Code::UnknownField);
    }
    violations.or(|| Valid::new(preferences.clone()))
}
