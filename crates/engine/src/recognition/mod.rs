//! Recognition of one window: the interface, and its implementations with whisper.cpp and with
//! transducers.

mod doubt;
mod likelihood;
pub(crate) mod script;
pub(crate) mod state;
pub(crate) mod transducer;
mod watch;
pub(crate) mod whisper;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use whisper_rs::WhisperError;

use crate::error::EngineError;
use crate::prompts::Prompts;
use crate::remote::RemoteError;

/// Settings for all windows of a job.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Language code as in whisper.cpp.
    pub language: String,
    /// Translate to English, whatever language is spoken.
    pub translate: bool,
    /// The prompts of the job.
    pub prompts: Arc<Prompts>,
    /// The vocabulary for an engine elsewhere; may be empty.
    pub remote_prompt: String,
    /// Beam width; 1 is greedy.
    pub beam: usize,
}

/// A token of text from the model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    /// UTF-8 bytes, which may end within a character. Empty: a pause until `end`.
    pub bytes: Vec<u8>,
    /// End of the token in seconds from the start of the window.
    pub end: f64,
    /// Probability of the token, 0 to 1.
    pub probability: f32,
}

/// Why a window was not recognised.
#[derive(Debug)]
pub(crate) enum RecognitionError {
    /// The job was cancelled.
    Cancelled,
    /// The model failed, with the reason.
    Failed(String),
    /// The engine on another machine failed.
    Remote {
        /// See [`RemoteError::Failed`].
        reason: &'static str,
        /// The delay that it asked for.
        retry_after: Option<Duration>,
    },
}

impl From<RemoteError> for RecognitionError {
    fn from(error: RemoteError) -> Self {
        match error {
            RemoteError::Cancelled => Self::Cancelled,
            RemoteError::Failed {
                reason,
                retry_after,
            } => Self::Remote {
                reason,
                retry_after,
            },
        }
    }
}

impl From<RecognitionError> for EngineError {
    fn from(error: RecognitionError) -> Self {
        match error {
            RecognitionError::Cancelled => Self::Cancelled,
            RecognitionError::Failed(reason) => Self::Recognition(reason),
            RecognitionError::Remote {
                reason,
                retry_after,
            } => Self::Remote {
                reason,
                retry_after,
            },
        }
    }
}

fn failed(error: &WhisperError) -> RecognitionError {
    RecognitionError::Failed(error.to_string())
}

/// Turns audio into tokens. Implemented by [`whisper::WhisperRecognizer`],
/// [`transducer::TransducerRecognizer`] and by test doubles.
pub(crate) trait Recognizer {
    /// Recognises up to 30 s of 16 kHz audio.
    fn recognize(
        &mut self,
        samples: &[f32],
        settings: &Settings,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Token>, RecognitionError>;

    /// The probability of each language in the audio recognised last, in the order of `codes`.
    /// Costs one decoder step; after a transducer also Whisper's encoder.
    fn languages_of_last(&mut self, codes: &[&str]) -> Result<Vec<f32>, RecognitionError>;

    /// The same for other audio, which is encoded for it.
    fn detect_language(
        &mut self,
        samples: &[f32],
        codes: &[&str],
    ) -> Result<Vec<f32>, RecognitionError>;

    /// How likely the audio that was encoded last is in a language: the logarithm of the probability
    /// of its likeliest text, of which the beginning counts. Below 0; very low for text that repeats
    /// itself. It costs up to 40 steps of the decoder.
    fn text_likelihood(&mut self, code: &str) -> Result<f64, RecognitionError>;
}
