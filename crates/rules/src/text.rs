//! Checks for all text fields: presence after trimming, and length in characters; and classes of
//! characters.

use unicode_width::UnicodeWidthChar;

use crate::violation::{Code, Violation, Violations};

/// Whether the text has more than `max` characters; reads at most `max + 1` of them.
#[must_use]
pub fn longer_than(text: &str, max: usize) -> bool {
    text.len() > max && text.chars().nth(max).is_some()
}

/// Number of characters (Unicode scalar values).
#[must_use]
pub fn length(text: &str) -> usize {
    text.chars().count()
}

/// Number of words in a text: the parts between white space with a letter or a digit. Separate
/// signs such as a dash do not count. In scripts without word separators (Chinese, Japanese) each
/// character counts as a word.
#[must_use]
pub fn words(text: &str) -> usize {
    text.split_whitespace().map(words_of_token).sum()
}

/// A run of letters and digits with characters inside counts as one word; each character of a
/// script without spaces counts as another.
fn words_of_token(token: &str) -> usize {
    let signs = token.chars().filter(|c| is_word_sign(*c)).count();
    let others = token
        .chars()
        .any(|c| c.is_alphanumeric() && !is_word_sign(c));
    signs + usize::from(others)
}

/// Whether a character is a word of its own: Han, Hiragana and Katakana.
const fn is_word_sign(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether the character is kept in clean text, apart from spaces.
pub fn is_visible(character: char) -> bool {
    !(character.is_whitespace() || character.is_control() || character == '\u{feff}')
}

/// Whether a line may be broken before this character without a space: scripts without spaces (Han,
/// kana, full-width forms, Thai).
#[must_use]
pub fn breaks_freely(character: char) -> bool {
    let wide = character.width() == Some(2)
        && !matches!(character, '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}');
    wide || matches!(character, '\u{ff61}'..='\u{ff9f}' | '\u{0e00}'..='\u{0e7f}')
}

/// The trimmed text of a required field of at most `max` characters.
pub(crate) fn required(
    violations: &mut Violations,
    field: &str,
    text: &str,
    missing: Code,
    max: usize,
) -> String {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        violations.add(field, missing);
    }
    limited(violations, field, trimmed, max);
    trimmed.to_owned()
}

/// Adds a violation for a text of more than `max` characters.
pub(crate) fn limited(violations: &mut Violations, field: &str, text: &str, max: usize) {
    if longer_than(text, max) {
        violations.push(
            Violation::new(field, Code::TooLong)
                .with("max", max)
                .with("length", length(text)),
        );
    }
}

/// A name on one line, without invisible characters that could break a line, a mail header or a
/// stored text, or change the text direction.
pub fn one_line(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control() && !turns(*c))
        .collect()
}

/// Like [`one_line`], trimmed, and with single spaces.
pub(crate) fn single_spaced(name: &str) -> String {
    let line = one_line(name);
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ")
}

/// A text of several lines without such characters; line breaks and tabs are kept.
pub(crate) fn lines(text: &str) -> String {
    text.chars()
        .filter(|c| matches!(c, '\n' | '\t') || !(c.is_control() || turns(*c)))
        .collect()
}

/// Whether the character changes the text direction.
const fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_counted_in_any_script() {
        for (text, count) in [
            ("", 0),
            (" \n\t ", 0),
            ("Слово за словом", 3),
            ("У нас п’ять працівниць — і кожна має свій ключ.", 9),
            ("— … « »", 0),
            ("день-ніч, 98,5 % і 3:05", 4),
            ("one\u{a0}two\nthree", 3),
            ("一二三", 3),
            ("これはtestです", 6),
        ] {
            assert_eq!(words(text), count, "{text:?}");
        }
    }
}
