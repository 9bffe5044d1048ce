//! `[MUSIC]`, `(coughs)`, `*sighs*` and `♪ …`: notes of subtitlers, not speech.

use slovo_rules::removed::RemovedReason;

use super::{Cleaned, Evidence};
use crate::event::RecognisedWord;
use crate::windows::Window;

/// The most words of a note in round brackets or asterisks.
const LONGEST_NOTE: usize = 4;

/// A note in round brackets or asterisks with at least this mean probability, in voiced
/// sound of a text, was said: models are sure of few notes.
const SURE: f64 = 0.8;

/// What encloses a note.
#[derive(Clone, Copy)]
struct Mark {
    closing: char,
    /// The most words of a note; longer ones are speech, unless nothing else was written.
    longest: usize,
    /// Whether speech is written in it, too.
    holds_speech: bool,
}

impl Mark {
    fn opened_by(opening: char) -> Option<Self> {
        let (closing, longest) = match opening {
            '[' => (']', usize::MAX),
            '【' => ('】', usize::MAX),
            '(' => (')', LONGEST_NOTE),
            '（' => ('）', LONGEST_NOTE),
            '*' => ('*', LONGEST_NOTE),
            _ => return None,
        };
        Some(Self {
            closing,
            longest,
            holds_speech: longest == LONGEST_NOTE,
        })
    }
}

/// Takes the notes out.
pub(super) fn take_out(cleaned: &mut Cleaned, window: &Window) {
    let words = std::mem::take(&mut cleaned.words);
    let mut at = 0;
    while at < words.len() {
        let length = note(&words[at..], words.len(), window);
        if length == 0 {
            cleaned.words.push(words[at].clone());
            at += 1;
            continue;
        }
        let some = &words[at..at + length];
        let evidence = Evidence::about(some, window);
        cleaned.remove(some, evidence, RemovedReason::SoundMark);
        at += length;
    }
}

/// How many words of a note stand at the head of `words`, of `all` in the window.
fn note(words: &[RecognisedWord], all: usize, window: &Window) -> usize {
    let Some(first) = words.first() else { return 0 };
    let Some(mark) = first.text.chars().next().and_then(Mark::opened_by) else {
        return usize::from(first.text.contains('♪'));
    };
    let closes = |(place, word): (usize, &RecognisedWord)| {
        word.text
            .rfind(mark.closing)
            .is_some_and(|at| place > 0 || at > 0)
    };
    // A mark that never closes is a bracket in real text.
    let Some(last) = words.iter().enumerate().position(closes) else {
        return 0;
    };
    let length = last + 1;
    if length == all {
        // Nothing else was written.
        return length;
    }
    let evidence = Evidence::about(&words[..length], window);
    let is_said = mark.holds_speech && !evidence.is_against() && evidence.confidence >= SURE;
    if length > mark.longest || is_said {
        0
    } else {
        length
    }
}
