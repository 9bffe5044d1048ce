//! The word error rate: wrong, missing and added words in relation to the spoken ones.

use unicode_normalization::UnicodeNormalization;

/// The words of a text for comparison: lower case, only letters and digits. Hyphens and dashes
/// separate words. Each Chinese, Japanese or Korean character counts as a word, as in published
/// error rates.
#[must_use]
pub fn plain(text: &str) -> Vec<String> {
    let text: String = text.nfc().collect();
    let mut words = Vec::new();
    for part in text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—')) {
        let mut word = String::new();
        // The Ukrainian apostrophe may be the letter U+02BC or a punctuation mark.
        let letters = part.chars().filter(|c| c.is_alphanumeric() && *c != 'ʼ');
        for letter in letters.flat_map(char::to_lowercase) {
            if !is_cjk(letter) {
                word.push(letter);
                continue;
            }
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            words.push(letter.to_string());
        }
        if !word.is_empty() {
            words.push(word);
        }
    }
    words
}

/// Whether it is a Chinese or Japanese character or a Korean syllable.
const fn is_cjk(letter: char) -> bool {
    matches!(
        letter,
        '\u{1100}'..='\u{11ff}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{323af}'
    )
}

/// The number of word errors (Levenshtein distance in words) and the number of words of the
/// reference.
#[must_use]
pub fn word_errors(reference: &str, recognised: &str) -> (usize, usize) {
    let (reference, recognised) = (plain(reference), plain(recognised));
    let mut row: Vec<usize> = (0..=recognised.len()).collect();
    for (place, expected) in reference.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = place + 1;
        for (column, word) in recognised.iter().enumerate() {
            let substituted = diagonal + usize::from(word != expected);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
        }
    }
    (row[recognised.len()], reference.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_substitutions_deletions_and_insertions() {
        for (reference, recognised, errors) in [
            ("", "", 0),
            ("one two three", "One, two – three!", 0),
            ("one two three", "one too three", 1),
            ("one two three", "one three", 1),
            ("one two three", "one two and three", 1),
            ("one two three", "", 3),
            ("пʼять сил-силенна", "п'ять сил силенна", 0),
            ("", "invented words", 2),
            ("мі\u{438}\u{306}", "мій", 0),
            ("今日は、いい天気", "今日わいい天気", 1),
        ] {
            let words = plain(reference).len();
            assert_eq!(word_errors(reference, recognised), (errors, words));
        }
    }
}
