//! A speaker for every sentence.

use slovo_rules::transcript::Segment;

use super::{Timeline, cut, majority};
use crate::sentences::{LONG_PAUSE, ends_sentence};

/// The longest sentence in seconds: text without full stops would otherwise be one sentence of one
/// speaker.
const LONGEST: f64 = 60.0;

/// The segments with their speakers, split so that none contains parts of two sentences.
pub(super) fn assigned(segments: Vec<Segment>, turns: &Timeline) -> Vec<(Segment, usize)> {
    let parts: Vec<Segment> = segments.into_iter().flat_map(split_at_sentences).collect();
    let mut assigned: Vec<(Segment, usize)> = Vec::with_capacity(parts.len());
    let mut sentence: Vec<Segment> = Vec::new();
    for part in parts {
        if sentence.last().is_some_and(|last| !continues(last, &part))
            || sentence
                .first()
                .is_some_and(|first| part.end - first.start > LONGEST)
        {
            assign_sentence(std::mem::take(&mut sentence), turns, &mut assigned);
        }
        sentence.push(part);
    }
    assign_sentence(sentence, turns, &mut assigned);
    assigned
}

/// Assigns a whole sentence to the speaker who says most of it.
fn assign_sentence(sentence: Vec<Segment>, turns: &Timeline, assigned: &mut Vec<(Segment, usize)>) {
    if sentence.is_empty() {
        return;
    }
    let before = assigned.last().map(|(_, speaker)| *speaker);
    let speaker = majority(&sentence, turns, before);
    assigned.extend(sentence.into_iter().map(|part| (part, speaker)));
}

/// A segment split where sentences end between its words.
fn split_at_sentences(segment: Segment) -> Vec<Segment> {
    let mut counts = vec![1];
    for pair in segment.words.windows(2) {
        if ends_sentence(&pair[0].text, &pair[1].text) {
            counts.push(0);
        }
        if let Some(last) = counts.last_mut() {
            *last += 1;
        }
    }
    if counts.len() == 1 {
        return vec![segment];
    }
    cut(segment, &counts)
}

/// Whether an unfinished sentence continues in the next segment.
fn continues(last: &Segment, next: &Segment) -> bool {
    let word = last.text.split_whitespace().next_back().unwrap_or_default();
    let following = next.text.split_whitespace().next().unwrap_or_default();
    next.start - last.end < LONG_PAUSE && !ends_sentence(word, following)
}
