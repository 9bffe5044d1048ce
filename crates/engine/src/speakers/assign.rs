//! Combines speakers' turns with recognised words.

mod by_sentence;

use slovo_rules::removed::RemovedReason;
use slovo_rules::transcript::{Segment, Transcript, Word, speaker_name};

use super::Turn;

/// A word outside all turns belongs to the nearest turn within this many seconds; beyond that, to
/// the speaker of the words before it.
const NEAR: f64 = 1.0;

/// Assigns each segment its speaker, `SPEAKER_n` in order of first appearance in the text, and so
/// each passage of speech that was not recognised. The segments are renumbered.
///
/// The words' times decide. By default, a segment in which the speaker changes between two words is
/// split there. With `whole_sentences`, every sentence has one speaker, the one who says most of
/// it, even across several segments; a segment of several sentences is split between them. A
/// segment without words goes as a whole to the speaker who speaks most during it. Without turns
/// nothing changes.
#[must_use]
pub fn assign(transcript: Transcript, turns: &[Turn], whole_sentences: bool) -> Transcript {
    if turns.is_empty() {
        return transcript;
    }
    let turns = &Timeline::new(turns);
    let Transcript {
        segments,
        mut removed,
        ..
    } = transcript;
    let assigned = if whole_sentences {
        by_sentence::assigned(segments, turns)
    } else {
        by_turn(segments, turns)
    };
    let mut order: Vec<usize> = Vec::new();
    let mut name = |speaker| {
        let known = order.iter().position(|known| *known == speaker);
        speaker_name(known.unwrap_or_else(|| {
            order.push(speaker);
            order.len() - 1
        }))
    };
    let segments = (0..)
        .zip(assigned)
        .map(|(index, (segment, speaker))| Segment {
            index,
            speaker: Some(name(speaker)),
            ..segment
        })
        .collect();
    for passage in &mut removed {
        if passage.reason == RemovedReason::Unrecognised {
            let speaker = longest(turns, [(passage.start, passage.end)], None);
            passage.speaker = speaker.map(&mut name);
        }
    }
    Transcript {
        segments,
        removed,
        ..transcript
    }
}

fn by_turn(segments: Vec<Segment>, turns: &Timeline) -> Vec<(Segment, usize)> {
    let mut assigned: Vec<(Segment, usize)> = Vec::with_capacity(segments.len());
    for segment in segments {
        let before = assigned.last().map(|(_, speaker)| *speaker);
        if segment.words.is_empty() {
            let speaker = majority(std::slice::from_ref(&segment), turns, before);
            assigned.push((segment, speaker));
        } else {
            split(segment, turns, before, &mut assigned);
        }
    }
    assigned
}

/// The speaker of most of what is said in these segments; there must be at least one segment.
fn majority(segments: &[Segment], turns: &Timeline, before: Option<usize>) -> usize {
    let start = segments.first().map_or(0.0, |first| first.start);
    let end = segments.last().map_or(start, |last| last.end);
    longest(turns, segments.iter().flat_map(spans), before)
        .unwrap_or_else(|| turns.nearest(start, end, before))
}

/// The speaker who speaks longest in these spans of time; in a tie, the one who spoke before.
fn longest(
    turns: &Timeline,
    spans: impl IntoIterator<Item = (f64, f64)>,
    before: Option<usize>,
) -> Option<usize> {
    let mut shares: Vec<(usize, f64)> = Vec::new();
    for (start, end) in spans {
        for (speaker, seconds) in turns.overlaps(start, end) {
            match shares.iter_mut().find(|(known, _)| *known == speaker) {
                Some((_, sum)) => *sum += seconds,
                None => shares.push((speaker, seconds)),
            }
        }
    }
    largest_share(&shares, before)
}

/// The time spans in which something is said in a segment.
fn spans(segment: &Segment) -> Vec<(f64, f64)> {
    if segment.words.is_empty() {
        return vec![(segment.start, segment.end)];
    }
    let words = segment.words.iter();
    words.map(|word| (word.start, word.end)).collect()
}

/// The speaker with the largest share; in a tie, the one who spoke before.
fn largest_share(shares: &[(usize, f64)], before: Option<usize>) -> Option<usize> {
    let largest = shares
        .iter()
        .map(|(_, seconds)| *seconds)
        .fold(0.0, f64::max);
    let mut largest = shares
        .iter()
        .filter(|(_, seconds)| *seconds > 0.0 && *seconds >= largest - 1e-9)
        .map(|(speaker, _)| *speaker);
    let first = largest.clone().next()?;
    Some(
        largest
            .find(|speaker| Some(*speaker) == before)
            .unwrap_or(first),
    )
}

/// Turns in order of start, with the latest end up to each of them, so that looking up a word does
/// not scan all turns.
struct Timeline {
    turns: Vec<Turn>,
    /// The index of the turn up to here that ends last.
    latest: Vec<usize>,
}

