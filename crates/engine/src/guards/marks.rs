//! Removes subtitlers' annotations, which are not speech: `[MUSIC]`, `(coughs)`, `*sighs*` and `♪
//! …`.

use slovo_rules::removed::RemovedReason;

use super::{CleanedWords, Evidence};
use crate::event::RecognisedWord;
use crate::windows::Window;

/// The most words of an annotation in round brackets or asterisks.
const LONGEST_NOTE: usize = 4;

/// An annotation in round brackets or asterisks with at least this mean probability, in a voiced
/// part of a longer text, was spoken: models are this sure of few annotations.
const SPOKEN_PROBABILITY: f64 = 0.8;

/// A kind of delimiters around an annotation.
#[derive(Clone, Copy)]
struct Delimiters {
    closing: char,
    /// The most words of an annotation; longer ones are speech, unless the window has no other
    /// text.
    longest: usize,
    /// Whether speech is written between these delimiters, too.
    holds_speech: bool,
}

impl Delimiters {
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

/// Whether a text is one annotation in brackets or asterisks and nothing else. As the only text of a
/// window it is always removed.
pub(crate) fn is_annotation(text: &str) -> bool {
    let mut characters = text.chars();
    let delimiters = characters.next().and_then(Delimiters::opened_by);
    delimiters.is_some_and(|delimiters| {
        let inner = characters.as_str().strip_suffix(delimiters.closing);
        inner.is_some_and(|inner| !inner.contains(delimiters.closing))
    })
}

/// Removes the annotations.
pub(super) fn remove_annotations(cleaned: &mut CleanedWords, window: &Window) {
    let words = std::mem::take(&mut cleaned.words);
    let mut at = 0;
    while at < words.len() {
        let length = note(&words[at..], words.len(), window);
        if length == 0 {
            cleaned.words.push(words[at].clone());
            at += 1;
            continue;
        }
        let annotation = &words[at..at + length];
        let evidence = Evidence::measure(annotation, window);
        cleaned.remove(annotation, evidence, RemovedReason::SoundMark);
        at += length;
    }
}

/// Length in words of the annotation at the start of `words`; the window has `all` words.
fn note(words: &[RecognisedWord], all: usize, window: &Window) -> usize {
    let Some(first) = words.first() else { return 0 };
    let Some(mark) = first.text.chars().next().and_then(Delimiters::opened_by) else {
        return usize::from(first.text.contains('♪'));
    };
    let closes = |(place, word): (usize, &RecognisedWord)| {
        word.text
            .rfind(mark.closing)
            .is_some_and(|at| place > 0 || at > 0)
    };
    // A mark that is never closed is an ordinary bracket of the text.
    let Some(last) = words.iter().enumerate().position(closes) else {
        return 0;
    };
    let length = last + 1;
    if length == all {
        // The window has no other text.
        return length;
    }
    let evidence = Evidence::measure(&words[..length], window);
    let is_speech =
        mark.holds_speech && !evidence.contradicts() && evidence.confidence >= SPOKEN_PROBABILITY;
    if length > mark.longest || is_speech {
        0
    } else {
        length
    }
}
