use std::sync::atomic::AtomicBool;

use slovo_rules::language::{LANGUAGES, Language};

use super::*;
use crate::recognition::{Settings, Token};
use crate::vad::SAMPLE_RATE;

/// A speaker of Ukrainian (samples of 0.1) and English (0.2). A text in a language that was not
/// spoken is a guess.
#[derive(Default)]
struct Bilingual {
    /// Languages and seconds of the recognised audio.
    calls: Vec<(String, usize)>,
    detected: usize,
    /// Languages whose texts were compared.
    compared: Vec<String>,
    last: Vec<f32>,
    /// The probability with which the spoken language is found.
    certainty: f32,
}

impl Bilingual {
    fn certain(certainty: f32) -> Self {
        Self {
            certainty,
            ..Self::default()
        }
    }

    /// The share of voiced samples that are English.
    fn english(samples: &[f32]) -> f32 {
        let count = |level: f32| {
            let near = samples
                .iter()
                .filter(|sample| (**sample - level).abs() < 0.01);
            near.count() as f32
        };
        count(0.2) / (count(0.1) + count(0.2)).max(1.0)
    }

    fn probabilities(&self, samples: &[f32], codes: &[&str]) -> Vec<f32> {
        let english = Self::english(samples);
        let rest = (1.0 - self.certainty) / 2.0;
        codes
            .iter()
            .map(|code| match *code {
                "en" => english * self.certainty + rest * (1.0 - english),
                "uk" => (1.0 - english) * self.certainty + rest * english,
                "ru" => rest,
                _ => 0.0,
            })
            .collect()
    }
}

impl Recognizer for Bilingual {
    fn recognize(
        &mut self,
        samples: &[f32],
        settings: &Settings,
        _: &AtomicBool,
    ) -> Result<Vec<Token>, RecognitionError> {
        let seconds = samples.len() / SAMPLE_RATE;
        self.calls.push((settings.language.clone(), seconds));
        self.last = samples.to_vec();
        let english = Self::english(samples);
        let share = match settings.language.as_str() {
            "en" => english,
            "uk" => 1.0 - english,
            _ => 0.0,
        };
        Ok((1..=seconds)
            .map(|second| Token {
                bytes: format!(" {}{second}", settings.language).into_bytes(),
                end: second as f64,
                probability: 0.3 + 0.6 * share,
            })
            .collect())
    }

    fn languages_of_last(&mut self, codes: &[&str]) -> Result<Vec<f32>, RecognitionError> {
        Ok(self.probabilities(&self.last, codes))
    }

    fn detect_language(
        &mut self,
        samples: &[f32],
        codes: &[&str],
    ) -> Result<Vec<f32>, RecognitionError> {
        self.detected += 1;
        self.last = samples.to_vec();
        Ok(self.probabilities(samples, codes))
    }

    fn text_likelihood(&mut self, code: &str) -> Result<f64, RecognitionError> {
        self.compared.push(code.to_owned());
        let english = f64::from(Self::english(&self.last));
        Ok(match code {
            "en" => -20.0 * (1.0 - english),
            "uk" => -20.0 * english,
            _ => -20.0,
        })
    }
}

/// Recognises speech given as (seconds, is English), with pauses of half a second.
fn words(
    speaker: &mut Bilingual,
    speech: &[(usize, bool)],
    expected: &DetectedLanguage,
) -> Vec<String> {
    words_among(Language::ALL, speaker, speech, expected)
}

/// The same if only these languages may be spoken.
fn words_among(
    languages: &[Language],
    speaker: &mut Bilingual,
    speech: &[(usize, bool)],
    expected: &DetectedLanguage,
) -> Vec<String> {
    let (mut samples, mut voiced) = (Vec::new(), Vec::new());
    for &(seconds, is_english) in speech {
        let start = samples.len() as u64;
        let level = if is_english { 0.2 } else { 0.1 };
        samples.resize(samples.len() + seconds * SAMPLE_RATE, level);
        voiced.push((start, samples.len() as u64));
        samples.resize(samples.len() + SAMPLE_RATE / 2, 0.0);
    }
    let window = Window {
        index: 0,
        start: 0,
        end: samples.len() as u64,
        voiced,
        forced_start: None,
        forced_end: false,
    };
    let settings = Settings {
        translate: true,
        ..Settings::default()
    };
    let mut recognizer = WindowRecognizer {
        recognizer: speaker,
        settings: &settings,
        languages,
        stop: &AtomicBool::new(false),
        window: &window,
        samples: &samples,
    };
    let cleaned = recognise(&mut recognizer, expected).expect("the fake does not fail");
    let words = cleaned.words.iter();
    for word in words.clone() {
        let language = word.language.expect("each word has a language");
        assert!(word.text.starts_with(language.as_str()), "{word:?}");
    }
    let mut languages: Vec<String> = words
        .map(|word| {
            word.language
                .map_or_else(String::new, |known| known.to_string())
        })
        .collect();
    languages.dedup();
    languages
}

