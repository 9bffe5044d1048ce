//! Recognition of a window, or of a part of it, in one language.

use std::sync::atomic::AtomicBool;

use slovo_rules::language::Language;

use crate::guards::{self, CleanedWords};
use crate::language::codes;
use crate::recognition::{RecognitionError, Recognizer, Settings, Token};
use crate::skipped_speech;
use crate::vad::{SAMPLE_RATE, seconds};
use crate::windows::Window;
use crate::words;

/// whisper.cpp's alignment needs some frames to smooth over: shorter windows are padded
/// with silence to one second.
const SHORTEST: usize = SAMPLE_RATE;

/// Seconds of a passage from its start on in which its language is detected.
const DETECTED: u64 = 8;

/// What was recognised in a window or a part of it.
pub(super) struct RecognisedWindow {
    pub(super) cleaned: CleanedWords,
    /// Mean logarithm of the tokens' probabilities; minus infinity without text, and for text that
    /// repeats itself.
    pub(super) likelihood: f64,
}

/// A recogniser with the window that it recognises.
pub(super) struct Listener<'a, R> {
    pub(super) recognizer: &'a mut R,
    pub(super) settings: &'a Settings,
    /// The languages that may be spoken. Others are neither detected nor tried.
    pub(super) languages: &'a [Language],
    pub(super) stop: &'a AtomicBool,
    /// The whole window.
    pub(super) window: &'a Window,
    /// Its audio.
    pub(super) samples: &'a [f32],
}

impl<R: Recognizer> Listener<'_, R> {
    /// Recognises a part of the window in a language, without invented text.
    pub(super) fn recognise(
        &mut self,
        part: &Window,
        language: &str,
    ) -> Result<RecognisedWindow, RecognitionError> {
        let settings = Settings {
            language: language.to_owned(),
            ..self.settings.clone()
        };
        let samples = self.sound(part.start, part.end);
        let tokens = self.recognizer.recognize(&samples, &settings, self.stop)?;
        let written_in = if settings.translate { "en" } else { language };
        let words = words::from_tokens(&tokens, part, written_in);
        let style = settings.prompts.style_of(language);
        Ok(RecognisedWindow {
            likelihood: likelihood(&tokens),
            cleaned: guards::clean(words, part, style.unwrap_or_default()),
        })
    }

    /// The probability of each language that may be spoken in the part that was recognised last.
    pub(super) fn languages_of_last(&mut self) -> Result<Vec<f32>, RecognitionError> {
        self.recognizer.languages_of_last(&self.codes())
    }

    /// The probability of each language that may be spoken in a passage of the window.
    pub(super) fn detect(&mut self, part: &Window) -> Result<Vec<f32>, RecognitionError> {
        let end = part.end.min(part.start + DETECTED * SAMPLE_RATE as u64);
        let samples = self.sound(part.start, end);
        self.recognizer.detect_language(&samples, &self.codes())
    }

    /// Adds passages of the part that the model skipped in the first pass. `recognise` takes one.
    pub(super) fn fill_gaps(
        &mut self,
        part: &Window,
        cleaned: &mut CleanedWords,
        mut recognise: impl FnMut(&mut Self, &Window) -> Result<CleanedWords, RecognitionError>,
    ) -> Result<(), RecognitionError> {
        skipped_speech::report_unwritten(cleaned, part);
        if self.settings.translate {
            // The words of a translation have no reliable times to find skipped passages by.
            return Ok(());
        }
        for stretch in skipped_speech::stretches(&cleaned.words, part) {
            let mut recognised = recognise(self, &stretch)?;
            skipped_speech::report_unwritten(&mut recognised, &stretch);
            let count = recognised.words.len();
            let inserted = skipped_speech::insert(cleaned, recognised, &stretch);
            tracing::debug!(
                start = seconds(stretch.start),
                end = seconds(stretch.end),
                words = count,
                inserted,
                "a passage without words, heard again"
            );
        }
        Ok(())
    }

    fn codes(&self) -> Vec<&'static str> {
        codes(self.languages)
    }

    /// The audio between two samples of the recording.
    fn sound(&self, start: u64, end: u64) -> Vec<f32> {
        let place = |sample: u64| {
            let offset = sample.saturating_sub(self.window.start) as usize;
            offset.min(self.samples.len())
        };
        let mut samples = self.samples[place(start)..place(end)].to_vec();
        if samples.len() < SHORTEST {
            samples.resize(SHORTEST, 0.0);
        }
        samples
    }
}

fn likelihood(tokens: &[Token]) -> f64 {
    let spoken = || tokens.iter().filter(|token| !token.bytes.is_empty());
    let bytes: Vec<u8> = spoken()
        .flat_map(|token| token.bytes.iter().copied())
        .collect();
    let text = String::from_utf8_lossy(&bytes);
    let count = spoken().count();
    if count == 0 || guards::compression_ratio(text.trim()) > guards::MAX_COMPRESSION {
        return f64::NEG_INFINITY;
    }
    let logarithms = spoken().map(|token| f64::from(token.probability.max(1e-10)).ln());
    logarithms.sum::<f64>() / count as f64
}
