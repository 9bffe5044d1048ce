//! Quotation marks without a partner.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::RecognisedWord;

/// What a quotation mark is.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Opening(char),
    Closing(char),
}

/// A mark in the text: the word it belongs to, its byte in it, and what it is.
type Place = (usize, usize, Mark);

/// Removes quotation marks whose partner is missing from the words of a window. Each window is
/// recognised without knowing the text before it, so no quotation continues in the next one.
pub(super) fn balance(words: &mut [RecognisedWord]) {
    let mut open: Vec<Place> = Vec::new();
    let mut lonely: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (number, word) in words.iter().enumerate() {
        for (at, mark) in marks(&word.text) {
            let Mark::Closing(closing) = mark else {
                open.push((number, at, mark));
                continue;
            };
            let partner = open
                .iter()
                .rposition(|(_, _, opened)| pairs(*opened, closing));
            let Some(partner) = partner else {
                lonely.entry(number).or_default().insert(at);
                continue;
            };
            // What was opened inside has no end.
            for (word, at, _) in open.drain(partner..).skip(1) {
                lonely.entry(word).or_default().insert(at);
            }
        }
    }
    for (word, at, _) in open {
        lonely.entry(word).or_default().insert(at);
    }
    for (number, places) in lonely {
        let text = &mut words[number].text;
        // A word has letters beside its marks; one that had none would lose its text.
        if text.contains(char::is_alphanumeric) {
            let kept = text.char_indices().filter(|(at, _)| !places.contains(at));
            *text = kept.map(|(_, character)| character).collect();
        }
    }
}

/// The quotation marks of a word with their bytes. Straight and upper marks open before the word's
/// first letter and close after its last one; inside a word, and after a number (inches), they are
/// none.
fn marks(text: &str) -> Vec<(usize, Mark)> {
    let first = text.find(char::is_alphanumeric).unwrap_or(text.len());
    let last = text.rfind(char::is_alphanumeric).unwrap_or_default();
    let mark = |(at, character): (usize, char)| {
        let mark = match character {
            '«' | '„' => Mark::Opening(character),
            '»' => Mark::Closing(character),
            '"' | '“' | '”' if at < first => Mark::Opening(character),
            '"' if is_inches(&text[..at]) => return None,
            '"' | '“' | '”' if at > last => Mark::Closing(character),
            _ => return None,
        };
        Some((at, mark))
    };
    text.char_indices().filter_map(mark).collect()
}

fn is_inches(before: &str) -> bool {
    before.ends_with(|c: char| c.is_ascii_digit())
}

fn pairs(opened: Mark, closing: char) -> bool {
    let Mark::Opening(opening) = opened else {
        return false;
    };
    matches!(
        (opening, closing),
        ('«', '»') | ('„' | '“', '“' | '”') | ('”', '”') | ('"', '"')
    )
}
#[cfg(test)]
mod tests {
    use super::super::tests::{texts, written};
    use super::*;

    fn balanced(text: &str) -> String {
        let mut words = written(text);
        balance(&mut words);
        let once = words.clone();
        balance(&mut words);
        assert_eq!(words, once, "idempotent");
        texts(&words).join(" ")
    }

    #[test]
    fn marks_without_a_partner_are_removed() {
        for (text, expected) in [
            ("тут так «написано людина.", "тут так написано людина."),
            ("жахлива людина». Дякую", "жахлива людина. Дякую"),
            ("сказав: \"Ходімо додому.", "сказав: Ходімо додому."),
            ("він «читав „Кобзар» учора", "він «читав Кобзар» учора"),
            ("»так« вийшло", "так вийшло"),
        ] {
            assert_eq!(balanced(text), expected);
        }
    }

    #[test]
    fn pairs_inches_and_marks_inside_words_stay() {
        for text in [
            "жахлива «людина». Дякую",
            "сказав: „Ходімо“, і пішов",
            "роман “Тигролови”, автор",
            "телевізор 42\" новий",
            "\"так\" і \"ні\"",
            "«він читав „Кобзар“ учора»",
            "те\"ст",
        ] {
            assert_eq!(balanced(text), text);
        }
    }
}
