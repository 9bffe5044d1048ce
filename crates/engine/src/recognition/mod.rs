//! Recognising one window: the interface, and whisper.cpp behind it.

mod doubt;
mod watch;
pub(crate) mod whisper;

use std::sync::atomic::AtomicBool;

use crate::error::EngineError;

/// What holds for all windows of a job.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Language code as whisper.cpp knows it.
    pub language: String,
    /// English text whatever is spoken.
    pub translate: bool,
    /// Prompt tokens with the job's vocabulary; may be empty.
    pub prompt: Vec<i32>,
    /// Hypotheses followed at once; 1 is greedy.
    pub beam: usize,
}

/// A piece of text as the model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    /// UTF-8, possibly only a part of a character.
    pub bytes: Vec<u8>,
    /// Seconds from the window's beginning at which the token ends.
    pub end: f64,
    /// Probability of the token, 0 to 1.
    pub probability: f32,
}

/// Why a window was not recognised.
#[derive(Debug)]
pub(crate) enum RecognitionError {
    /// The job's flag was set.
    Cancelled,
    /// whisper.cpp failed, with its reason.
    Failed(String),
}

impl From<RecognitionError> for EngineError {
    fn from(error: RecognitionError) -> Self {
        match error {
            RecognitionError::Cancelled => Self::Cancelled,
            RecognitionError::Failed(reason) => Self::Recognition(reason),
        }
    }
}

/// Something that turns sound into tokens. Real: [`whisper::WhisperRecognizer`].
pub(crate) trait Recognizer {
    /// Recognises up to 30 s of 16 kHz sound.
    fn recognize(
        &mut self,
        samples: &[f32],
        settings: &Settings,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Token>, RecognitionError>;

    /// How probable each language is, in the order of `codes`.
    fn detect_language(
        &mut self,
        samples: &[f32],
        codes: &[&str],
    ) -> Result<Vec<f32>, RecognitionError>;
}
