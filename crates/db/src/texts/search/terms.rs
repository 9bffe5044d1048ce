//! The words of a query.

use slovo_rules::search;

/// Maximum number of words in a query; further ones are ignored.
const MAX_WORDS: usize = 12;
/// A last word shorter than this, in characters, is not treated as a beginning: it would match
/// about a thirtieth of all words.
const MIN_PREFIX_LENGTH: usize = 2;

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    word: String,
    keys: Vec<String>,
}

impl Term {
    fn new(word: String, exact: bool) -> Self {
        let keys = if exact {
            Vec::new()
        } else {
            slovo_stems::keys(&word)
        };
        Self { word, keys }
    }

    /// The folded word.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The keys shared with its other inflected forms (`slovo_stems`); empty for a quoted word,
    /// which matches only itself.
    #[must_use]
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Whether it was quoted.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.keys.is_empty()
    }
}

/// The words of a query, all of which must match. The only operator is quotation marks, which make
/// words exact; all other signs are separators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    terms: Vec<Term>,
}

impl Terms {
    /// Parses a query, whose last word may be the beginning of one. A query longer than
    /// [`search::MAX_QUERY`] has no words.
    #[must_use]
    pub fn new(query: &str) -> Self {
        if query.chars().nth(search::MAX_QUERY).is_some() {
            return Self::default();
        }
        let mut words: Vec<(String, bool)> = Vec::new();
        for (part, quoted) in parts(query) {
            for word in search::words(part) {
                let mut exact = quoted;
                // A repeated word keeps its last position, and is exact if it was quoted once.
                words.retain(|known| {
                    let same = known.0 == word;
                    exact |= same && known.1;
                    !same
                });
                words.push((word, exact));
            }
        }
        words.truncate(MAX_WORDS);
        let terms = words.into_iter();
        Self {
            terms: terms.map(|(word, exact)| Term::new(word, exact)).collect(),
        }
    }

    /// The words; an empty query finds nothing.
    #[must_use]
    pub fn all(&self) -> &[Term] {
        &self.terms
    }

    /// Whether the word at this index is a prefix: it also matches words that begin with it.
    #[must_use]
    pub fn is_prefix(&self, index: usize) -> bool {
        let long_enough = |term: &Term| {
            !term.is_exact() && term.word.chars().nth(MIN_PREFIX_LENGTH - 1).is_some()
        };
        index + 1 == self.terms.len() && self.terms.get(index).is_some_and(long_enough)
    }

    /// The ways to match the words, best first.
    pub(super) fn match_modes(&self) -> &'static [MatchMode] {
        if self.is_prefix(self.terms.len().saturating_sub(1)) {
            &[MatchMode::Whole, MatchMode::Forms, MatchMode::Prefix]
        } else if self.terms.iter().all(Term::is_exact) {
            &[MatchMode::Whole]
        } else {
            &[MatchMode::Whole, MatchMode::Forms]
        }
    }
}

/// What the words of a query match. Matching a beginning is expensive: both databases first merge
/// the complete lists of all words with that beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchMode {
    /// Exactly these words.
    Whole,
    /// Also inflected forms, except for quoted words.
    Forms,
    /// Also words that begin with the last word.
    Prefix,
}

/// Splits the query at quotation marks; the flag says whether a part is quoted. A quotation mark
/// without a closing one is ignored, because the query is still being typed.
fn parts(query: &str) -> Vec<(&str, bool)> {
    let marks = ['"', '“', '”', '„', '‟', '«', '»', '＂'];
    let pieces: Vec<&str> = query.split(marks).collect();
    let last = pieces.len() - 1;
    let pieces = pieces.into_iter().enumerate();
    pieces
        .map(|(number, piece)| (piece, number % 2 == 1 && number < last))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(query: &str) -> Vec<(String, bool)> {
        let terms = Terms::new(query);
        let all = terms.all().iter();
        all.map(|term| (term.word().to_owned(), term.is_exact()))
            .collect()
    }

    #[test]
    fn quoted_words_are_matched_exactly() {
        let museum = |exact| ("музею".to_owned(), exact);
        let new = |exact| ("новий".to_owned(), exact);
        for (query, expected) in [
            ("новий музею", vec![new(false), museum(false)]),
            ("новий \"музею\"", vec![new(false), museum(true)]),
            ("«новий» музею", vec![new(true), museum(false)]),
            ("„новий музею“", vec![new(true), museum(true)]),
            ("“Новий” ”музею“", vec![new(true), museum(true)]),
            // Still being typed.
            ("новий \"музею", vec![new(false), museum(false)]),
            ("\"новий\" \"музею", vec![new(true), museum(false)]),
            // A word quoted once is exact, and the last word stays the last.
            ("музею \"новий\" музею", vec![new(true), museum(false)]),
            ("\"музею\" новий музею", vec![new(false), museum(true)]),
            ("\"\" \" \"", vec![]),
        ] {
            assert_eq!(words(query), expected, "{query}");
        }
    }

    #[test]
    fn only_an_unquoted_last_word_may_match_as_a_prefix() {
        for (query, expected) in [("новий муз", true), ("новий \"муз\"", false), ("м", false)]
        {
            let terms = Terms::new(query);
            assert_eq!(terms.is_prefix(terms.all().len() - 1), expected, "{query}");
        }
        assert_eq!(Terms::new("\"музей\"").match_modes(), [MatchMode::Whole]);
        assert_eq!(
            Terms::new("я").match_modes(),
            [MatchMode::Whole, MatchMode::Forms]
        );
    }
}
