//! Removes the prompt's own sentences, which the model may repeat where it hears nothing.

use slovo_rules::removed::RemovedReason;

use super::{CleanedWords, Evidence, plain};
use crate::windows::Window;

/// So many words of the prompt in its order are an echo of it: more than any one of its sentences,
/// which somebody may say.
const ECHO: usize = 8;

/// So many are one if the sound contradicts them.
const SHORT_ECHO: usize = 3;

/// Removes words that repeat the `prompt`.
pub(super) fn remove_echoes(cleaned: &mut CleanedWords, window: &Window, prompt: &str) {
    let prompt: Vec<String> = prompt.split_whitespace().map(plain).collect();
    let words = std::mem::take(&mut cleaned.words);
    let written: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
    let mut at = 0;
    while at < words.len() {
        let length = longest_common(&written[at..], &prompt);
        let evidence =
            (length >= SHORT_ECHO).then(|| Evidence::measure(&words[at..at + length], window));
        match evidence {
            Some(evidence) if length >= ECHO || evidence.contradicts() => {
                let echo = &words[at..at + length];
                cleaned.remove(echo, evidence, RemovedReason::PhantomPhrase);
                at += length;
            }
            _ => {
                cleaned.words.push(words[at].clone());
                at += 1;
            }
        }
    }
}

/// The most words at the start of `written` that follow each other in the prompt.
fn longest_common(written: &[String], prompt: &[String]) -> usize {
    let starts = (0..prompt.len()).map(|from| {
        let pairs = written.iter().zip(&prompt[from..]);
        pairs.take_while(|(a, b)| a == b).count()
    });
    starts.max().unwrap_or_default()
}
