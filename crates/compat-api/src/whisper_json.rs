//! Segments and words as OpenAI's Whisper writes them into JSON; several protocols have taken them
//! over.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::transcript::{Word, rounded};

use crate::recognised_text::{logprob, mean};

/// A segment.
#[derive(Serialize)]
pub(crate) struct WhisperSegment {
    id: usize,
    /// Hundredths of a second.
    seek: i64,
    #[serde(flatten)]
    times: Option<Times>,
    text: String,
    /// Always empty: the models here have other tokens than OpenAI's.
    tokens: [u32; 0],
    temperature: f64,
    avg_logprob: f64,
    compression_ratio: f64,
    no_speech_prob: f64,
}

impl WhisperSegment {
    /// With or without its times.
    pub(crate) fn timed(mut self, has_times: bool) -> Self {
        self.times = self.times.filter(|_| has_times);
        self
    }
}

/// Start and end in seconds.
#[derive(Serialize)]
struct Times {
    start: f64,
    end: f64,
}

impl Times {
    fn new(start: f64, end: f64) -> Self {
        Self {
            start: rounded(start),
            end: rounded(end),
        }
    }
}

/// The segments of a text.
pub(crate) fn segments(text: &EditedTranscript) -> impl Iterator<Item = WhisperSegment> {
    let segments = text.segments.iter().enumerate();
    segments.map(|(id, segment)| WhisperSegment {
        id,
        #[expect(clippy::cast_possible_truncation, reason = "hundredths of a day fit")]
        seek: (segment.start * 100.0) as i64,
        times: Some(Times::new(segment.start, segment.end)),
        text: segment.text.clone(),
        tokens: [],
        temperature: 0.0,
        avg_logprob: rounded(mean(segment.words.iter().map(logprob))),
        compression_ratio: compression_ratio(&segment.text),
        no_speech_prob: 0.0,
    })
}

/// A word.
#[derive(Serialize)]
pub(crate) struct WhisperWord {
    word: String,
    #[serde(flatten)]
    times: Option<Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
}

impl WhisperWord {
    /// A word with its times.
    pub(crate) fn new(word: &Word) -> Self {
        Self {
            word: word.text.clone(),
            times: Some(Times::new(word.start, word.end)),
            probability: None,
            speaker: None,
        }
    }

    /// With or without its times.
    pub(crate) fn timed(mut self, has_times: bool) -> Self {
        self.times = self.times.filter(|_| has_times);
        self
    }

    /// A word after a space, with its probability, as programs around Whisper write it.
    pub(crate) fn with_probability(word: &Word, speaker: Option<String>) -> Self {
        Self {
            word: format!(" {}", word.text),
            probability: Some(rounded(word.confidence)),
            speaker,
            ..Self::new(word)
        }
    }
}

/// Bytes of a text by the bytes of its zlib stream, as Whisper computes it to find repetitions.
fn compression_ratio(text: &str) -> f64 {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish());
    let size = |bytes: usize| f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
    packed.map_or(1.0, |packed| {
        rounded(size(text.len()) / size(packed.len().max(1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_compressed_more() {
        let prose = compression_ratio("A talk about maps and the people who draw them.");
        let loops = compression_ratio(&"and then ".repeat(40));
        assert!(prose < 1.2 && loops > 10.0, "{prose} {loops}");
        assert!(compression_ratio("") >= 0.0);
    }
}
