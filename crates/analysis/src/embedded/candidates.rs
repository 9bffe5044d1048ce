//! Finds and counts words and word pairs that may be keywords; inflected forms of a word are
//! counted together.

use std::collections::{BTreeMap, HashSet};

use slovo_rules::analysis::Moment;

use super::units::Segmenters;
use crate::Text;

/// The most candidates that are ranked by meaning; the most frequent ones are taken.
const MAX_CANDIDATES: usize = 60;
/// The most places per keyword.
const MOMENTS: usize = 20;
/// In texts of at least this many words a keyword must occur at least twice.
const LONG_TEXT: u32 = 300;
/// A word in more than one of this many sentences is common in the language and not specific to the
/// text; applies from [`MANY_SENTENCES`] on.
const COMMON: u32 = 4;
const MANY_SENTENCES: u32 = 60;
/// Ukrainian stop words that the library's list lacks.
const UKRAINIAN: [&str; 24] = [
    "мене",
    "мені",
    "тебе",
    "тобі",
    "йому",
    "всім",
    "усім",
    "всіх",
    "усіх",
    "більше",
    "менше",
    "тепер",
    "зараз",
    "потім",
    "трохи",
    "знову",
    "весь",
    "добре",
    "гаразд",
    "отже",
    "нічого",
    "ніхто",
    "завжди",
    "ніколи",
];
/// Letters of inflectional endings, by which forms are merged.
const ENDINGS: &str = "aeiouyáéíóúàèìòùâêîôûäöüąęůýěsnmdrgаеєиіїоуюяйьвкмхыэёαειοηυωςνά'’";
/// Letters of the longest ending.
const LONGEST_ENDING: usize = 3;

/// A word or a word pair.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    /// Its most frequent spelling.
    pub text: String,
    pub count: u32,
    pub moments: Vec<Moment>,
}

/// Counts for one form, or for several that were merged.
#[derive(Default)]
struct FormCounts {
    count: u32,
    sentences: u32,
    /// Its spellings with their frequencies.
    written: BTreeMap<String, u32>,
    /// Numbers of the passages, in order.
    passages: Vec<usize>,
}

impl FormCounts {
    fn add(&mut self, written: String, passage: usize) {
        self.count += 1;
        *self.written.entry(written).or_default() += 1;
        if self.passages.last() != Some(&passage) {
            self.sentences += 1;
            self.passages.push(passage);
        }
    }

    fn join(&mut self, other: Self) {
        self.count += other.count;
        for (written, count) in other.written {
            *self.written.entry(written).or_default() += count;
        }
        self.passages.extend(other.passages);
        self.passages.sort_unstable();
        self.passages.dedup();
        self.sentences = u32::try_from(self.passages.len()).unwrap_or(u32::MAX);
    }

    fn candidate(self, text: &Text) -> Candidate {
        let places = self.passages.iter().take(MOMENTS);
        let moments = places.map(|place| text.passages[*place].moment()).collect();
        // `max_by_key` takes the last maximum: of equally frequent spellings the one in lower case.
        let written = self.written.into_iter().max_by_key(|(_, count)| *count);
        Candidate {
            text: written.map(|(written, _)| written).unwrap_or_default(),
            count: self.count,
            moments,
        }
    }
}

