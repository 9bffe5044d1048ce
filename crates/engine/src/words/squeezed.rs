//! Times for words that the alignment squeezed into a moment.
//!
//! In reverberation and noise it gives a word one or two of the model's frames (20 ms each), and the
//! time in which it was spoken to a neighbour.

use slovo_rules::transcript::rounded;

use crate::event::RecognisedWord;

/// Nobody says a word in fewer seconds.
const POSSIBLE: f64 = 0.05;
/// Seconds that a letter takes at least in fast speech.
const LETTER: f64 = 0.035;
/// The seconds that a squeezed word is given, by its letters.
const GIVEN: (f64, f64) = (0.06, 0.2);

/// Gives squeezed words a possible length: from the silence after and before them, then from the
/// neighbour that has more to spare. `end` is the end of the window, in seconds.
pub(super) fn widen(words: &mut [RecognisedWord], end: f64) {
    for place in 0..words.len() {
        let word = &words[place];
        if word.end - word.start >= POSSIBLE {
            continue;
        }
        let wanted = least(word);
        let after = words.get(place + 1).map_or(end, |next| next.start);
        let before = match place.checked_sub(1) {
            Some(previous) => words[previous].end,
            // The audio before a window's first word may belong to another window.
            None => word.start,
        };
        let word = &mut words[place];
        word.end = (word.start + wanted).min(after).max(word.end);
        word.start = (word.end - wanted).max(before).min(word.start);
        let missing = wanted - (word.end - word.start);
        if missing > 0.0 {
            take_from_neighbour(words, place, missing);
        }
        let word = &mut words[place];
        (word.start, word.end) = (rounded(word.start), rounded(word.end));
    }
}

/// The seconds that a word takes at least.
fn least(word: &RecognisedWord) -> f64 {
    let letters = word.text.chars().filter(|c| c.is_alphanumeric()).count();
    (letters as f64 * LETTER).clamp(GIVEN.0, GIVEN.1)
}

/// Seconds that a word can spare.
fn spare(word: &RecognisedWord) -> f64 {
    (word.end - word.start - least(word)).max(0.0)
}

/// Moves the border to an adjoining word by at most `missing` seconds.
fn take_from_neighbour(words: &mut [RecognisedWord], place: usize, missing: f64) {
    let previous = place.checked_sub(1).map(|previous| &words[previous]);
    let of_previous = previous
        .filter(|previous| previous.end >= words[place].start)
        .map_or(0.0, spare);
    let next = words.get(place + 1);
    let of_next = next
        .filter(|next| next.start <= words[place].end)
        .map_or(0.0, spare);
    if of_previous <= 0.0 && of_next <= 0.0 {
        return;
    }
    if of_next > of_previous {
        let border = rounded(words[place].end + missing.min(of_next));
        words[place].end = border;
        words[place + 1].start = border;
    } else {
        let border = rounded(words[place].start - missing.min(of_previous));
        words[place].start = border;
        words[place - 1].end = border;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(times: &[(&str, f64, f64)]) -> Vec<RecognisedWord> {
        let word = |&(text, start, end): &(&str, f64, f64)| RecognisedWord {
            start,
            end,
            text: text.to_owned(),
            spaced: true,
            confidence: 0.9,
            language: None,
        };
        times.iter().map(word).collect()
    }

    fn widened(times: &[(&str, f64, f64)], end: f64) -> Vec<(f64, f64)> {
        let mut words = words(times);
        widen(&mut words, end);
        words.iter().map(|word| (word.start, word.end)).collect()
    }

    #[test]
    fn silence_around_a_squeezed_word_becomes_its_time() {
        let after = widened(&[("Yeah,", 1.0, 1.02), ("sure.", 1.5, 2.0)], 3.0);
        assert_eq!(after, [(1.0, 1.14), (1.5, 2.0)]);
        let before = widened(
            &[("so", 0.5, 0.9), ("all", 1.48, 1.5), ("is", 1.5, 1.7)],
            3.0,
        );
        assert_eq!(before, [(0.5, 0.9), (1.395, 1.5), (1.5, 1.7)]);
        let last = widened(&[("book.", 1.0, 1.02)], 1.1);
        assert_eq!(last, [(1.0, 1.1)], "not beyond the window");
    }

    #[test]
    fn a_squeezed_word_takes_time_from_the_longer_neighbour() {
        let next = widened(
            &[
                ("Steve's", 1.0, 1.3),
                ("feedback", 1.3, 1.32),
                ("from", 1.32, 2.0),
            ],
            3.0,
        );
        assert_eq!(next, [(1.0, 1.3), (1.3, 1.5), (1.5, 2.0)]);
        let previous = widened(
            &[("going", 1.0, 1.6), ("to", 1.6, 1.61), ("be", 1.61, 1.68)],
            3.0,
        );
        assert_eq!(previous, [(1.0, 1.54), (1.54, 1.61), (1.61, 1.68)]);
    }

    #[test]
    fn order_is_kept_where_there_is_no_time() {
        let crowded: Vec<_> = (0..6)
            .map(|n| ("a", 1.0 + 0.01 * f64::from(n), 1.01 + 0.01 * f64::from(n)))
            .collect();
        let times = widened(&crowded, 1.06);
        assert!(
            times.windows(2).all(|pair| pair[0].1 <= pair[1].0 + 1e-9),
            "{times:?}"
        );
        assert!(times.iter().all(|(start, end)| start <= end), "{times:?}");
        assert!(widened(&[], 1.0).is_empty());
    }
}
