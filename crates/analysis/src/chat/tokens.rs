//! How many tokens a text comes to, at most, and texts in pieces that fit.
//!
//! The endpoint's own tokenizer is not known here, so the estimate errs on the high side: a third
//! of the bytes of Latin letters, digits and signs (English has about 4.5 bytes a token, other
//! languages in Latin script 3 to 4), and half of the bytes of every other script (a token for
//! each Cyrillic, Greek, Hebrew or Arabic letter, one and a half for Indic, Thai, Chinese, Japanese
//! and Korean signs; vocabularies made for many languages need less than half of that).

use std::ops::Range;

/// Tokens of a text, rather too many than too few.
pub fn estimate(text: &str) -> usize {
    text.chars().map(sixths_of).sum::<usize>().div_ceil(6)
}

/// Of a token: a third or a half for each byte.
const fn sixths_of(c: char) -> usize {
    c.len_utf8() * if (c as u32) < 0x250 { 2 } else { 3 }
}

/// Tokens that a word of this language comes to in an answer, its share of JSON included.
pub fn per_word(language: &str) -> usize {
    const LATIN: [&str; 14] = [
        "en", "de", "es", "fr", "it", "pl", "pt", "nl", "cs", "hu", "fi", "tr", "da", "ca",
    ];
    if LATIN.contains(&language) { 4 } else { 10 }
}

/// Consecutive ranges whose sizes add up to at most `most`; one that is larger stands alone.
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

/// The text in pieces of at most `most` tokens: broken after a sentence if there is one in the
/// second half, otherwise after a word, otherwise where it must be. Blank pieces are left out.
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

/// Where to break a text of more than `most` tokens: behind its first letter; `None` for one that
/// has no more.
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
    fn scripts_count_by_their_bytes() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("abcdef"), 2);
        assert_eq!(estimate("слово"), 5);
        assert_eq!(estimate("ภาษา"), 6);
        assert_eq!(estimate("é"), 1);
    }

    #[test]
    fn parts_are_filled_and_never_more() {
        assert_eq!(packed([3, 3, 3, 9, 1, 1], 6), [0..2, 2..3, 3..4, 4..6]);
        assert_eq!(packed([], 6), [] as [Range<usize>; 0]);
        assert_eq!(packed([10], 6).len(), 1);
    }

    #[test]
    fn a_long_text_is_broken_after_sentences_then_words_then_anywhere() {
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
    fn nothing_is_lost_in_a_hundred_thousand_words() {
        let text = "Сказано багато слів, and some more. ".repeat(15_000);
        let pieces = split(&text, 500);
        let joined: Vec<&str> = pieces.iter().flat_map(|p| p.split_whitespace()).collect();
        assert!(joined.into_iter().eq(text.split_whitespace()));
    }
}
