//! Measurements that support or contradict a passage of recognised text.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use slovo_rules::removed::{Removed, RemovedReason};
use slovo_rules::transcript::rounded;

use crate::event::RecognisedWord;
use crate::vad::seconds;
use crate::windows::Window;

/// Whisper's own threshold: a text that compresses better than this repeats itself.
pub(crate) const MAX_COMPRESSION: f64 = 2.4;

/// Words per second of voiced sound; nobody speaks faster.
const FASTEST: f64 = 9.0;

/// A passage with a smaller share of voice is silence or noise.
const MIN_VOICED: f64 = 0.5;

/// A passage with a mean probability below this is doubtful.
pub(super) const DOUBTFUL: f64 = 0.5;

/// Measurements of a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evidence {
    /// Seconds of voiced sound during it.
    pub voiced_seconds: f64,
    /// Share of its time that is voiced, 0 to 1.
    pub voiced: f64,
    /// Mean probability of its words, 0 to 1.
    pub confidence: f64,
    /// See [`compression_ratio`].
    pub compression: f64,
    words: f64,
}

impl Evidence {
    /// Measures some neighbouring words of a window; there must be at least one.
    pub(crate) fn measure(words: &[RecognisedWord], window: &Window) -> Self {
        let (start, end) = span(words);
        let voiced_seconds: f64 = window
            .voiced
            .iter()
            .map(|&(from, to)| (seconds(to).min(end) - seconds(from).max(start)).max(0.0))
            .sum();
        let count = words.len().max(1) as f64;
        let sum: f64 = words.iter().map(|word| f64::from(word.confidence)).sum();
        Self {
            voiced_seconds,
            voiced: (voiced_seconds / (end - start).max(1e-3)).clamp(0.0, 1.0),
            confidence: sum / count,
            compression: compression_ratio(&text(words)),
            words: count,
        }
    }

    /// Whether nobody can say that many words in this much voiced sound.
    pub(super) fn is_too_fast_for(&self, voiced_seconds: f64) -> bool {
        self.words / voiced_seconds.max(0.1) > FASTEST
    }

    /// Whether the sound contradicts the words: hardly any voice, low confidence, or more words
    /// than anybody can say in the time.
    pub(super) fn contradicts(&self) -> bool {
        self.voiced < MIN_VOICED
            || self.confidence < DOUBTFUL
            || self.is_too_fast_for(self.voiced_seconds)
    }

    /// The reason to remove words of a low probability. Only without a voice nobody has spoken.
    pub(crate) fn doubt(self) -> RemovedReason {
        if self.voiced < MIN_VOICED {
            RemovedReason::LowProbability
        } else {
            RemovedReason::Unrecognised
        }
    }

    /// The report of removing the passage.
    pub(crate) fn removal_of(self, words: &[RecognisedWord], reason: RemovedReason) -> Removed {
        let (start, end) = span(words);
        Removed {
            start: rounded(start),
            end: rounded(end),
            speaker: None,
            text: text(words),
            reason,
            voiced: rounded(self.voiced),
            confidence: rounded(self.confidence),
            compression: rounded(self.compression),
        }
    }
}

/// Length of a text in bytes divided by its zlib-compressed length, as Whisper computes it; 0 for
/// an empty text.
pub(crate) fn compression_ratio(text: &str) -> f64 {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let compressed = encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish());
    // Writing to memory does not fail; if it did, a ratio of 0 would remove nothing.
    compressed.map_or(0.0, |bytes| text.len() as f64 / bytes.len().max(1) as f64)
}

fn span(words: &[RecognisedWord]) -> (f64, f64) {
    let start = words.first().map_or(0.0, |word| word.start);
    (start, words.last().map_or(start, |word| word.end))
}

/// The words as a text.
pub(super) fn text(words: &[RecognisedWord]) -> String {
    let mut text = String::new();
    for word in words {
        if word.spaced && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compression_ratio_matches_that_of_whisper() {
        // Expected values from Python: len(t) / len(zlib.compress(t)).
        let running = "Mr. Quilter is the apostle of the middle classes and we are glad \
                       to welcome his gospel.";
        for (text, expected) in [
            (running.to_owned(), 1.101),
            ("you ".repeat(40), 11.43),
            ("Дякую за перегляд! ".repeat(6), 4.49),
            (String::new(), 0.0),
        ] {
            let ratio = compression_ratio(&text);
            // zlib implementations differ by a byte or two.
            let error = (ratio - expected).abs();
            assert!(error <= expected * 0.1, "{ratio}: {text}");
        }
    }
}
