//! A transducer behind the [`Recognizer`] interface. A Whisper model is the fallback for other
//! languages and translations, and detects the language.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use slovo_transducer::{FRAME_SECONDS, Files, Piece, Transducer};

use super::script;
use super::{RecognitionError, Recognizer, Settings, Token};
use crate::models;
use crate::recognition::whisper::WhisperRecognizer;
use crate::stages::StageTimes;

/// A loaded transducer and what is known about it.
pub(crate) struct TransducerModel {
    transducer: Transducer,
    languages: &'static [&'static str],
}

impl TransducerModel {
    /// Loads a transducer. The caller has checked that its files exist.
    ///
    /// # Errors
    /// The reason, which names the file.
    pub(crate) fn load(folder: &Path, known: &models::Transducer) -> Result<Self, String> {
        let [encoder, decoder, vocabulary] = known.files.map(|file| folder.join(file.name));
        let files = Files {
            encoder,
            decoder,
            vocabulary,
        };
        let transducer = Transducer::load(&files).map_err(|error| error.to_string())?;
        tracing::info!(
            model = known.id,
            licence = known.licence,
            quality = known.note(),
            "a transducer was loaded"
        );
        Ok(Self {
            transducer,
            languages: known.languages,
        })
    }

    /// A recogniser for one thread, with a Whisper recogniser as fallback.
    pub(crate) fn recognizer<W>(self: &Arc<Self>, whisper: W) -> TransducerRecognizer<W> {
        TransducerRecognizer {
            model: Arc::clone(self),
            whisper,
            last: None,
            times: StageTimes::default(),
        }
    }

    /// The tokens of audio.
    fn recognize(
        &self,
        samples: &[f32],
        cancelled: &AtomicBool,
        times: &mut StageTimes,
    ) -> Result<Vec<Token>, slovo_transducer::RecognitionError> {
        let started = Instant::now();
        let features = self.transducer.features(samples)?;
        times.mel += started.elapsed();
        let started = Instant::now();
        let encoded = self.transducer.encode(&features)?;
        times.encoder += started.elapsed();
        let started = Instant::now();
        let pieces = self.transducer.decode(&encoded, cancelled)?;
        times.decoder += started.elapsed();
        Ok(tokens(&pieces, |token| {
            self.transducer.vocabulary().text(token)
        }))
    }
}

/// Tokens as whisper.cpp gives them: each ends where the next begins, unless there is a pause.
fn tokens(pieces: &[Piece], text: impl Fn(u32) -> String) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(pieces.len());
    let mut previous_end = 0.0;
    for piece in pieces {
        let bytes = text(piece.token).into_bytes();
        if bytes.is_empty() {
            continue;
        }
        let start = f64::from(piece.frame) * FRAME_SECONDS;
        if start > previous_end {
            tokens.push(Token {
                bytes: Vec::new(),
                end: start,
                probability: 1.0,
            });
        }
        let end = f64::from(piece.frame + piece.frames) * FRAME_SECONDS;
        previous_end = end.max(previous_end);
        tokens.push(Token {
            bytes,
            end: previous_end,
            probability: piece.log_probability.exp(),
        });
    }
    tokens
}

/// A transducer with Whisper as fallback.
pub(crate) struct TransducerRecognizer<W = WhisperRecognizer> {
    model: Arc<TransducerModel>,
    whisper: W,
    /// The samples recognised last (16 kHz); `None` if Whisper has encoded them.
    last: Option<Vec<f32>>,
    times: StageTimes,
}

impl TransducerRecognizer {
    /// Time spent since the last call.
    pub(crate) fn take_times(&mut self) -> StageTimes {
        let mut times = std::mem::take(&mut self.times);
        times += self.whisper.take_times();
        times
    }
}

