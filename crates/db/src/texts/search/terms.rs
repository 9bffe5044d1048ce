//! What a query asks for.

use slovo_rules::search;

/// The most words that are looked for; what follows is left out.
const MOST_WORDS: usize = 12;
/// A last word shorter than this, in characters, is not taken as the beginning of others: it would
/// be that of a thirtieth of all words.
const SHORTEST_BEGINNING: usize = 2;

/// A word that is looked for.
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

    /// The word, folded.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.word
    }

    /// What its other forms have in common with it (`slovo_stems`); nothing of a quoted word, which
    /// stands for itself alone.
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

/// Words that are all looked for. Whatever signs a query has, it is words: it cannot say anything
/// else to the index, but that words between quotation marks are meant as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    terms: Vec<Term>,
}

impl Terms {
    /// The words of a query, the last of which may be the beginning of one. A query longer than
    /// [`search::MAX_QUERY`] has none.
    #[must_use]
    pub fn new(query: &str) -> Self {
        if query.chars().nth(search::MAX_QUERY).is_some() {
            return Self::default();
        }
        let mut words: Vec<(String, bool)> = Vec::new();
        for (part, quoted) in parts(query) {
            for word in search::words(part) {
                let mut exact = quoted;
                // Said again at the end it is still the last one, and quoted once it is quoted.
                words.retain(|known| {
                    let same = known.0 == word;
                    exact |= same && known.1;
                    !same
                });
                words.push((word, exact));
            }
        }
        words.truncate(MOST_WORDS);
        let terms = words.into_iter();
        Self {
            terms: terms.map(|(word, exact)| Term::new(word, exact)).collect(),
        }
    }

    /// The words; none finds nothing.
    #[must_use]
    pub fn all(&self) -> &[Term] {
        &self.terms
    }

    /// Whether the word at this place also stands for those that begin with it.
    #[must_use]
    pub fn is_beginning(&self, index: usize) -> bool {
        let long_enough = |term: &Term| {
            !term.is_exact() && term.word.chars().nth(SHORTEST_BEGINNING - 1).is_some()
        };
        index + 1 == self.terms.len() && self.terms.get(index).is_some_and(long_enough)
    }

    /// How the words are looked for, the best first.
    pub(super) fn ways(&self) -> &'static [Way] {
        if self.is_beginning(self.terms.len().saturating_sub(1)) {
            &[Way::Whole, Way::Forms, Way::Beginning]
        } else if self.terms.iter().all(Term::is_exact) {
            &[Way::Whole]
        } else {
            &[Way::Whole, Way::Forms]
        }
    }
}

/// What the words of a query stand for. Words that begin with one are dear to look for: either
/// database first puts together the lists of all of them, to their ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Themselves.
    Whole,
    /// Also their other forms, but for those that are quoted.
    Forms,
    /// The same, and the last one for words that begin with it.
    Beginning,
}

/// The query at its quotation marks, each part with whether it stands between two of them. A mark
/// without another is none: it is being typed.
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
    fn words_between_quotation_marks_are_meant_as_they_are() {
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
            // Once quoted is quoted, and the last stays the last.
            ("музею \"новий\" музею", vec![new(true), museum(false)]),
            ("\"музею\" новий музею", vec![new(false), museum(true)]),
            ("\"\" \" \"", vec![]),
        ] {
            assert_eq!(words(query), expected, "{query}");
        }
    }

    #[test]
    fn only_a_last_word_without_marks_may_be_a_beginning() {
        for (query, expected) in [("новий муз", true), ("новий \"муз\"", false), ("м", false)]
        {
            let terms = Terms::new(query);
            assert_eq!(
                terms.is_beginning(terms.all().len() - 1),
                expected,
                "{query}"
            );
        }
        assert_eq!(Terms::new("\"музей\"").ways(), [Way::Whole]);
        assert_eq!(Terms::new("я").ways(), [Way::Whole, Way::Forms]);
    }
}
