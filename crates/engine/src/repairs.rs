//! Small repairs of the recognised text: letters, apostrophes, «будь ласка», quotation marks, and
//! where sentences begin and end. They change how words are written and never what was said; times,
//! confidences and languages stay.
//!
//! The words of a window are repaired when its text is put together, so live text, stored text and
//! resumed runs are the same, while stored windows keep what the model wrote. Every repair is
//! idempotent. Texts that people edit are never repaired.

mod apostrophes;
mod bud_laska;
mod letters;
mod quotes;
mod sentences;

use slovo_rules::language::Language;

use crate::event::RecognisedWord;

/// The typographic apostrophe.
const APOSTROPHE: char = '’';

/// Repairs words in the language in which they are written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repairs {
    /// The language of words without a language of their own.
    language: Option<Language>,
    /// Whether all words are a translation to English.
    is_translation: bool,
    /// Whether the words are a part of a recording, which may begin within a sentence.
    is_part: bool,
}

impl Repairs {
    pub(crate) fn new(is_translation: bool, is_part: bool) -> Self {
        Self {
            language: None,
            is_translation,
            is_part,
        }
    }

    /// Sets the language of the recording.
    pub(crate) fn set_language(&mut self, code: &str) {
        self.language = Language::parse(code);
    }

    /// Repairs the words of one window.
    pub(crate) fn window(self, words: Vec<RecognisedWord>) -> Vec<RecognisedWord> {
        let mut repaired = Vec::with_capacity(words.len());
        let mut words = words.into_iter().peekable();
        while let Some(first) = words.next() {
            let language = self.language_of(&first);
            let mut run = vec![first];
            while let Some(word) = words.next_if(|word| self.language_of(word) == language) {
                run.push(word);
            }
            repaired.extend(match language {
                Some(language @ (Language::Uk | Language::Ru)) => cyrillic(run, language),
                _ => run,
            });
        }
        repaired
    }

    /// Repairs the border between two neighbouring words, `last` and `next`; there is no `last`
    /// before the first word of a recording. `is_border`: a window ends between them, in a pause.
    pub(crate) fn between(
        self,
        last: Option<&mut RecognisedWord>,
        next: &mut RecognisedWord,
        is_border: bool,
    ) {
        let language = self.language_of(next);
        let begins = match last {
            None => !self.is_part,
            Some(last) => {
                if is_border && self.language_of(last) == language {
                    sentences::rejoin(last, next, language);
                }
                sentences::begins(&last.text, &next.text, is_border)
            }
        };
        if begins && let Some(text) = sentences::with_capital(&next.text, language) {
            next.text = text;
        }
    }

    /// The language in which a word is written.
    fn language_of(self, word: &RecognisedWord) -> Option<Language> {
        if self.is_translation {
            Some(Language::En)
        } else {
            word.language.or(self.language)
        }
    }
}

/// The repairs of Ukrainian or Russian words.
fn cyrillic(words: Vec<RecognisedWord>, language: Language) -> Vec<RecognisedWord> {
    let mut words = words;
    for word in &mut words {
        if let Some(text) = letters::repaired(&word.text, language) {
            word.text = text;
        }
    }
    if language == Language::Uk {
        words = bud_laska::repair(words);
        for word in &mut words {
            if let Some(text) = apostrophes::repaired(&word.text) {
                word.text = text;
            }
        }
    }
    quotes::balance(&mut words);
    words
}

/// The part of a word from its first letter or digit to its last one.
fn core(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The text with its first letter in upper case, if that is one character.
fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else {
        return String::new();
    };
    let mut upper = first.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) => std::iter::once(upper).chain(characters).collect(),
        _ => text.to_owned(),
    }
}

/// Whether the character is written for an apostrophe.
fn is_apostrophe(character: char) -> bool {
    matches!(
        character,
        '\'' | '’' | 'ʼ' | '‘' | '`' | '´' | '′' | '＇' | '‛'
    )
}

/// Whether the character is a letter of the Cyrillic script.
fn is_cyrillic(character: char) -> bool {
    matches!(character, '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}')
}

/// Whether the character is a mark on the letter before it: an accent.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests;
