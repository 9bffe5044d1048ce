//! A recogniser of either kind, as the pool keeps them.

use std::sync::atomic::AtomicBool;

use super::transducer::TransducerRecognizer;
use super::whisper::WhisperRecognizer;
use super::{RecognitionError, Recognizer, Settings, Token};
use crate::stages::StageTimes;

/// A recogniser of one thread.
pub(crate) enum State {
    /// Whisper.
    Whisper(WhisperRecognizer),
    /// A transducer, with Whisper as fallback for other languages and translations.
    Transducer(TransducerRecognizer),
}

impl State {
    /// Time spent since the last call.
    pub(crate) fn take_times(&mut self) -> StageTimes {
        match self {
            Self::Whisper(state) => state.take_times(),
            Self::Transducer(state) => state.take_times(),
        }
    }

    fn recognizer(&mut self) -> &mut dyn Recognizer {
        match self {
            Self::Whisper(state) => state,
            Self::Transducer(state) => state,
        }
    }
}

impl Recognizer for State {
    fn recognize(
        &mut self,
        samples: &[f32],
        settings: &Settings,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Token>, RecognitionError> {
        self.recognizer().recognize(samples, settings, cancelled)
    }

    fn languages_of_last(&mut self, codes: &[&str]) -> Result<Vec<f32>, RecognitionError> {
        self.recognizer().languages_of_last(codes)
    }

    fn detect_language(
        &mut self,
        samples: &[f32],
        codes: &[&str],
    ) -> Result<Vec<f32>, RecognitionError> {
        self.recognizer().detect_language(samples, codes)
    }

    fn text_likelihood(&mut self, code: &str) -> Result<f64, RecognitionError> {
        self.recognizer().text_likelihood(code)
    }
}
