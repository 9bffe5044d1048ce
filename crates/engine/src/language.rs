//! Detection of the recording's language from the first voiced windows.

use serde::{Deserialize, Serialize};
use slovo_rules::language::LANGUAGES;

use crate::passages;

/// The most windows used for detection.
pub(crate) const MAX_WINDOWS: usize = 3;

/// With this probability the first window decides, if it has enough speech.
const SURE: f32 = 0.85;

/// With this probability, windows are recognised in the language before their own is looked at.
const SURE_FOR_ALL: f32 = 0.93;

/// Seconds of speech that decide together with [`SURE`].
const ENOUGH_SPEECH: f64 = 6.0;

/// A language and how probable it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DetectedLanguage {
    /// One of the 28 language codes of the rules.
    pub code: String,
    /// 0 to 1, among the 28.
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
        self.probability >= SURE_FOR_ALL
    }
}

/// The mean of the probabilities of several windows, each weighted by its seconds of speech.
#[derive(Default)]
pub(crate) struct LanguageVote {
    sums: Vec<f64>,
    seconds: f64,
    windows: usize,
}

impl LanguageVote {
    /// Adds a window; `probabilities` in the order of [`LANGUAGES`].
    pub(crate) fn add(&mut self, probabilities: &[f32], voiced_seconds: f64) {
        self.sums.resize(LANGUAGES.len(), 0.0);
        for (sum, probability) in self.sums.iter_mut().zip(probabilities) {
            *sum += f64::from(*probability) * voiced_seconds;
        }
        self.seconds += voiced_seconds;
        self.windows += 1;
    }

    /// Whether more windows would hardly change the result.
    pub(crate) fn is_decided(&self) -> bool {
        self.windows >= MAX_WINDOWS
            || (self.seconds >= ENOUGH_SPEECH && self.best().probability >= SURE)
    }

    /// The most probable language; English if there was no speech. With little speech it is less
    /// probable than the windows say, see [`passages::evidence`].
    pub(crate) fn best(&self) -> DetectedLanguage {
        let weight = passages::evidence(self.seconds);
        let shares: Vec<f64> = self.sums.iter().map(|sum| sum.powf(weight)).collect();
        let total: f64 = shares.iter().sum();
        let best = LANGUAGES
            .iter()
            .zip(shares)
            .max_by(|(_, a), (_, b)| a.total_cmp(b));
        match best {
            Some((code, share)) if total > 0.0 => DetectedLanguage {
                code: (*code).to_owned(),
                probability: (share / total * 1000.0).round() as f32 / 1000.0,
            },
            _ => DetectedLanguage {
                code: "en".to_owned(),
                probability: 0.0,
            },
        }
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_clear_long_window_decides_alone() {
        let mut vote = LanguageVote::default();
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
        let mut vote = LanguageVote::default();
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
        let mut vote = LanguageVote::default();
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
            let mut vote = LanguageVote::default();
            vote.add(&probabilities(&[("ru", 0.97), ("uk", 0.03)]), seconds);
            vote.best()
        };
        assert!(of(10.0).is_sure());
        assert!(!of(3.0).is_sure());
        assert_eq!(of(3.0).code, "ru");
    }

    #[test]
    fn without_speech_the_probability_is_zero() {
        assert_eq!(LanguageVote::default().best().probability, 0.0);
    }
}
