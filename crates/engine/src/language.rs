//! Detection of the recording's language from the first voiced windows.

use serde::{Deserialize, Serialize};
use slovo_rules::language::Language;

use crate::passages;

/// The most windows used for detection.
pub(crate) const MAX_WINDOWS: usize = 3;

/// With this probability the first window decides, if it has enough speech.
const DECISIVE: f32 = 0.85;

/// With this probability, windows are recognised in the language before their own is looked at.
const DECISIVE_FOR_RECORDING: f32 = 0.93;

/// Seconds of speech that decide together with [`DECISIVE`].
const DECISIVE_SPEECH: f64 = 6.0;

/// A language and how probable it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DetectedLanguage {
    /// One of the 28 language codes of the rules.
    pub code: String,
    /// 0 to 1, among the languages that may be spoken.
    pub probability: f32,
}

impl DetectedLanguage {
    /// A language that the user chose.
    #[must_use]
    pub fn given(code: &str) -> Self {
        Self {
            code: code.to_owned(),
            probability: 1.0,
        }
    }

    /// Whether most of the recording can be expected to be in this language: it is neither doubtful
    /// nor one of several.
    pub(crate) fn is_sure(&self) -> bool {
        self.probability >= DECISIVE_FOR_RECORDING
    }
}

/// The codes of languages, as a recogniser takes them.
pub(crate) fn codes(languages: &[Language]) -> Vec<&'static str> {
    languages.iter().map(|language| language.as_str()).collect()
}

/// The mean of the probabilities of several windows, each weighted by its seconds of speech.
pub(crate) struct LanguageVote {
    /// The languages that may be spoken, at least one.
    languages: Vec<Language>,
    sums: Vec<f64>,
    seconds: f64,
    windows: usize,
}

impl LanguageVote {
    /// A vote between these languages.
    pub(crate) fn new(languages: &[Language]) -> Self {
        Self {
            languages: languages.to_vec(),
            sums: vec![0.0; languages.len()],
            seconds: 0.0,
            windows: 0,
        }
    }

    /// Adds a window; `probabilities` in the order of the languages.
    pub(crate) fn add(&mut self, probabilities: &[f32], voiced_seconds: f64) {
        for (sum, probability) in self.sums.iter_mut().zip(probabilities) {
            *sum += f64::from(*probability) * voiced_seconds;
        }
        self.seconds += voiced_seconds;
        self.windows += 1;
    }

    /// Whether more windows would hardly change the result.
    pub(crate) fn is_decided(&self) -> bool {
        self.windows >= MAX_WINDOWS
            || (self.seconds >= DECISIVE_SPEECH && self.best().probability >= DECISIVE)
    }

    /// The most probable language; if there was no speech, English or else the first that may be
    /// spoken. With little speech it is less probable than the windows say, see
    /// [`passages::evidence`].
    pub(crate) fn best(&self) -> DetectedLanguage {
        let weight = passages::evidence(self.seconds);
        let shares: Vec<f64> = self.sums.iter().map(|sum| sum.powf(weight)).collect();
        let total: f64 = shares.iter().sum();
        let best = self
            .languages
            .iter()
            .zip(shares)
            .max_by(|(_, a), (_, b)| a.total_cmp(b));
        match best {
            Some((language, share)) if total > 0.0 => DetectedLanguage {
                code: language.as_str().to_owned(),
                probability: (share / total * 1000.0).round() as f32 / 1000.0,
            },
            _ => DetectedLanguage {
                code: self.without_speech().as_str().to_owned(),
                probability: 0.0,
            },
        }
    }

    fn without_speech(&self) -> Language {
        let first = self
            .languages
            .first()
            .filter(|_| !self.languages.contains(&Language::En));
        first.copied().unwrap_or(Language::En)
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::language::LANGUAGES;

    use super::*;

    fn probabilities(pairs: &[(&str, f32)]) -> Vec<f32> {
        let probability_of = |code: &str| {
            pairs
                .iter()
                .find(|(known, _)| *known == code)
                .map_or(0.0, |pair| pair.1)
        };
        LANGUAGES.iter().map(|code| probability_of(code)).collect()
    }

    fn vote() -> LanguageVote {
        LanguageVote::new(Language::ALL)
    }

    #[test]
    fn a_clear_long_window_decides_alone() {
        let mut vote = vote();
        vote.add(&probabilities(&[("uk", 0.95), ("ru", 0.05)]), 10.0);
        assert!(vote.is_decided());
        assert_eq!(
            vote.best(),
            DetectedLanguage {
                code: "uk".to_owned(),
                probability: 0.95
            }
        );
    }

    #[test]
    fn a_short_or_doubtful_window_is_not_enough() {
        let mut vote = vote();
        vote.add(&probabilities(&[("ru", 0.6), ("uk", 0.4)]), 2.0);
        assert!(!vote.is_decided());
        vote.add(&probabilities(&[("uk", 0.9), ("ru", 0.1)]), 20.0);
        assert_eq!(vote.best().code, "uk");
        vote.add(&probabilities(&[("ru", 0.9)]), 1.0);
        assert!(vote.is_decided());
        assert_eq!(vote.best().code, "uk");
    }

    #[test]
    fn probabilities_are_relative_to_the_known_languages() {
        let mut vote = vote();
        vote.add(&probabilities(&[("en", 0.3), ("de", 0.1)]), 6.0);
        assert_eq!(
            vote.best(),
            DetectedLanguage {
                code: "en".to_owned(),
                probability: 0.75
            }
        );
    }

    #[test]
    fn little_speech_is_less_sure() {
        let of = |seconds: f64| {
            let mut vote = vote();
            vote.add(&probabilities(&[("ru", 0.97), ("uk", 0.03)]), seconds);
            vote.best()
        };
        assert!(of(10.0).is_sure());
        assert!(!of(3.0).is_sure());
        assert_eq!(of(3.0).code, "ru");
    }

    #[test]
    fn without_speech_the_probability_is_zero() {
        assert_eq!(vote().best().probability, 0.0);
    }

    #[test]
    fn only_languages_that_may_be_spoken_win() {
        let mut vote = LanguageVote::new(&[Language::Uk, Language::Ru]);
        vote.add(&[0.3, 0.7], 6.0);
        assert_eq!(vote.best().code, "ru");
        assert_eq!(vote.best().probability, 0.7);
        assert_eq!(LanguageVote::new(&[Language::De]).best().code, "de");
        assert_eq!(
            LanguageVote::new(&[Language::Uk, Language::En]).best(),
            DetectedLanguage {
                code: "en".to_owned(),
                probability: 0.0
            }
        );
    }
}