/// The candidates of a text, the most frequent first.
pub(super) fn candidates(text: &Text, segmenters: Segmenters) -> Vec<Candidate> {
    let stop_words: HashSet<&str> = stop_words::lookup(&text.language)
        .unwrap_or_default()
        .iter()
        .copied()
        .chain(UKRAINIAN.into_iter().filter(|_| text.language == "uk"))
        .collect();
    let mut words: BTreeMap<String, FormCounts> = BTreeMap::new();
    let mut pairs: BTreeMap<String, FormCounts> = BTreeMap::new();
    let mut total = 0;
    for (number, passage) in text.passages.iter().enumerate() {
        let mut before: Option<(&str, usize)> = None;
        for word in segmenters.words(&passage.text) {
            total += 1;
            let folded = word.to_lowercase();
            let start = word.as_ptr() as usize - passage.text.as_ptr() as usize;
            let is_candidate = is_meaningful(&folded) && !stop_words.contains(folded.as_str());
            if is_candidate {
                words
                    .entry(folded)
                    .or_default()
                    .add(word.to_owned(), number);
                // The words of a pair are adjacent: one space between them, no comma.
                if let Some((first, end)) = before
                    && &passage.text[end..start] == " "
                {
                    let pair = format!("{first} {word}");
                    pairs
                        .entry(pair.to_lowercase())
                        .or_default()
                        .add(pair, number);
                }
            }
            before = is_candidate.then_some((word, start + word.len()));
        }
    }
    let sentences = u32::try_from(text.passages.len()).unwrap_or(u32::MAX);
    let least = if total > LONG_TEXT { 2 } else { 1 };
    let mut words = merged(words);
    words.retain(|(_, tally)| {
        let common = sentences >= MANY_SENTENCES && tally.sentences > sentences / COMMON;
        tally.count >= least && !common
    });
    let mut found: Vec<Candidate> = pairs
        .into_iter()
        .filter(|(pair, tally)| tally.count >= 2 && holds_together(pair, tally.count, &words))
        .map(|(_, tally)| tally.candidate(text))
        .collect();
    keep_most_frequent(&mut found);
    words.retain(|(word, tally)| !found.iter().any(|pair| covers(pair, word, tally.count)));
    found.extend(words.into_iter().map(|(_, tally)| tally.candidate(text)));
    keep_most_frequent(&mut found);
    found
}

/// Keeps the most frequent ones; ties are ordered alphabetically, so that the result is
/// deterministic.
fn keep_most_frequent(found: &mut Vec<Candidate>) {
    found.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.text.cmp(&b.text)));
    found.truncate(MAX_CANDIDATES);
}

/// Whether a word can be a keyword: it contains letters and is longer than a syllable, unless its
/// script writes words as single characters.
fn is_meaningful(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let wide = word
        .chars()
        .any(|letter| matches!(letter, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'));
    letters >= if wide { 2 } else { 4 } && letters * 2 > word.chars().count()
}

/// Merges alphabetical neighbours that are forms of one word.
fn merged(words: BTreeMap<String, FormCounts>) -> Vec<(String, FormCounts)> {
    let mut merged: Vec<(String, FormCounts)> = Vec::new();
    for (word, tally) in words {
        match merged.last_mut() {
            Some((first, sum)) if are_forms(first, &word) => sum.join(tally),
            _ => merged.push((word, tally)),
        }
    }
    merged
}

/// Whether two words differ only by an ending.
fn are_forms(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let is_ending = |word: &str| {
        let ending = word.chars().skip(common);
        word.chars().count() - common <= LONGEST_ENDING
            && ending.into_iter().all(|letter| ENDINGS.contains(letter))
    };
    common > LONGEST_ENDING && is_ending(a) && is_ending(b)
}

/// Whether a pair is more than a coincidence: at least one of its words occurs with the other in at
/// least half of its places.
fn holds_together(pair: &str, count: u32, words: &[(String, FormCounts)]) -> bool {
    let counted = |word: &str| {
        let mut found = words.iter();
        found
            .find(|(form, _)| form == word || are_forms(form, word))
            .map(|(_, tally)| tally.count)
    };
    let rarer = pair.split(' ').filter_map(counted).min();
    rarer.is_some_and(|rarer| count * 2 >= rarer)
}

/// Whether a word rarely occurs outside this pair.
fn covers(pair: &Candidate, word: &str, count: u32) -> bool {
    let pair_words = pair.text.to_lowercase();
    pair_words
        .split(' ')
        .any(|part| part == word || are_forms(word, part))
        && count * 2 <= pair.count * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_forms_differ_only_in_their_endings() {
        for (a, b) in [
            ("програма", "програмою"),
            ("таблиця", "таблиці"),
            ("report", "reports"),
            ("casa blanca", "casa blancas"),
        ] {
            assert!(are_forms(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("contract", "contrast"),
            ("кава", "казка"),
            ("test", "text"),
            ("програма", "програміст"),
        ] {
            assert!(!are_forms(a, b), "{a} {b}");
        }
    }

    #[test]
    fn numbers_short_words_and_symbols_are_not_keywords() {
        for word in ["12345", "так", "a1", "…", "1980s", ""] {
            assert!(!is_meaningful(word), "{word}");
        }
        for word in ["міст-фортеця", "会議", "бюджет"] {
            assert!(is_meaningful(word), "{word}");
        }
    }
}
