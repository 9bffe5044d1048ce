//! Recognition by an engine on another machine. Windows are cut and cleaned here as for a local
//! model; only their text comes from elsewhere.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slovo_rules::language::Language;

/// An engine on another machine. It decides itself how often to try again.
pub trait RemoteEngine: Send + Sync {
    /// The text of a part of a recording; blocks until it is there.
    ///
    /// # Errors
    /// [`RemoteError::Cancelled`] soon after `stop` is set, else why there is no text.
    fn recognise(
        &self,
        audio: &RemoteAudio<'_>,
        stop: &AtomicBool,
    ) -> Result<RemoteText, RemoteError>;
}

/// A part of a recording.
#[derive(Clone, Copy, Debug)]
pub struct RemoteAudio<'a> {
    /// Mono, 16 kHz, -1 to 1; up to 30 s.
    pub samples: &'a [f32],
    /// The language spoken; `None` to detect it.
    pub language: Option<Language>,
    /// Translate the text to English.
    pub translate: bool,
    /// Names and terms to prefer, most important first, separated by commas; may be empty.
    pub prompt: &'a str,
}

/// A text, with as many times as the other engine gives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemoteText {
    /// The language, if the other engine names one of ours.
    pub language: Option<Language>,
    /// Whether it names another language than ours.
    pub is_other_language: bool,
    /// The whole text with its punctuation.
    pub text: String,
    /// Its segments; may be empty.
    pub segments: Vec<TimedText>,
    /// Its words, with or without punctuation; may be empty.
    pub words: Vec<TimedText>,
}

/// A word or a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedText {
    /// Its text.
    pub text: String,
    /// Seconds from the start of the part, from 0.
    pub start: f64,
    /// Seconds, not before `start`.
    pub end: f64,
    /// 0 to 1; `None` if the other engine does not state it.
    pub confidence: Option<f32>,
}

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The other engine does not answer, or not with a text, and trying again did not help.
    #[error("the speech endpoint failed: {reason}")]
    Failed {
        /// A stable `snake_case` code.
        reason: &'static str,
        /// The delay that the other engine asked for.
        retry_after: Option<Duration>,
    },
}

/// The engine elsewhere that recognises a recording.
#[derive(Clone)]
pub struct Remote {
    /// The engine.
    pub engine: Arc<dyn RemoteEngine>,
    /// The name stored with the text in place of a model's.
    pub name: String,
    /// Parts sent at the same time, at least 1.
    pub parallel: usize,
    /// Recognise the rest with the request's own model once the other engine has failed.
    pub falls_back: bool,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("name", &self.name)
            .field("parallel", &self.parallel)
            .field("falls_back", &self.falls_back)
            .finish_non_exhaustive()
    }
}
