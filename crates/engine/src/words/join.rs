//! The words of two windows that both heard the same second.

use crate::event::RecognisedWord;

/// Joins the words of two windows that both heard the sound around a forced cut.
///
/// Where both have the same words there, they are taken once; where not, the cut itself
/// divides them.
pub(crate) fn join(
    before: &mut Vec<RecognisedWord>,
    mut after: Vec<RecognisedWord>,
    cut: f64,
    overlap: f64,
) -> Vec<RecognisedWord> {
    let tail = before.partition_point(|word| word.end < cut - overlap);
    let head = after.partition_point(|word| word.start < cut + overlap);
    let mut best = (0, 0, 0);
    for left in tail..before.len() {
        for right in 0..head {
            let run = before[left..]
                .iter()
                .zip(&after[right..head])
                .take_while(|(a, b)| same_word(&a.text, &b.text))
                .count();
            if run > best.0 {
                best = (run, left, right);
            }
        }
    }
    if best.0 > 0 {
        before.truncate(best.1);
        after.drain(..best.2);
    } else {
        let middle = |word: &RecognisedWord| f64::midpoint(word.start, word.end);
        before.truncate(before.partition_point(|word| middle(word) < cut));
        after.drain(..after.partition_point(|word| middle(word) < cut));
    }
    after
}

pub(crate) fn same_word(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    letters(a) == letters(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[RecognisedWord]) -> Vec<&str> {
        words.iter().map(|word| word.text.as_str()).collect()
    }

    fn word(text: &str, start: f64, end: f64) -> RecognisedWord {
        RecognisedWord {
            start,
            end,
            text: text.to_owned(),
            spaced: true,
            confidence: 1.0,
        }
    }

    #[test]
    fn doubled_words_at_a_forced_cut_are_taken_once() {
        let mut before = vec![
            word("the", 8.0, 8.2),
            word("quick", 9.2, 9.6),
            word("brown", 9.7, 10.3),
            word("fo", 10.7, 11.0),
        ];
        let after = vec![
            word("ick", 9.0, 9.6),
            word("Brown", 9.7, 10.3),
            word("fox", 10.4, 11.0),
            word("jumps", 11.5, 12.0),
        ];
        let after = join(&mut before, after, 10.0, 1.0);
        assert_eq!(texts(&before), ["the", "quick"]);
        assert_eq!(texts(&after), ["Brown", "fox", "jumps"]);
    }

    #[test]
    fn without_a_common_word_the_cut_divides() {
        let mut before = vec![word("a", 9.1, 9.3), word("b", 10.2, 10.6)];
        let after = join(
            &mut before,
            vec![word("c", 9.4, 9.6), word("d", 10.1, 10.5)],
            10.0,
            1.0,
        );
        assert_eq!(texts(&before), ["a"]);
        assert_eq!(texts(&after), ["d"]);
    }
}
