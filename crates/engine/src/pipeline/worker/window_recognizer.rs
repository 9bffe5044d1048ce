//! Recognition of a window, or of a part of it, in one language.

use std::sync::atomic::AtomicBool;

use slovo_rules::language::Language;

use crate::guards::{self, CleanedWords};
use crate::language::codes;
use crate::passages;
use crate::recognition::{RecognitionError, Recognizer, Settings};
use crate::skipped_speech;
use crate::vad::{SAMPLE_RATE, seconds};
use crate::windows::Window;
use crate::words;

/// whisper.cpp's alignment needs some frames to smooth over: shorter windows are padded
/// with silence to one second.
const SHORTEST: usize = SAMPLE_RATE;

/// Seconds of a passage from its start on in which its language is detected.
const DETECTED: u64 = 8;

/// How much likelier than detection and texts say a language is, as a logarithm: the base model takes
/// short Ukrainian speech for Russian. Measured on passages of 1 to 12 s: with it 111 of 118 in Ukrainian
/// and 43 of 43 in Russian are right, without it 98 and 43, by detection alone 92 and 43.
const DETECTION_BIAS: (Language, f64) = (Language::Uk, 3.0);

/// A recogniser with the window that it recognises.
pub(super) struct WindowRecognizer<'a, R> {
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

impl<R: Recognizer> WindowRecognizer<'_, R> {
    /// Recognises a part of the window in a language, without invented text.
    pub(super) fn recognise(
        &mut self,
        part: &Window,
        language: &str,
    ) -> Result<CleanedWords, RecognitionError> {
        let settings = Settings {
            language: language.to_owned(),
            ..self.settings.clone()
        };
        let samples = sound(self.window, self.samples, part.start, part.end);
        let tokens = self.recognizer.recognize(&samples, &settings, self.stop)?;
        let written_in = if settings.translate { "en" } else { language };
        let words = words::from_tokens(&tokens, part, written_in);
        let style = settings.prompts.style_of(language);
        Ok(guards::clean(words, part, style.unwrap_or_default()))
    }

    /// The same in a language given by its place among those that may be spoken.
    pub(super) fn recognise_in(
        &mut self,
        part: &Window,
        language: usize,
    ) -> Result<CleanedWords, RecognitionError> {
        self.recognise(part, self.languages[language].as_str())
    }

    /// The probability of each language that may be spoken in the part that was recognised last.
    pub(super) fn languages_of_last(&mut self) -> Result<Vec<f32>, RecognitionError> {
        self.recognizer.languages_of_last(&self.codes())
    }

    /// The share of each language that may be spoken in a passage of the window.
    pub(super) fn language_shares(&mut self, part: &Window) -> Result<Vec<f64>, RecognitionError> {
        let end = part.end.min(part.start + DETECTED * SAMPLE_RATE as u64);
        let samples = sound(self.window, self.samples, part.start, end);
        let probabilities = self.recognizer.detect_language(&samples, &self.codes())?;
        self.compare_texts(passages::shares(&probabilities, part.voiced_seconds()))
    }

    /// The same for the part that was recognised last, with so many voiced seconds.
    pub(super) fn language_shares_of_last(
        &mut self,
        voiced_seconds: f64,
    ) -> Result<Vec<f64>, RecognitionError> {
        let probabilities = self.languages_of_last()?;
        self.compare_texts(passages::shares(&probabilities, voiced_seconds))
    }

    /// Unless detection is certain, the likelihoods of the texts decide between the likeliest
    /// languages of the audio that was encoded last.
    fn compare_texts(&mut self, shares: Vec<f64>) -> Result<Vec<f64>, RecognitionError> {
        let mut likelihoods = Vec::new();
        for place in passages::candidates(&shares) {
            let language = self.languages[place];
            let likelihood = self.recognizer.text_likelihood(language.as_str())?;
            let underrated = if language == DETECTION_BIAS.0 {
                DETECTION_BIAS.1
            } else {
                0.0
            };
            likelihoods.push((place, likelihood + underrated));
        }
        if likelihoods.is_empty() {
            return Ok(shares);
        }
        Ok(passages::decided(&shares, &likelihoods))
    }

    fn codes(&self) -> Vec<&'static str> {
        codes(self.languages)
    }
}

/// Adds passages of a part that the model skipped in the first pass. `recognise` takes one. The words
/// of a translation have no reliable times to find such passages by.
pub(super) fn fill_gaps(
    is_translation: bool,
    part: &Window,
    cleaned: &mut CleanedWords,
    mut recognise: impl FnMut(&Window) -> Result<CleanedWords, RecognitionError>,
) -> Result<(), RecognitionError> {
    skipped_speech::report_unwritten(cleaned, part);
    if is_translation {
        return Ok(());
    }
    for stretch in skipped_speech::stretches(&cleaned.words, part) {
        let mut recognised = recognise(&stretch)?;
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

/// The audio of a window between two samples of the recording.
pub(super) fn sound(window: &Window, samples: &[f32], start: u64, end: u64) -> Vec<f32> {
    let place = |sample: u64| {
        let offset = sample.saturating_sub(window.start) as usize;
        offset.min(samples.len())
    };
    let mut samples = samples[place(start)..place(end)].to_vec();
    if samples.len() < SHORTEST {
        samples.resize(SHORTEST, 0.0);
    }
    samples
}
