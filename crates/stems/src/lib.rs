//! Recognises inflected forms of a word, for searching.
//!
//! Each word has keys, and two words are forms of one if they share a key. The keys of a Ukrainian
//! word are its possible dictionary forms («міст» is "bridge", and also "of the cities"), from a
//! table of three million forms (`data/README.md`): Ukrainian changes its stems (будинок, будинку;
//! говорив, скажу), and rules that only cut endings find little more than half of the forms. Words
//! that are not in the table, and English ones, are stemmed with Snowball's algorithms.

mod dictionary;

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use snowball_stemmers_rs::{Algorithm, Stemmer};

/// Longer words, in bytes, are their own only key, which bounds the work.
const LONGEST: usize = 240;

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));
static UKRAINIAN: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::Ukrainian));

/// The keys of a word, at least one, without duplicates. The word must be folded
/// (`slovo_rules::search::words`): lower case, with the apostrophe `'`.
#[must_use]
pub fn keys(word: &str) -> Vec<String> {
    if word.len() > LONGEST {
        return vec![word.to_owned()];
    }
    match Script::of(word) {
        Script::Cyrillic => {
            let lemmas = dictionary::lemmas(word);
            if lemmas.is_empty() {
                vec![cut(&UKRAINIAN, word)]
            } else {
                lemmas
            }
        }
        Script::English => vec![cut(&ENGLISH, word)],
        Script::Other => vec![word.to_owned()],
    }
}

/// The stem, or the whole word if the stem would be empty.
fn cut(stemmer: &Stemmer, word: &str) -> String {
    let stem = stemmer.stem(word);
    if stem.is_empty() {
        return word.to_owned();
    }
    stem.into_owned()
}

/// The script of a word. Words with digits or with letters of two scripts are not inflected.
enum Script {
    Cyrillic,
    English,
    Other,
}

impl Script {
    fn of(word: &str) -> Self {
        let consists_of = |letters: RangeInclusive<char>| {
            let mut all = word.chars().filter(|letter| *letter != '\'').peekable();
            all.peek().is_some() && all.all(|letter| letters.contains(&letter))
        };
        if consists_of('a'..='z') {
            Self::English
        } else if consists_of('\u{430}'..='\u{491}') {
            Self::Cyrillic
        } else {
            Self::Other
        }
    }
}

/// The README's example is compiled and run by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
