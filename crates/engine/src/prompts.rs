//! The prompts of a job: the user's vocabulary and the style of each language.

use std::collections::BTreeMap;

use crate::style;
use crate::vocabulary::{self, MAX_PROMPT_TOKENS};

/// Prompt tokens by language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Prompts {
    /// Languages with a style: the vocabulary, then the style, which counts most at the end.
    styled: BTreeMap<&'static str, Vec<i32>>,
    /// All others: the vocabulary.
    plain: Vec<i32>,
}

impl Prompts {
    /// The prompts of a job, and how many of the terms are in all of them.
    pub(crate) fn new(
        terms: &[String],
        styled: impl IntoIterator<Item = &'static str>,
        tokenize: impl Fn(&str) -> Result<Vec<i32>, String>,
    ) -> Result<(Self, usize), String> {
        let plain = vocabulary::prompt(terms, MAX_PROMPT_TOKENS, &tokenize)?;
        let mut used = plain.used;
        let mut prompts = Self {
            plain: plain.tokens,
            styled: BTreeMap::new(),
        };
        for language in styled {
            let Some(text) = style::text(language) else {
                continue;
            };
            let style = tokenize(&format!(" {text}"))?;
            let budget = MAX_PROMPT_TOKENS.saturating_sub(style.len());
            let listed = vocabulary::prompt(terms, budget, &tokenize)?;
            used = used.min(listed.used);
            let tokens = listed.tokens.into_iter().chain(style).collect();
            prompts.styled.insert(language, tokens);
        }
        Ok((prompts, used))
    }

    /// The prompt of a language; may be empty.
    pub(crate) fn of(&self, language: &str) -> &[i32] {
        self.styled.get(language).unwrap_or(&self.plain)
    }

    /// The text of a language's style, if it is in its prompt.
    pub(crate) fn style_of(&self, language: &str) -> Option<&'static str> {
        style::text(language).filter(|_| self.styled.contains_key(language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One token per character.
    fn letters(text: &str) -> Result<Vec<i32>, String> {
        Ok(text.chars().map(|c| c as i32).collect())
    }

    fn written(tokens: &[i32]) -> String {
        let letters = tokens.iter().filter_map(|&c| char::from_u32(c as u32));
        letters.collect()
    }

    #[test]
    fn the_style_follows_the_vocabulary_in_its_language_only() {
        let terms = ["Ґанок".to_owned()];
        let (prompts, used) = Prompts::new(&terms, ["uk"], letters).expect("no failure");
        let style = style::text("uk").expect("a style");
        assert_eq!(written(prompts.of("uk")), format!(" Ґанок. {style}"));
        assert_eq!(written(prompts.of("en")), " Ґанок.");
        assert_eq!(used, 1);
        assert_eq!(prompts.style_of("uk"), Some(style));
        assert_eq!(prompts.style_of("en"), None);
    }

    #[test]
    fn without_a_style_and_terms_there_is_no_prompt() {
        let (prompts, used) = Prompts::new(&[], [], letters).expect("no failure");
        assert_eq!((prompts, used), (Prompts::default(), 0));
        assert_eq!(Prompts::default().style_of("uk"), None);
    }

    #[test]
    fn both_fit_into_the_budget() {
        let terms: Vec<String> = (0..500).map(|number| format!("term{number:03}")).collect();
        let (prompts, used) = Prompts::new(&terms, ["uk"], letters).expect("no failure");
        for language in ["uk", "en"] {
            assert!(prompts.of(language).len() <= MAX_PROMPT_TOKENS);
        }
        let listed = written(prompts.of("uk")).matches("term").count();
        assert_eq!(used, listed, "what fits into the shortest list");
        assert!(listed > 10 && listed < written(prompts.of("en")).matches("term").count());
    }
}
