//! The forms of a word: which words a search takes for the same.
//!
//! Each word has keys, and two words are forms of one if they share a key. A Ukrainian word's keys
//! are the dictionary forms that it may belong to («міст» is a bridge, and of the cities), read from
//! a table of three million forms (`data/README.md`): Ukrainian changes its stems (будинок, будинку;
//! говорив, скажу), and rules that only cut endings find little more than half of the forms. Words
//! that are not in the table, and English ones, are cut by the algorithms of Snowball.

mod dictionary;

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use snowball_stemmers_rs::{Algorithm, Stemmer};

/// Longer words, in bytes, are their own key: nobody inflects them, and the work stays bounded.
const LONGEST: usize = 240;

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));
static UKRAINIAN: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::Ukrainian));

/// The keys of a word, at least one, without repetitions. The word is a folded one
/// (`slovo_rules::search::words`): small letters, the apostrophe `'`.
#[must_use]
pub fn keys(word: &str) -> Vec<String> {
    if word.len() > LONGEST {
        return vec![word.to_owned()];
    }
    match Script::of(word) {
        Script::Cyrillic => {
            let known = dictionary::lemmas(word);
            if known.is_empty() {
                vec![cut(&UKRAINIAN, word)]
            } else {
                known
            }
        }
        Script::English => vec![cut(&ENGLISH, word)],
        Script::Other => vec![word.to_owned()],
    }
}

/// The stem, or the word if nothing is left of it.
fn cut(stemmer: &Stemmer, word: &str) -> String {
    let stem = stemmer.stem(word);
    if stem.is_empty() {
        return word.to_owned();
    }
    stem.into_owned()
}

/// What a word is written in. Words with digits or with letters of two scripts have no other forms.
enum Script {
    Cyrillic,
    English,
    Other,
}

impl Script {
    fn of(word: &str) -> Self {
        let has = |letters: RangeInclusive<char>| {
            let mut all = word.chars().filter(|letter| *letter != '\'').peekable();
            all.peek().is_some() && all.all(|letter| letters.contains(&letter))
        };
        if has('a'..='z') {
            Self::English
        } else if has('\u{430}'..='\u{491}') {
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