impl<W: Recognizer> Recognizer for TransducerRecognizer<W> {
    fn recognize(
        &mut self,
        samples: &[f32],
        settings: &Settings,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Token>, RecognitionError> {
        let language = settings.language.as_str();
        if !settings.translate && self.model.languages.contains(&language) {
            let tokens = self
                .model
                .recognize(samples, cancelled, &mut self.times)
                .map_err(failed)?;
            let bytes = tokens.iter().flat_map(|token| token.bytes.iter().copied());
            let text = String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned();
            if script::fits(&text, language) {
                self.last = Some(samples.to_vec());
                return Ok(tokens);
            }
            tracing::debug!(
                language,
                "the text is in another language; Whisper recognises the window again"
            );
        }
        self.last = None;
        self.whisper.recognize(samples, settings, cancelled)
    }

    fn languages_of_last(&mut self, codes: &[&str]) -> Result<Vec<f32>, RecognitionError> {
        match self.last.take() {
            Some(samples) => self.detect_language(&samples, codes),
            None => self.whisper.languages_of_last(codes),
        }
    }

    fn detect_language(
        &mut self,
        samples: &[f32],
        codes: &[&str],
    ) -> Result<Vec<f32>, RecognitionError> {
        // From here on, Whisper's state holds the audio that was heard last.
        self.last = None;
        self.whisper.detect_language(samples, codes)
    }

    fn text_likelihood(&mut self, code: &str) -> Result<f64, RecognitionError> {
        if let Some(samples) = self.last.take() {
            // Whisper has not encoded it yet.
            self.whisper.detect_language(&samples, &[code])?;
        }
        self.whisper.text_likelihood(code)
    }
}

fn failed(error: slovo_transducer::RecognitionError) -> RecognitionError {
    match error {
        slovo_transducer::RecognitionError::Cancelled => RecognitionError::Cancelled,
        other => RecognitionError::Failed(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;
    use crate::windows::Window;
    use crate::words;

    #[test]
    fn words_begin_where_the_transducer_says() {
        let texts = [" при", "віт", "", " світ", "."];
        let piece = |token: u32, frame: u32, frames: u32| Piece {
            token,
            frame,
            frames,
            log_probability: -0.1,
        };
        let pieces = [
            piece(0, 5, 2),
            piece(1, 7, 3),
            piece(2, 12, 4),
            piece(3, 50, 5),
            piece(4, 55, 0),
        ];
        let tokens = tokens(&pieces, |token| texts[token as usize].to_owned());
        let ends: Vec<f64> = tokens.iter().map(|token| token.end).collect();
        assert_eq!(ends, [0.4, 0.56, 0.8, 4.0, 4.4, 4.4]);
        assert!((tokens[1].probability - (-0.1_f32).exp()).abs() < 1e-6);

        let rate = crate::vad::SAMPLE_RATE as u64;
        let window = Window {
            index: 0,
            start: 0,
            end: 6 * rate,
            voiced: vec![(0, 6 * rate)],
            forced_start: None,
            forced_end: false,
        };
        let words = words::from_tokens(&tokens, &window, "uk");
        let found: Vec<_> = words
            .iter()
            .map(|word| (word.text.as_str(), word.start))
            .collect();
        assert_eq!(found, [("привіт", 0.4), ("світ.", 4.0)]);
    }

    #[test]
    fn a_folder_without_the_files_says_which_is_missing() {
        let folder = tempfile::tempdir().expect("a folder");
        let pool = Pool::new(folder.path().to_owned(), 1, None);
        let error = pool.file("parakeet-tdt-0.6b-v3").expect_err("an error");
        let text = error.to_string();
        assert!(text.contains("encoder-model.int8.onnx") && text.contains("docs/transducers.md"));
        let running = AtomicBool::new(false);
        assert!(pool.lease("parakeet-tdt-0.6b-v3", &running).is_err());
    }

    /// Its weights are made, so its text says nothing; it is in Cyrillic.
    fn made_model(languages: &'static [&'static str]) -> TransducerModel {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../transducer/tests/reference/rnnt");
        let known = models::find_transducer("stt_ua_fastconformer_hybrid_large_pc");
        let model = TransducerModel::load(&folder, known.expect("it is known")).expect("a model");
        TransducerModel { languages, ..model }
    }

    fn noise() -> Vec<f32> {
        (0..48_000_u32)
            .map(|place| (place.wrapping_mul(2_654_435_761) >> 16) as f32 / 65_536.0 - 0.5)
            .collect()
    }

    /// Counts what it is asked for.
    #[derive(Default)]
    struct Whisper {
        recognised: usize,
        asked_of_last: usize,
        encoded: usize,
    }

    impl Recognizer for Whisper {
        fn recognize(
            &mut self,
            _samples: &[f32],
            _settings: &Settings,
            _cancelled: &AtomicBool,
        ) -> Result<Vec<Token>, RecognitionError> {
            self.recognised += 1;
            Ok(Vec::new())
        }

        fn languages_of_last(&mut self, codes: &[&str]) -> Result<Vec<f32>, RecognitionError> {
            self.asked_of_last += 1;
            Ok(vec![0.0; codes.len()])
        }

        fn detect_language(
            &mut self,
            _samples: &[f32],
            codes: &[&str],
        ) -> Result<Vec<f32>, RecognitionError> {
            self.encoded += 1;
            Ok(vec![1.0; codes.len()])
        }

        fn text_likelihood(&mut self, _code: &str) -> Result<f64, RecognitionError> {
            Ok(-1.0)
        }
    }

    #[test]
    fn whisper_takes_other_languages_translations_and_texts_in_another_language() {
        let model = Arc::new(made_model(&["uk", "en"]));
        let mut recognizer = model.recognizer(Whisper::default());
        let samples = noise();
        let mut whisper_did = |language: &str, translate: bool| {
            let settings = Settings {
                language: language.to_owned(),
                translate,
                ..Settings::default()
            };
            let before = recognizer.whisper.recognised;
            let running = AtomicBool::new(false);
            let tokens = recognizer.recognize(&samples, &settings, &running);
            let is_empty = tokens.expect("tokens").is_empty();
            let did = recognizer.whisper.recognised > before;
            assert_eq!(is_empty, did);
            // Whisper hears the audio that the transducer recognised only when it is asked.
            let of_last = recognizer.languages_of_last(&["uk"]).expect("a language");
            assert_eq!(of_last, [if did { 0.0 } else { 1.0 }]);
            did
        };
        assert!(!whisper_did("uk", false));
        assert!(whisper_did("uk", true), "a translation");
        assert!(whisper_did("ja", false), "a language it does not have");
        assert!(whisper_did("en", false), "its text is in Cyrillic");
        assert_eq!(recognizer.whisper.asked_of_last, 3);
    }

    #[test]
    fn whisper_encodes_audio_of_the_transducer_once_before_it_compares_languages() {
        let model = Arc::new(made_model(&["uk"]));
        let mut recognizer = model.recognizer(Whisper::default());
        let settings = Settings {
            language: "uk".to_owned(),
            ..Settings::default()
        };
        let running = AtomicBool::new(false);
        let tokens = recognizer.recognize(&noise(), &settings, &running);
        assert!(!tokens.expect("tokens").is_empty());
        for code in ["uk", "ru"] {
            let likelihood = recognizer.text_likelihood(code).expect("a likelihood");
            assert!((likelihood - -1.0).abs() < 1e-9);
        }
        assert_eq!(recognizer.whisper.encoded, 1);
    }

    #[test]
    fn a_model_is_loaded_from_its_folder_and_gives_tokens_in_order() {
        let model = made_model(&["uk"]);
        let samples = noise();
        let mut times = StageTimes::default();
        let running = AtomicBool::new(false);
        let tokens = model.recognize(&samples, &running, &mut times);
        let tokens = tokens.expect("tokens");
        assert!(!tokens.is_empty());
        assert!(tokens.windows(2).all(|pair| pair[0].end <= pair[1].end));
        assert!(
            tokens
                .iter()
                .all(|token| (0.0..=1.0).contains(&token.probability))
        );
        assert!(tokens.last().is_some_and(|token| token.end <= 3.1));
        assert!(times.encoder > std::time::Duration::ZERO);
    }
}
