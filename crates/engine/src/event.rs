//! What a running transcription tells.

use serde::{Deserialize, Serialize};
use slovo_rules::removed::Removed;
use slovo_rules::transcript::{Segment, Warning};

/// Something that happened in a running transcription, in the order it happened.
///
/// None of them ends the run: its end is the return of `Engine::transcribe`.
/// `Progress` may be missed without harm, the others may not.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The file could be read. Told once and first.
    Opened {
        /// Container as found by content, for example `mp4`.
        container: String,
        /// Audio codec, for example `aac`.
        codec: String,
        /// Seconds, where the file states them; not to be trusted for limits.
        duration: Option<f64>,
    },
    /// The language, told once, whether it was given or found.
    Language {
        /// Code as in the rules' list.
        code: String,
        /// 0 to 1; 1 where the language was given.
        probability: f32,
    },
    /// How far the run is.
    Progress {
        /// Seconds of the recording that are finished.
        done_seconds: f64,
        /// Seconds of the whole recording, where known.
        total_seconds: Option<f64>,
        /// 0 to 100, never falling; 0 while the length is unknown.
        percent: f32,
        /// Seconds of waiting left at the measured speed; `None` until it is known.
        seconds_left: Option<f32>,
    },
    /// A finished window, to be stored for a later [`crate::Resume`].
    Chunk(ChunkResult),
    /// New segments, in order. Their text is never revised.
    Segments(Vec<Segment>),
    /// What was taken out of the windows since it was told last, in order of time. The
    /// transcript carries it, too; this is all there is of it where nobody speaks.
    Removed(Vec<Removed>),
    /// The shape of the sound, told once when all of it is decoded.
    Peaks {
        /// Seconds of sound.
        seconds: f64,
        /// See [`crate::Peaks`].
        peaks: Vec<u8>,
    },
    /// Something the user should know; the transcript carries it, too.
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
    /// The sample after the window's last.
    pub end_sample: u64,
    /// The words, in order, on the original timeline.
    pub words: Vec<RecognisedWord>,
    /// What was taken out of the window because nobody said it. Chunks that were stored
    /// before it was told have none.
    #[serde(default)]
    pub removed: Vec<Removed>,
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
    /// Whether a space stands before it (not so in Chinese or Japanese).
    pub spaced: bool,
    /// The model's probability for it, 0 to 1.
    pub confidence: f32,
}