impl Timeline {
    fn new(turns: &[Turn]) -> Self {
        let mut turns = turns.to_vec();
        turns.sort_by(|a, b| a.start.total_cmp(&b.start));
        let mut latest: Vec<usize> = Vec::with_capacity(turns.len());
        for (place, turn) in turns.iter().enumerate() {
            let last = latest.last().copied().unwrap_or(place);
            latest.push(if turn.end >= turns[last].end {
                place
            } else {
                last
            });
        }
        Self { turns, latest }
    }

    /// For each turn, how many seconds of this span its speaker speaks.
    fn overlaps(&self, start: f64, end: f64) -> impl Iterator<Item = (usize, f64)> {
        let late = self.turns.partition_point(|turn| turn.start < end);
        let ended = self
            .latest
            .partition_point(|place| self.turns[*place].end <= start);
        let range = ended.min(late)..late;
        self.turns[range].iter().filter_map(move |turn| {
            let seconds = turn.end.min(end) - turn.start.max(start);
            (seconds > 0.0).then_some((turn.speaker, seconds))
        })
    }

    /// The speaker of the nearest turn, or the previous speaker if none is near.
    fn nearest(&self, start: f64, end: f64, before: Option<usize>) -> usize {
        let distance = |turn: &Turn| (turn.start - end).max(start - turn.end).max(0.0);
        let next = self.turns.partition_point(|turn| turn.start < end);
        let last = next.checked_sub(1).map(|place| self.latest[place]);
        let best = [last, Some(next)]
            .into_iter()
            .flatten()
            .filter_map(|place| self.turns.get(place))
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        match (best, before) {
            (Some(turn), Some(before)) if distance(turn) > NEAR => before,
            (Some(turn), _) => turn.speaker,
            (None, before) => before.unwrap_or(0),
        }
    }
}

/// Cuts a segment where the speaker changes between words.
fn split(
    segment: Segment,
    turns: &Timeline,
    before: Option<usize>,
    assigned: &mut Vec<(Segment, usize)>,
) {
    let speakers = speakers_of_words(&segment.words, turns, before);
    if speakers.windows(2).all(|pair| pair[0] == pair[1]) {
        let speaker = speakers[0];
        assigned.push((segment, speaker));
        return;
    }
    let runs: Vec<&[usize]> = speakers.chunk_by(|a, b| a == b).collect();
    let counts: Vec<usize> = runs.iter().map(|run| run.len()).collect();
    let owners = runs.iter().map(|run| run[0]);
    assigned.extend(cut(segment, &counts).into_iter().zip(owners));
}

/// Splits a segment into parts of these word counts, which add up to all its words.
fn cut(segment: Segment, counts: &[usize]) -> Vec<Segment> {
    let mut texts = texts_of_words(&segment).into_iter();
    let mut words = segment.words.into_iter().peekable();
    let mut start = segment.start;
    let mut parts = Vec::with_capacity(counts.len());
    for count in counts.iter().copied() {
        let part: Vec<Word> = words.by_ref().take(count).collect();
        let text: String = texts.by_ref().take(count).collect();
        let last = part.last().map_or(start, |word| word.end);
        let next = words.peek().map(|word| word.start);
        let end = if next.is_none() { segment.end } else { last };
        parts.push(Segment {
            index: 0,
            start,
            end: end.max(start),
            speaker: None,
            language: segment.language.clone(),
            text: text.trim().to_owned(),
            words: part,
        });
        start = next.unwrap_or(end);
    }
    parts
}

/// A speaker for every word. A single word of another speaker between two of the same speaker is
/// more likely a timing error than an interjection, unless it is long.
fn speakers_of_words(words: &[Word], turns: &Timeline, before: Option<usize>) -> Vec<usize> {
    /// A single word of at least this many seconds is accepted.
    const MIN_CREDIBLE_SECONDS: f64 = 0.4;
    let mut speakers: Vec<usize> = Vec::with_capacity(words.len());
    for word in words {
        let before = speakers.last().copied().or(before);
        let shares: Vec<(usize, f64)> = turns.overlaps(word.start, word.end).collect();
        speakers.push(
            largest_share(&shares, before)
                .unwrap_or_else(|| turns.nearest(word.start, word.end, before)),
        );
    }
    for place in 1..speakers.len().saturating_sub(1) {
        let (left, right) = (speakers[place - 1], speakers[place + 1]);
        let is_long = words[place].end - words[place].start >= MIN_CREDIBLE_SECONDS;
        if left == right && speakers[place] != left && !is_long {
            speakers[place] = left;
        }
    }
    speakers
}

/// The segment's text split at its words, each with the characters before it. If the text does not
/// consist of the words, they are joined by spaces.
fn texts_of_words(segment: &Segment) -> Vec<String> {
    let mut texts = Vec::with_capacity(segment.words.len());
    let mut rest = segment.text.as_str();
    for word in &segment.words {
        match rest.find(&word.text) {
            Some(place) if rest[..place].trim().is_empty() => {
                let (text, after) = rest.split_at(place + word.text.len());
                texts.push(text.to_owned());
                rest = after;
            }
            _ => {
                let words = segment.words.iter();
                return words.map(|word| format!(" {}", word.text)).collect();
            }
        }
    }
    if let Some(last) = texts.last_mut() {
        last.push_str(rest);
    }
    texts
}

#[cfg(test)]
mod tests;