fn expected(code: &str, probability: f32) -> DetectedLanguage {
    DetectedLanguage {
        code: code.to_owned(),
        probability,
    }
}

#[test]
fn a_window_in_the_recordings_language_is_recognised_once() {
    let mut speaker = Bilingual::certain(0.99);
    let found = words(
        &mut speaker,
        &[(5, false), (8, false)],
        &expected("uk", 0.99),
    );
    assert_eq!(found, ["uk"]);
    assert_eq!(speaker.calls.len(), 1);
    assert_eq!(speaker.detected, 0);
}

#[test]
fn a_window_with_two_languages_is_divided() {
    let mut speaker = Bilingual::certain(0.999);
    let speech = [(6, false), (7, true), (6, false)];
    let found = words(&mut speaker, &speech, &expected("uk", 0.99));
    assert_eq!(found, ["uk", "en", "uk"]);
    let pieces: Vec<&str> = speaker
        .calls
        .iter()
        .map(|(code, _)| code.as_str())
        .collect();
    assert_eq!(pieces, ["uk", "uk", "en", "uk"]);
}

#[test]
fn a_window_in_another_language_than_the_recording_is_recognised_again() {
    let mut speaker = Bilingual::certain(0.999);
    let found = words(&mut speaker, &[(6, true), (7, true)], &expected("uk", 0.99));
    assert_eq!(found, ["en"]);
}

#[test]
fn of_likely_languages_that_of_the_likeliest_text_is_recognised() {
    let mut speaker = Bilingual::certain(0.4);
    let found = words(&mut speaker, &[(3, true)], &expected("uk", 0.5));
    assert_eq!(found, ["en"]);
    assert_eq!(speaker.compared.len(), 3, "{:?}", speaker.compared);
    assert_eq!(speaker.calls.len(), 1, "{:?}", speaker.calls);
}

#[test]
fn texts_are_not_compared_where_detection_is_certain() {
    let mut speaker = Bilingual::certain(0.999);
    words(&mut speaker, &[(6, true)], &expected("uk", 0.5));
    assert!(speaker.compared.is_empty());
}

#[test]
fn a_doubtful_recording_is_not_recognised_in_a_guessed_language_first() {
    let mut speaker = Bilingual::certain(0.999);
    let found = words(&mut speaker, &[(6, true), (7, false)], &expected("ru", 0.5));
    assert_eq!(found, ["en", "uk"]);
    assert!(speaker.calls.iter().all(|(code, _)| code != "ru"));
}

#[test]
fn an_unknown_code_is_like_a_doubtful_one() {
    assert!(!LANGUAGES.contains(&"xx"));
    let mut speaker = Bilingual::certain(0.999);
    let found = words(&mut speaker, &[(6, true)], &expected("xx", 1.0));
    assert_eq!(found, ["en"]);
}

#[test]
fn languages_that_may_not_be_spoken_are_never_tried() {
    let among = [Language::Uk, Language::Ru];
    for certainty in [0.999, 0.6] {
        for first in [expected("uk", 0.99), expected("uk", 0.5)] {
            let mut speaker = Bilingual::certain(certainty);
            let speech = [(6, false), (7, true), (2, true)];
            let found = words_among(&among, &mut speaker, &speech, &first);
            assert!(!found.is_empty());
            assert!(
                found.iter().all(|code| code == "uk" || code == "ru"),
                "{found:?}"
            );
            let tried = speaker.calls.iter().map(|(code, _)| code.as_str());
            assert!(tried.into_iter().all(|code| code == "uk" || code == "ru"));
        }
    }
}

#[test]
fn an_expected_language_that_may_not_be_spoken_is_ignored() {
    let mut speaker = Bilingual::certain(0.999);
    let among = [Language::Uk, Language::Ru];
    let found = words_among(&among, &mut speaker, &[(6, false)], &expected("en", 1.0));
    assert_eq!(found, ["uk"]);
}

#[test]
fn of_one_language_only_this_one_is_recognised() {
    let mut speaker = Bilingual::certain(0.999);
    let speech = [(6, false), (7, true)];
    let found = words_among(&[Language::Ru], &mut speaker, &speech, &expected("ru", 0.4));
    assert_eq!(found, ["ru"]);
    assert!(speaker.calls.iter().all(|(code, _)| code == "ru"));
}
