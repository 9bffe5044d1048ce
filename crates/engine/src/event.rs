//! Events of a running transcription.

use serde::{Deserialize, Serialize};
use slovo_rules::language::Language;
use slovo_rules::removed::Removed;
use slovo_rules::transcript::{Segment, Warning};

/// An event of a running transcription; events are reported in the order in which they happen.
///
/// No event marks the end of the run: it ends when `Engine::transcribe` returns. A consumer may
/// drop `Progress` events, but no others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The file could be read. Reported once, before all other events.
    Opened {
        /// Container as found by content, for example `mp4`.
        container: String,
        /// Audio codec, for example `aac`.
        codec: String,
        /// Seconds, if the file states them; not reliable enough for limits.
        duration: Option<f64>,
    },
    /// The language, reported early, whether it was requested or detected; reported again at the end
    /// if most of the text is in another.
    Language {
        /// One of the language codes of the rules.
        code: String,
        /// 0 to 1; 1 if the language was requested.
        probability: f32,
    },
    /// How far the run has got.
    Progress {
        /// Seconds of the recording that are finished.
        done_seconds: f64,
        /// Seconds of the whole recording, if known.
        total_seconds: Option<f64>,
        /// 0 to 100, never decreasing; 0 while the length is unknown.
        percent: f32,
        /// Estimated seconds until the end at the speed so far; `None` until there is an estimate.
        seconds_left: Option<f32>,
    },
    /// A finished window, to be stored for a later [`crate::Resume`].
    Chunk(ChunkResult),
    /// New segments, in order. Their text is never revised.
    Segments(Vec<Segment>),
    /// Text removed from the windows since the last such event, in order of time. The transcript
    /// lists it as well; a recording without speech has no transcript, so there these events are
    /// the only report.
    Removed(Vec<Removed>),
    /// The waveform, reported once when the whole recording is decoded.
    Peaks {
        /// Length of the audio in seconds.
        seconds: f64,
        /// See [`crate::Peaks`].
        peaks: Vec<u8>,
    },
    /// A warning for the user; the transcript lists it as well.
    Warning(Warning),
}

/// What was recognised in one window of voiced sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChunkResult {
    /// Number of the window, from 0.
    pub index: usize,
    /// First sample of the window, at 16 kHz, in the original recording. With
    /// `end_sample` it proves that a stored result belongs to this window.
    pub start_sample: u64,
    /// The end of the window, exclusive.
    pub end_sample: u64,
    /// The words, in order, on the original timeline.
    pub words: Vec<RecognisedWord>,
    /// Text that was removed from the window because it was not spoken. Chunks stored by releases
    /// without this field have none.
    #[serde(default)]
    pub removed: Vec<Removed>,
    /// Whether the model recognised it because the engine elsewhere had failed.
    #[serde(default)]
    pub fell_back: bool,
}

/// A recognised word with its time in the original recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecognisedWord {
    /// Seconds.
    pub start: f64,
    /// Seconds, at least `start`.
    pub end: f64,
    /// The word with its punctuation and without spaces around it.
    pub text: String,
    /// Whether a space precedes it (not in Chinese or Japanese).
    pub spaced: bool,
    /// The model's probability for it, 0 to 1.
    pub confidence: f32,
    /// The language that was spoken, if it was detected for the passage; `None` if the language of
    /// the recording was given, and in chunks of releases without this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
}
