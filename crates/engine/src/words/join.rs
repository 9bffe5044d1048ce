//! Joins the words of two windows that overlap by a second.

use crate::event::RecognisedWord;
use crate::guards::plain;

/// Words whose middles are further apart than this, in seconds, are different words.
const MAX_DISTANCE: f64 = 0.5;

/// Joins the words of two windows that overlap around a forced cut.
///
/// If both have the same words at the same time, the words are taken once; otherwise the cut itself
/// divides them.
pub(crate) fn join(
    before: &mut Vec<RecognisedWord>,
    mut after: Vec<RecognisedWord>,
    cut: f64,
    overlap: f64,
) -> Vec<RecognisedWord> {
    let tail = before.partition_point(|word| word.end < cut - overlap);
    let head = after.partition_point(|word| word.start < cut + overlap);
    if let Some((left, right)) = common(&before[tail..], &after[..head]) {
        if right == 0 {
            // The first word of a window gets a capital, whatever is before it.
            lowercase_initial(&mut after[0].text, &before[tail + left].text);
        }
        before.truncate(tail + left);
        after.drain(..right);
    } else {
        before.truncate(before.partition_point(|word| middle(word) < cut));
        after.drain(..after.partition_point(|word| middle(word) < cut));
    }
    if let (Some(last), Some(first)) = (before.last_mut(), after.first_mut()) {
        super::separate(last, first);
    }
    super::in_order(&mut after);
    after
}

/// The start of the longest run of words that both have in common; in a tie, the run whose times
/// agree best.
fn common(before: &[RecognisedWord], after: &[RecognisedWord]) -> Option<(usize, usize)> {
    let mut best: Option<(usize, f64, (usize, usize))> = None;
    for left in 0..before.len() {
        for right in 0..after.len() {
            let (count, apart) = run(&before[left..], &after[right..]);
            let is_better = best
                .is_none_or(|(most, least, _)| count > most || (count == most && apart < least));
            if count > 0 && is_better {
                best = Some((count, apart, (left, right)));
            }
        }
    }
    best.map(|(_, _, place)| place)
}

/// Number of first words that both have in common, and the sum of their time differences.
fn run(before: &[RecognisedWord], after: &[RecognisedWord]) -> (usize, f64) {
    before
        .iter()
        .zip(after)
        .map(|(a, b)| (same_word(&a.text, &b.text), (middle(a) - middle(b)).abs()))
        .take_while(|&(is_same, apart)| is_same && apart <= MAX_DISTANCE)
        .fold((0, 0.0), |(count, sum), (_, apart)| {
            (count + 1, sum + apart)
        })
}

/// Gives a word the small letter that it begins with in the window before.
fn lowercase_initial(text: &mut String, before: &str) {
    let (Some(capital), Some(small)) = (text.chars().next(), before.chars().next()) else {
        return;
    };
    if capital != small && small.to_uppercase().eq([capital]) {
        text.replace_range(..capital.len_utf8(), small.encode_utf8(&mut [0; 4]));
    }
}

fn middle(word: &RecognisedWord) -> f64 {
    f64::midpoint(word.start, word.end)
}

pub(crate) fn same_word(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
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
            language: None,
        }
    }

    #[test]
    fn repeated_words_at_a_forced_cut_are_kept_once() {
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
    fn a_sentence_goes_on_after_a_forced_cut() {
        let mut before = vec![word("the", 8.9, 9.2), word("ґанок", 9.7, 10.3)];
        let after = vec![word("Ґанок", 9.7, 10.3), word("Київ", 10.5, 11.0)];
        let after = join(&mut before, after, 10.0, 1.0);
        assert_eq!(texts(&after), ["ґанок", "Київ"]);
        // A name has a capital in both windows.
        let mut before = vec![word("у", 8.9, 9.2), word("Київ", 9.7, 10.3)];
        let after = vec![word("Київ", 9.7, 10.3), word("Їду", 10.5, 11.0)];
        let after = join(&mut before, after, 10.0, 1.0);
        assert_eq!(texts(&after), ["Київ", "Їду"]);
    }

    #[test]
    fn without_a_common_word_the_cut_divides_the_words() {
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

    /// Words that last 0.2 s around these middles.
    fn around(words: &[(&str, f64)]) -> Vec<RecognisedWord> {
        words
            .iter()
            .map(|&(text, middle)| word(text, middle - 0.1, middle + 0.1))
            .collect()
    }

    fn assert_in_order(before: &[RecognisedWord], after: &[RecognisedWord]) {
        let all: Vec<&RecognisedWord> = before.iter().chain(after).collect();
        for pair in all.windows(2) {
            assert!(pair[0].start <= pair[0].end, "{pair:?}");
            assert!(pair[0].end <= pair[1].start, "{pair:?}");
        }
    }

    #[test]
    fn a_common_word_at_another_time_does_not_match() {
        let mut before = around(&[("the", 9.1), ("car", 9.5), ("stopped", 9.8), ("at", 10.3)]);
        let after = around(&[
            ("Got", 9.2),
            ("stop", 9.7),
            ("by", 10.3),
            ("the", 10.8),
            ("barn", 11.2),
        ]);
        let after = join(&mut before, after, 10.0, 1.0);
        assert_eq!(texts(&before), ["the", "car", "stopped"]);
        assert_eq!(texts(&after), ["by", "the", "barn"]);
        assert_in_order(&before, &after);
    }

    #[test]
    fn of_equal_runs_the_one_closest_in_time_is_used() {
        let mut before = around(&[("no", 9.5), ("no", 9.9), ("well", 10.4)]);
        let after = around(&[("oh", 9.5), ("no", 9.92), ("then", 10.4)]);
        let after = join(&mut before, after, 10.0, 1.0);
        assert_eq!(texts(&before), ["no"]);
        assert_eq!(texts(&after), ["no", "then"]);
    }

    #[test]
    fn times_do_not_run_backwards_over_the_border() {
        let mut before = around(&[("one", 9.3), ("two", 9.9)]);
        before[0].end = 9.8;
        let after = around(&[("two", 9.45), ("three", 9.6)]);
        let after = join(&mut before, after, 10.0, 1.0);
        assert_eq!(texts(&before), ["one"]);
        assert_eq!(texts(&after), ["two", "three"]);
        assert_in_order(&before, &after);
    }
}
