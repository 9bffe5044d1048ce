//! The sentences of a text with their places, and the selection of those that are analysed.

use icu_segmenter::options::{SentenceBreakInvariantOptions, WordBreakInvariantOptions};
use icu_segmenter::{
    SentenceSegmenter, SentenceSegmenterBorrowed, WordSegmenter, WordSegmenterBorrowed,
};
use slovo_rules::analysis::Moment;

use crate::Text;

/// The most sentences of a text that are analysed; about two hours of speech have as many. A longer
/// text is divided into this many equal runs of sentences, and the longest sentence of each run
/// that is not longer than [`MAX_INFORMATIVE_WORDS`] is taken, because it says most. So ten hours
/// take no longer than two.
pub(super) const MAX_UNITS: usize = 1_500;
/// Longer sentences than this many words do not say more.
const MAX_INFORMATIVE_WORDS: u32 = 40;
/// Longer sentences, in bytes, are split between two words.
const MAX_BYTES: usize = 800;

/// A sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    pub text: String,
    pub moment: Moment,
    pub words: u32,
}

/// The penalty of a question if statements are wanted.
const QUESTION: f64 = 0.04;
/// The bonus of a sentence of [`FULL`] words or more: of two sentences about the same, the longer
/// says more.
const LENGTH: f64 = 0.06;
const FULL: u32 = 16;

impl Unit {
    /// Whether it is a question, by its last character.
    pub(super) fn is_question(&self) -> bool {
        self.text.ends_with(['?', '？', '؟'])
    }

    /// An adjustment of a similarity by the sentence's form. It is small, but questions resemble
    /// questions, and short sentences resemble all texts.
    pub(super) fn content(&self) -> f64 {
        let cost = if self.is_question() { QUESTION } else { 0.0 };
        LENGTH * f64::from(self.words.min(FULL)) / f64::from(FULL) - cost
    }
}

/// Segments words and sentences, also in scripts without spaces.
#[derive(Clone, Copy)]
pub(super) struct Segmenters {
    sentences: SentenceSegmenterBorrowed<'static>,
    words: WordSegmenterBorrowed<'static>,
}

impl Segmenters {
    pub(super) fn new() -> Self {
        Self {
            sentences: SentenceSegmenter::new(SentenceBreakInvariantOptions::default()),
            words: WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()),
        }
    }

    /// The words of a text, without spaces and punctuation.
    pub(super) fn words(self, text: &str) -> impl Iterator<Item = &str> {
        let mut start = 0;
        let pieces = self.words.segment_str(text).iter_with_word_type();
        pieces.filter_map(move |(end, kind)| {
            let word = &text[start..end];
            start = end;
            kind.is_word_like().then_some(word)
        })
    }

    pub(super) fn count(self, text: &str) -> u32 {
        u32::try_from(self.words(text).count()).unwrap_or(u32::MAX)
    }

    /// The sentences of a text, with a limited length.
    fn sentences(self, text: &str) -> Vec<&str> {
        let ends: Vec<usize> = self.sentences.segment_str(text).collect();
        ends.windows(2)
            .flat_map(|pair| self.pieces(&text[pair[0]..pair[1]]))
            .map(str::trim)
            .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
            .collect()
    }

    fn pieces(self, mut sentence: &str) -> Vec<&str> {
        let mut pieces = Vec::new();
        while sentence.len() > MAX_BYTES {
            let window = &sentence[..sentence.floor_char_boundary(MAX_BYTES)];
            let breaks: Vec<usize> = self.words.segment_str(window).collect();
            // The last break is the window's own end, which may be inside a word.
            let inner = breaks.len().checked_sub(2).map(|place| breaks[place]);
            let cut = inner
                .filter(|cut| *cut > MAX_BYTES / 2)
                .unwrap_or(window.len());
            let (piece, rest) = sentence.split_at(cut);
            pieces.push(piece);
            sentence = rest;
        }
        pieces.push(sentence);
        pieces
    }
}

/// The sentences of a text in order: all, or [`MAX_UNITS`] of a long text.
pub(super) fn units(text: &Text, segmenters: Segmenters) -> Vec<Unit> {
    let mut units = Vec::new();
    for passage in &text.passages {
        for sentence in segmenters.sentences(&passage.text) {
            units.push(Unit {
                text: sentence.to_owned(),
                moment: passage.moment(),
                words: segmenters.count(sentence),
            });
        }
    }
    sampled(units)
}

fn sampled(units: Vec<Unit>) -> Vec<Unit> {
    let all = units.len();
    if all <= MAX_UNITS {
        return units;
    }
    let mut best: Vec<Option<Unit>> = vec![None; MAX_UNITS];
    let usefulness = |unit: &Unit| {
        if unit.words <= MAX_INFORMATIVE_WORDS {
            unit.words
        } else {
            1
        }
    };
    for (number, unit) in units.into_iter().enumerate() {
        let place = &mut best[number * MAX_UNITS / all];
        if place
            .as_ref()
            .is_none_or(|other| usefulness(&unit) > usefulness(other))
        {
            *place = Some(unit);
        }
    }
    best.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Passage;

    fn text(passages: &[&str]) -> Text {
        let passages = passages
            .iter()
            .enumerate()
            .map(|(number, sentence)| Passage {
                id: format!("s{number}"),
                start: 0.0,
                end: 1.0,
                speaker: None,
                text: (*sentence).to_owned(),
            });
        Text {
            language: "en".into(),
            duration: 1.0,
            passages: passages.collect(),
        }
    }

    fn sentences(passages: &[&str]) -> Vec<(String, u32)> {
        units(&text(passages), Segmenters::new())
            .into_iter()
            .map(|unit| (unit.text, unit.words))
            .collect()
    }

    #[test]
    fn passages_are_split_into_sentences_and_empty_ones_dropped() {
        let found = sentences(&["One two. Three!", "", " … ", "Чотири п’ять", "一二三。"]);
        let words: Vec<u32> = found.iter().map(|unit| unit.1).collect();
        assert_eq!(found[0].0, "One two.");
        assert_eq!(found[2].0, "Чотири п’ять");
        assert_eq!((found.len(), &words[..3]), (4, &[2, 1, 2][..]));
    }

    #[test]
    fn an_endless_sentence_is_split_between_words_or_anywhere() {
        let found = sentences(&["слово ".repeat(1_000).as_str()]);
        assert!(found.iter().all(|unit| unit.0.len() <= MAX_BYTES));
        assert_eq!(found.iter().map(|unit| unit.1).sum::<u32>(), 1_000);
        let found = sentences(&["ж".repeat(5_000).as_str()]);
        assert!(found.len() >= 12);
    }

    #[test]
    fn a_long_text_is_sampled_evenly() {
        let passages: Vec<String> = (0..4_000)
            .map(|number| format!("Number {number} is here."))
            .collect();
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        let found = units(&text(&passages), Segmenters::new());
        assert_eq!(found.len(), MAX_UNITS);
        let numbers: Vec<u32> = found
            .iter()
            .map(|unit| unit.moment.segment[1..].parse().unwrap())
            .collect();
        assert!(numbers.is_sorted() && numbers.windows(2).all(|pair| pair[1] - pair[0] < 6));
    }
}
