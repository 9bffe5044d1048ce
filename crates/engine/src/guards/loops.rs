//! Repeated groups of words, which the model writes when it is caught in a loop.

use std::ops::Range;

use slovo_rules::removed::RemovedReason;

use super::{CleanedWords, Evidence, MAX_COMPRESSION, plain};
use crate::windows::Window;

/// A loop has at least this many equal groups of words; single words need more repetitions, because
/// people repeat them, too ("no, no, no, no").
const LOOP_OF_WORDS: usize = 4;
const LOOP_OF_ONE_WORD: usize = 8;

/// Words of the longest group that is looked for.
const LONGEST_GROUP: usize = 10;

/// Reduces a group of words that is repeated too often to one occurrence, if the text compresses
/// better than speech does or the sound contradicts it.
pub(super) fn remove_loops(cleaned: &mut CleanedWords, window: &Window) {
    let words = std::mem::take(&mut cleaned.words);
    let plain: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
    let mut at = 0;
    while at < words.len() {
        let found = longest_loop(&plain[at..]).and_then(|(group, times)| {
            let repetitions = at..at + group * times;
            let evidence = Evidence::measure(&words[repetitions.clone()], window);
            (evidence.compression > MAX_COMPRESSION || evidence.contradicts())
                .then_some((at + group..repetitions.end, evidence))
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

/// The loop at the start of `words`: length of its group and number of repetitions.
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
