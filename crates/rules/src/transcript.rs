//! The transcript as exchanged between engine, database, server and browser.
//!
//! Times are seconds from the start of the original recording, rounded to milliseconds when
//! serialised.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::mode::TranscriptionType;
use crate::removed::Removed;

pub use crate::seconds::rounded;

/// Number of colours for speakers, which are numbered from 0: more can't be told apart in both
/// themes and by colour-blind readers.
pub const SPEAKER_COLORS: u8 = 8;

/// A whole transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Transcript {
    /// Language of the speech, as set or detected (ISO 639-1).
    pub language: String,
    /// Length of the recording in seconds.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub duration: f64,
    /// Mode of recognition.
    pub mode: TranscriptionType,
    /// Id of the model.
    pub model: String,
    /// The segments, in order of time.
    pub segments: Vec<Segment>,
    /// Warnings about the result.
    pub warnings: Vec<Warning>,
    /// Passages that the engine removed because nobody said them, in order of time.
    #[serde(default)]
    pub removed: Vec<Removed>,
}

/// Roughly a sentence, said by one speaker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Segment {
    /// Position in the transcript, from 0.
    pub index: u32,
    /// Start in seconds.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub start: f64,
    /// End in seconds, not before `start`.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub end: f64,
    /// `SPEAKER_n`; null if speakers were not requested.
    #[cfg_attr(feature = "wasm", tsify(type = "string | null"))]
    pub speaker: Option<String>,
    /// Language of its speech (ISO 639-1); null or absent if it is that of the transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub language: Option<String>,
    /// The sentence.
    pub text: String,
    /// Its words with their times; empty unless requested.
    pub words: Vec<Word>,
}

impl Segment {
    /// The language of its speech, in a transcript of this language.
    #[must_use]
    pub fn language_or<'a>(&'a self, transcript: &'a str) -> &'a str {
        language_or(self.language.as_deref(), transcript)
    }
}

/// The language of a segment with this language of its own, in a transcript of that language.
#[must_use]
pub fn language_or<'a>(own: Option<&'a str>, transcript: &'a str) -> &'a str {
    own.filter(|code| !code.is_empty()).unwrap_or(transcript)
}

/// Gives every segment its language, in a transcript of this language; where that is unknown
/// (empty), a segment without a language stays without.
pub fn fill_languages<'a>(
    languages: impl IntoIterator<Item = &'a mut Option<String>>,
    transcript: &str,
) {
    for language in languages {
        let code = language_or(language.as_deref(), transcript);
        let known = (!code.is_empty()).then(|| code.to_owned());
        *language = known;
    }
}

/// One word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Word {
    /// Start in seconds.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub start: f64,
    /// End in seconds, not before `start`.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub end: f64,
    /// The word with its punctuation.
    pub text: String,
    /// The model's confidence, 0 to 1.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub confidence: f64,
}

/// A word is uncertain if the model's confidence is below this, in percent.
pub const UNSURE_BELOW_PERCENT: u32 = 50;

impl Word {
    /// Whether the word is uncertain. Words written or confirmed by a person never are.
    #[must_use]
    pub fn is_unsure(&self) -> bool {
        rounded(self.confidence) < f64::from(UNSURE_BELOW_PERCENT) / 100.0
    }
}

/// A warning about a result, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Warning {
    /// Stable snake_case code; the text comes from the locale files.
    pub code: String,
    /// Figures and names for the text: strings and numbers only.
    #[cfg_attr(feature = "wasm", tsify(type = "Record<string, string | number>"))]
    pub params: BTreeMap<String, Value>,
}

impl Warning {
    /// A warning without parameters.
    pub fn new(code: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            params: BTreeMap::new(),
        }
    }

    /// Adds a parameter for the text.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }
}

/// The stored name of the speaker with this number, from 0.
#[must_use]
pub fn speaker_name(number: usize) -> String {
    format!("SPEAKER_{number}")
}

/// The number in `SPEAKER_n`; displayed as `S{n+1}`.
#[must_use]
pub fn speaker_number(speaker: &str) -> Option<u32> {
    let digits = speaker.strip_prefix("SPEAKER_")?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        digits.parse().ok()
    } else {
        None
    }
}

/// The short label of a speaker: `S{n+1}` for `SPEAKER_n`, any other name unchanged.
#[must_use]
pub fn speaker_label(speaker: &str) -> String {
    speaker_number(speaker).map_or_else(
        || speaker.to_owned(),
        |number| format!("S{}", u64::from(number) + 1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_without_a_language_has_that_of_its_transcript() {
        assert_eq!(language_or(None, "uk"), "uk");
        assert_eq!(language_or(Some(""), "uk"), "uk");
        assert_eq!(language_or(Some("ru"), "uk"), "ru");
        assert_eq!(language_or(None, ""), "");
    }

    #[test]
    fn filled_languages_are_known_ones() {
        let filled = |transcript| {
            let mut languages = [None, Some(String::new()), Some("ru".to_owned())];
            fill_languages(&mut languages, transcript);
            languages
        };
        let (uk, ru) = (Some("uk".to_owned()), Some("ru".to_owned()));
        assert_eq!(filled("uk"), [uk.clone(), uk, ru.clone()]);
        assert_eq!(filled(""), [None, None, ru]);
    }
}
