//! How well a text is divided into sentences.

use super::super::{Recognition, Step, align, plain};
use super::Case;

/// A plain word of a text with its place in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// See [`plain`].
    pub plain: String,
    /// Whether a sentence ends with it.
    pub ends: bool,
    /// Whether its first letter is a small one.
    pub is_small: bool,
}

/// The plain words of some texts.
pub fn tokens<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for part in texts.into_iter().flat_map(str::split_whitespace) {
        let end = part.trim_end_matches(['"', '”', '“', '’', '»', ')', ']', '–', '—', '-', ' ']);
        let ends = end.ends_with(['.', '!', '?', '…']);
        let is_small = part
            .chars()
            .find(|c| c.is_alphanumeric())
            .is_some_and(char::is_lowercase);
        let words = plain(part);
        let count = words.len();
        for (place, plain) in words.into_iter().enumerate() {
            tokens.push(Token {
                plain,
                ends: ends && place + 1 == count,
                is_small: is_small && place == 0,
            });
        }
        if count == 0
            && ends
            && let Some(last) = tokens.last_mut()
        {
            last.ends = true;
        }
    }
    tokens
}

/// The plain words of utterances; each ends a sentence.
pub fn reference(texts: &[String]) -> Vec<Token> {
    let utterances = texts.iter().map(|text| {
        let mut tokens = tokens([text.as_str()]);
        if let Some(last) = tokens.last_mut() {
            last.ends = true;
        }
        tokens
    });
    utterances.flatten().collect()
}

/// For each word of the reference, the last written word up to it, and whether it is the same one.
pub fn places(truth: &[Token], written: &[Token]) -> (Vec<(Option<usize>, bool)>, usize) {
    let plain = |tokens: &[Token]| -> Vec<String> {
        tokens.iter().map(|token| token.plain.clone()).collect()
    };
    let mut places = Vec::with_capacity(truth.len());
    let (mut at, mut errors) = (0_usize, 0);
    for step in align(&plain(truth), &plain(written)) {
        errors += usize::from(!matches!(step, Step::Same(..)));
        match step {
            Step::More(_) => at += 1,
            Step::Missing => places.push((at.checked_sub(1), false)),
            Step::Same(..) | Step::Other => {
                places.push((Some(at), matches!(step, Step::Same(..))));
                at += 1;
            }
        }
    }
    (places, errors)
}

/// The figures of a text.
pub struct Score {
    /// Percent of the reference's words that are wrong, missing or added.
    pub errors: f64,
    /// Sentences of the reference.
    pub ends: usize,
    /// Of these, how many end in the text.
    pub right: usize,
    /// Other ends of sentences in the text.
    pub wrong: usize,
    /// Sentences of the text that begin with a small letter.
    pub small: usize,
}

impl Score {
    /// Measures a recognised text.
    pub fn of(case: &Case, recognition: &Recognition) -> Self {
        let truth = reference(&case.texts);
        let written = tokens(recognition.words.iter().map(|word| word.text.as_str()));
        let (places, errors) = places(&truth, &written);
        let mut found: Vec<usize> = truth
            .iter()
            .zip(places)
            .filter_map(|(token, (place, _))| place.filter(|&at| token.ends && written[at].ends))
            .collect();
        found.dedup();
        let starts = std::iter::once(true).chain(written.iter().map(|token| token.ends));
        Self {
            errors: 100.0 * errors as f64 / truth.len().max(1) as f64,
            ends: truth.iter().filter(|token| token.ends).count(),
            right: found.len(),
            wrong: written.iter().filter(|token| token.ends).count() - found.len(),
            small: starts
                .zip(&written)
                .filter(|(starts, token)| *starts && token.is_small)
                .count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_compared_where_words_are_aligned() {
        let texts = ["Раз два. Три чотири".to_owned(), "П\u{2bc}ять?".to_owned()];
        let case = Case {
            name: String::new(),
            language: "uk",
            file: std::path::PathBuf::new(),
            texts: texts.to_vec(),
        };
        let word = |text: &str| super::super::super::Word {
            start: 0.0,
            end: 0.0,
            text: text.to_owned(),
            language: None,
        };
        let written = ["Раз", "два,", "три.", "чотирі.", "п’ять."];
        let recognition = Recognition {
            words: written.map(word).to_vec(),
            written: Vec::new(),
            removed: Vec::new(),
            language: None,
            cpu: 0.0,
            error: None,
        };
        let score = Score::of(&case, &recognition);
        assert_eq!(
            (score.ends, score.right, score.wrong, score.small),
            (3, 2, 1, 2)
        );
        assert!((score.errors - 20.0).abs() < 1e-9, "{}", score.errors);
    }
}
