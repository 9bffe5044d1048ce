//! Upper estimates of token counts, and splitting of texts into pieces that fit.
//!
//! The endpoint's tokenizer is unknown, so the estimate is deliberately high: a third of the bytes
//! of Latin letters, digits and signs (English has about 4.5 bytes per token, other languages in
//! Latin script 3 to 4), and half of the bytes of every other script (one token for each Cyrillic,
//! Greek, Hebrew or Arabic letter, one and a half for Indic, Thai, Chinese, Japanese and Korean
//! characters; multilingual vocabularies need less than half of that).

use std::ops::Range;

/// An upper estimate of the tokens of a text.
pub fn estimate(text: &str) -> usize {
    text.chars().map(sixths_of).sum::<usize>().div_ceil(6)
}

/// Sixths of a token: a third or a half of a token for each byte.
const fn sixths_of(c: char) -> usize {
    c.len_utf8() * if (c as u32) < 0x250 { 2 } else { 3 }
}

/// Tokens per word of this language in an answer, including its share of the JSON.
pub fn per_word(language: &str) -> usize {
    const LATIN: [&str; 14] = [
        "en", "de", "es", "fr", "it", "pl", "pt", "nl", "cs", "hu", "fi", "tr", "da", "ca",
    ];
    if LATIN.contains(&language) { 4 } else { 10 }
}

/// Consecutive ranges whose sizes add up to at most `most`; a larger element is a range of its own.
pub fn packed(sizes: impl IntoIterator<Item = usize>, most: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut sum = 0;
    for (at, size) in sizes.into_iter().enumerate() {
        match ranges.last_mut() {
            Some(range) if sum + size <= most => {
                range.end = at + 1;
                sum += size;
            }
            _ => {
                ranges.push(at..at + 1);
                sum = size;
            }
        }
    }
    ranges
}

/// Splits the text into pieces of at most `most` tokens: after a sentence if one ends in the second
/// half, otherwise after a word, otherwise anywhere. Blank pieces are left out.
pub fn split(text: &str, most: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while let Some(at) = break_at(rest, most) {
        let (piece, after) = rest.split_at(at);
        pieces.push(piece.trim_end());
        rest = after.trim_start();
    }
    pieces.push(rest);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Where to break a text of more than `most` tokens, at least after its first character; `None` if
/// it has only one.
fn break_at(text: &str, most: usize) -> Option<usize> {
    let most = most.saturating_mul(6);
    let (mut sixths, mut sentence, mut word) = (0_usize, None, None);
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let weight = sixths_of(c);
        if at > 0 && sixths + weight > most {
            return sentence.or(word).or(Some(at));
        }
        let is_space = c.is_whitespace();
        if at > 0 && is_space {
            word = Some(at);
        }
        let ends = matches!(last, '。' | '！' | '？' | '।')
            || (is_space && matches!(last, '.' | '!' | '?' | '…'));
        if ends && sixths >= most / 2 {
            sentence = Some(at);
        }
        sixths += weight;
        last = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_estimates_depend_on_the_script() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("abcdef"), 2);
        assert_eq!(estimate("слово"), 5);
        assert_eq!(estimate("ภาษา"), 6);
        assert_eq!(estimate("é"), 1);
    }

    #[test]
    fn items_are_packed_into_ranges_up_to_the_limit() {
        assert_eq!(packed([3, 3, 3, 9, 1, 1], 6), [0..2, 2..3, 3..4, 4..6]);
        assert_eq!(packed([], 6), [] as [Range<usize>; 0]);
        assert_eq!(packed([10], 6).len(), 1);
    }

    #[test]
    fn a_long_text_is_split_at_sentences_then_words_then_anywhere() {
        let text = "One two three. Four five six. Seven eight nine.";
        assert_eq!(
            split(text, 11),
            ["One two three. Four five six.", "Seven eight nine."]
        );
        assert_eq!(split("aaa bbb ccc", 2), ["aaa", "bbb", "ccc"]);
        let endless = "а".repeat(100);
        let pieces = split(&endless, 30);
        assert_eq!(pieces.concat(), endless);
        assert!(pieces.iter().all(|piece| estimate(piece) <= 31));
        assert!(split("  \n ", 5).is_empty());
    }

    #[test]
    fn splitting_a_long_text_loses_no_words() {
        let text = "Сказано багато слів, and some more. ".repeat(15_000);
        let pieces = split(&text, 500);
        let joined: Vec<&str> = pieces.iter().flat_map(|p| p.split_whitespace()).collect();
        assert!(joined.into_iter().eq(text.split_whitespace()));
    }
}
