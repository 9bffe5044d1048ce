//! Groups of words that repeat themselves: the model caught in a circle.

use std::ops::Range;

use slovo_rules::removed::RemovedReason;

use super::{Cleaned, Evidence, MAX_COMPRESSION, plain};
use crate::windows::Window;

/// A loop is a run of at least so many equal groups of words; single words may be
/// repeated more often in earnest ("no, no, no, no").
const LOOP_OF_WORDS: usize = 4;
const LOOP_OF_ONE_WORD: usize = 8;

/// Longest group that is looked for.
const LONGEST_GROUP: usize = 10;

/// Cuts a group of words that repeats itself too often down to one, if the text compresses
/// as none that is said does or the sound speaks against it.
pub(super) fn take_out(cleaned: &mut Cleaned, window: &Window) {
    let words = std::mem::take(&mut cleaned.words);
    let plain: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
    let mut at = 0;
    while at < words.len() {
        let found = longest_loop(&plain[at..]).and_then(|(group, times)| {
            let whole = at..at + group * times;
            let evidence = Evidence::about(&words[whole.clone()], window);
            (evidence.compression > MAX_COMPRESSION || evidence.is_against())
                .then_some((at + group..whole.end, evidence))
        });
        let Some((turns, evidence)) = found else {
            cleaned.words.push(words[at].clone());
            at += 1;
            continue;
        };
        let Range { start, end } = turns;
        cleaned.words.extend_from_slice(&words[at..start]);
        cleaned.remove(&words[start..end], evidence, RemovedReason::Loop);
        at = end;
    }
}

/// The loop at the head of `words`: length of its group and number of its turns.
fn longest_loop(words: &[String]) -> Option<(usize, usize)> {
    (1..=LONGEST_GROUP.min(words.len() / 2))
        .map(|group| {
            let times = words
                .chunks_exact(group)
                .take_while(|chunk| *chunk == &words[..group])
                .count();
            (group, times)
        })
        .filter(|&(group, times)| {
            times
                >= if group == 1 {
                    LOOP_OF_ONE_WORD
                } else {
                    LOOP_OF_WORDS
                }
        })
        .max_by_key(|&(group, times)| (group * times, std::cmp::Reverse(group)))
}
