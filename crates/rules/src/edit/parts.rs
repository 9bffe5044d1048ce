//! Splitting a segment, merging two, and the order of the results.

use super::pieces::{Time, length, located};
use super::{EditedSegment, Place, hand};
use crate::text::breaks_freely;
use crate::transcript::Word;

/// Distance between consecutive parts: room for forty splits between them.
pub const PART_GAP: i64 = 1 << 40;
/// Parts stay below this and above its negative, so that JavaScript numbers are exact.
pub const PART_END: i64 = 1 << 53;

/// A part for a split-off segment: between two parts, or after the last one. `None` if there is no
/// room between them.
#[must_use]
pub fn part_between(left: i64, right: Option<i64>) -> Option<i64> {
    let behind = left.saturating_add(PART_GAP);
    if right.is_none() && behind < PART_END {
        return Some(behind);
    }
    let right = right.unwrap_or(PART_END).min(PART_END);
    let half = right.checked_sub(left)? / 2;
    (half > 0).then(|| left + half)
}

/// That many rising parts between two parts, evenly spaced, or after the last one. `None` if there
/// is no room between them.
#[must_use]
pub fn parts_between(left: i64, right: Option<i64>, count: usize) -> Option<Vec<i64>> {
    let gaps = i64::try_from(count).ok()?.checked_add(1)?;
    let step = match right {
        Some(right) => right.min(PART_END).checked_sub(left)? / gaps,
        None => PART_GAP.min(PART_END.checked_sub(left)? / gaps),
    };
    (step > 0).then(|| (1..gaps).map(|number| left + step * number).collect())
}

/// A part before the first one ever used. `None` if there is no room.
#[must_use]
pub fn part_before(first: i64) -> Option<i64> {
    let part = first.saturating_sub(PART_GAP);
    (part > -PART_END && part < first).then_some(part)
}

/// Splits a segment: the first half keeps `at` Unicode scalar values of its text, the other gets
/// the new id and part. White space at the split is dropped; the time of a word that is split is
/// divided by length. `None` if one side would have no text.
///
/// The first half keeps the revision, the other starts at 0; the caller sets revisions.
#[must_use]
pub fn split(
    segment: &EditedSegment,
    at: u32,
    new_id: &str,
    part: i64,
) -> Option<(EditedSegment, EditedSegment)> {
    let at = usize::try_from(at).ok()?;
    let (cut, _) = segment.text.char_indices().nth(at)?;
    let (before, after) = segment.text.split_at(cut);
    let (first_text, second_text) = (before.trim(), after.trim());
    if first_text.is_empty() || second_text.is_empty() {
        return None;
    }
    let (first_words, second_words) = split_words(segment, cut);
    let count = |text: &str| text.chars().count();
    let starts = (
        count(before) - count(before.trim_start()),
        at + count(after) - count(after.trim_start()),
    );
    let (first_cues, second_cues) = hand::split_cues(segment, (first_text, second_text), starts);
    let span = Time::between(segment.start, segment.end);
    let shares = span.shared([first_text, second_text].into_iter());
    let first_end = first_words.last().map_or(shares[0].end, |word| word.end);
    let second_start = second_words
        .first()
        .map_or(shares[1].start, |word| word.start);
    let first = EditedSegment {
        end: first_end.clamp(span.start, span.end),
        text: first_text.to_owned(),
        words: first_words,
        cues: first_cues,
        ..segment.clone()
    };
    let second = EditedSegment {
        id: new_id.to_owned(),
        revision: 0,
        place: Place {
            base: segment.place.base,
            part,
        },
        start: second_start.clamp(span.start, span.end),
        end: segment.end,
        speaker: segment.speaker.clone(),
        language: segment.language.clone(),
        text: second_text.to_owned(),
        words: second_words,
        cues: second_cues,
    };
    Some((first, second))
}

/// Merges two consecutive segments: the first one's id, place, revision and speaker; the language
/// of the one with more text, of the first if they are equal; the text, words and hand-made
/// subtitles of both. If only one has words, the other gets some, by length; if
/// only one has subtitles, the other gets one with its own time.
#[must_use]
pub fn merge(a: &EditedSegment, b: &EditedSegment) -> EditedSegment {
    let words = if a.words.is_empty() && b.words.is_empty() {
        Vec::new()
    } else {
        let mut words = words_of(a);
        words.extend(words_of(b));
        words
    };
    let text = joined(&a.text, &b.text);
    let longer = if length(&b.text) > length(&a.text) {
        b
    } else {
        a
    };
    let second_start = text.chars().count() - b.text.trim_start().chars().count();
    EditedSegment {
        start: a.start.min(b.start),
        end: a.end.max(b.end),
        cues: hand::joined(a, b, &text, second_start),
        text,
        words,
        language: longer.language.clone(),
        ..a.clone()
    }
}

/// The words on both sides of a byte position in the text.
fn split_words(segment: &EditedSegment, cut: usize) -> (Vec<Word>, Vec<Word>) {
    let Some(ranges) = located(&segment.text, &segment.words) else {
        return split_words_by_time(segment, cut);
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (word, range) in segment.words.iter().zip(ranges) {
        if range.end <= cut {
            before.push(word.clone());
        } else if range.start >= cut {
            after.push(word.clone());
        } else {
            let (left, right) = segment.text[range.clone()].split_at(cut - range.start);
            let times = Time::of(word).shared([left, right].into_iter());
            before.push(with(word, left, times[0]));
            after.push(with(word, right, times[1]));
        }
    }
    (before, after)
}

/// For words that do not match the text: each goes to the side that contains its time.
fn split_words_by_time(segment: &EditedSegment, cut: usize) -> (Vec<Word>, Vec<Word>) {
    let (first, second) = segment.text.split_at(cut);
    let span = Time::between(segment.start, segment.end);
    let moment = span
        .share(0, length(first), length(first) + length(second))
        .end;
    let middle = |word: &Word| f64::midpoint(word.start, word.end);
    let words = segment.words.iter().cloned();
    words.partition(|word| middle(word) < moment)
}

fn with(word: &Word, text: &str, time: Time) -> Word {
    Word {
        start: time.start,
        end: time.end,
        text: text.to_owned(),
        confidence: word.confidence,
    }
}

/// The segment's words, or those of its text with its time divided by length.
fn words_of(segment: &EditedSegment) -> Vec<Word> {
    if !segment.words.is_empty() {
        return segment.words.clone();
    }
    let times = Time::between(segment.start, segment.end).shared(segment.text.split_whitespace());
    let words = segment.text.split_whitespace().zip(times);
    words
        .map(|(text, time)| Word {
            start: time.start,
            end: time.end,
            text: text.to_owned(),
            confidence: 1.0,
        })
        .collect()
}

/// Joins two texts, with a space unless their script has none.
fn joined(a: &str, b: &str) -> String {
    let (a, b) = (a.trim_end(), b.trim_start());
    let unspaced = |character: Option<char>| character.is_some_and(breaks_freely);
    let glued = unspaced(a.chars().next_back()) && unspaced(b.chars().next());
    if glued || a.is_empty() || b.is_empty() {
        format!("{a}{b}")
    } else {
        format!("{a} {b}")
    }
}
