//! Times for the words of a text that was edited.

use std::ops::Range;

use super::pieces::{Piece, Time, length, pieces, text_with_ranges};
use super::{EditedSegment, clean, lcs};
use crate::transcript::Word;

/// Confidence of a word written by a person.
pub(super) const WRITTEN: f64 = 1.0;
/// A shorter gap, in seconds, is ignored.
const MIN_GAP: f64 = 0.05;

/// The words for a segment's new text.
///
/// Unchanged words keep their time and confidence. Replacing words share the time of the replaced
/// ones by length, or one for one if there are equally many. Inserted words use the time between
/// their neighbours; if there is none, they use their share, by length, of the word before them (at
/// the beginning: after them), which keeps its time. Written words have confidence 1. Starts and
/// ends remain in ascending order if they were before. A segment without words stays without.
#[must_use]
pub fn retime(segment: &EditedSegment, text: &str) -> Vec<Word> {
    let words: Vec<&Word> = segment.words.iter().filter(|word| has_text(word)).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let text = clean(text);
    let (old_text, ranges) = text_with_ranges(&segment.text, &words);
    let bounds = Time::between(segment.start, segment.end);
    let old = OriginalText::new(words, bounds, &old_text, &ranges);
    let new = EditedText::new(&text, &old);
    new.words(&old)
}

fn has_text(word: &Word) -> bool {
    !word.text.trim().is_empty()
}

/// The old text.
struct OriginalText<'a> {
    words: Vec<&'a Word>,
    bounds: Time,
    pieces: Vec<Piece<'a>>,
    /// The time of each piece.
    times: Vec<Time>,
    blocks: Vec<Block>,
}

/// A minimal group of pieces that corresponds to whole words.
struct Block {
    pieces: Range<usize>,
    words: Range<usize>,
}

impl<'a> OriginalText<'a> {
    fn new(words: Vec<&'a Word>, bounds: Time, text: &'a str, ranges: &[Range<usize>]) -> Self {
        let pieces = pieces(text);
        let times = pieces.iter().map(|piece| {
            let piece = piece.range();
            let first = ranges.partition_point(|word| word.end <= piece.start);
            let last = ranges.partition_point(|word| word.start < piece.end);
            let moment = |word: usize, byte: usize| {
                let (range, time) = (ranges.get(word)?, Time::of(words.get(word)?));
                let before = text.get(range.start..byte.clamp(range.start, range.end))?;
                let total = length(&text[range.clone()]);
                Some(time.share(0, before.chars().count(), total).end)
            };
            let start = moment(first, piece.start).unwrap_or(bounds.end);
            let end = moment(last.saturating_sub(1), piece.end).unwrap_or(start);
            Time::between(start, end)
        });
        Self {
            times: times.collect(),
            blocks: blocks(&pieces, ranges),
            words,
            bounds,
            pieces,
        }
    }
}

/// Aligns pieces and words, both of which cover the text except for white space.
fn blocks(pieces: &[Piece<'_>], words: &[Range<usize>]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut piece, mut word) = (0, 0);
    while piece < pieces.len() && word < words.len() {
        let (first_piece, first_word) = (piece, word);
        while let (Some(left), Some(right)) = (pieces.get(piece), words.get(word)) {
            let (left, right) = (left.range().end, right.end);
            piece += usize::from(left <= right);
            word += usize::from(right <= left);
            if left == right {
                break;
            }
        }
        blocks.push(Block {
            pieces: first_piece..piece,
            words: first_word..word,
        });
    }
    blocks
}

/// The new text.
struct EditedText<'a> {
    text: &'a str,
    pieces: Vec<Piece<'a>>,
    /// For each new piece, the equal old one.
    same: Vec<Option<usize>>,
    /// For each old piece, the equal new one.
    stays: Vec<Option<usize>>,
    times: Vec<Time>,
}

impl<'a> EditedText<'a> {
    fn new(text: &'a str, old: &OriginalText<'_>) -> Self {
        let pieces = pieces(text);
        let mut same = vec![None; pieces.len()];
        let mut stays = vec![None; old.pieces.len()];
        for (before, after) in lcs::pairs(&old.pieces, &pieces) {
            same[after] = Some(before);
            stays[before] = Some(after);
        }
        let times = times(old, &pieces, &same);
        Self {
            text,
            pieces,
            same,
            stays,
            times,
        }
    }

    /// The old words whose pieces all stay together, and new words in between.
    fn words(&self, old: &OriginalText<'_>) -> Vec<Word> {
        let mut words = Vec::new();
        let mut done = 0;
        for block in &old.blocks {
            let Some(at) = self.unchanged_start(old, block) else {
                continue;
            };
            let unchanged = &old.words[block.words.clone()];
            self.push_written(done..at, unchanged.first().copied(), &mut words);
            words.extend(unchanged.iter().copied().cloned());
            done = at + block.pieces.len();
        }
        self.push_written(done..self.pieces.len(), None, &mut words);
        words
    }

    /// The first new piece of a block that is unchanged.
    fn unchanged_start(&self, old: &OriginalText<'_>, block: &Block) -> Option<usize> {
        let first = self.stays.get(block.pieces.start).copied().flatten()?;
        let is_unchanged = block.pieces.clone().enumerate().all(|(step, before)| {
            let after = first + step;
            self.same.get(after) == Some(&Some(before))
                && (step == 0 || self.pieces[after].spaced == old.pieces[before].spaced)
        });
        is_unchanged.then_some(first)
    }

    /// Words of new pieces; pieces without white space between them form one word.
    fn push_written(&self, range: Range<usize>, next: Option<&Word>, words: &mut Vec<Word>) {
        let mut from = range.start;
        while from < range.end {
            let to = (from + 1..range.end)
                .find(|&at| self.pieces[at].spaced)
                .unwrap_or(range.end);
            let text = self.pieces[from].at..self.pieces[to - 1].range().end;
            let time = Time::between(self.times[from].start, self.times[to - 1].end);
            let time = in_order(time, words.last(), next);
            words.push(Word {
                start: time.start,
                end: time.end,
                text: self.text[text].to_owned(),
                confidence: WRITTEN,
            });
            from = to;
        }
    }
}

/// A time for each new piece.
fn times(old: &OriginalText<'_>, new: &[Piece<'_>], same: &[Option<usize>]) -> Vec<Time> {
    let mut times = Vec::with_capacity(new.len());
    // Old pieces before this one have been processed.
    let mut passed = 0;
    while times.len() < new.len() {
        let from = times.len();
        if let Some(before) = same[from] {
            times.push(old.times[before]);
            passed = before + 1;
            continue;
        }
        let to = (from..new.len())
            .find(|&at| same[at].is_some())
            .unwrap_or(new.len());
        let next = same.get(to).copied().flatten().unwrap_or(old.times.len());
        times.extend(shares(old, passed..next, &new[from..to]));
        passed = next;
    }
    times
}

/// Times for replacing or inserted pieces.
fn shares(old: &OriginalText<'_>, replaced: Range<usize>, new: &[Piece<'_>]) -> Vec<Time> {
    let texts = new.iter().map(|piece| piece.text);
    if replaced.len() == new.len() {
        return old.times[replaced].to_vec();
    }
    if let [first, .., last] | [first @ last] = &old.times[replaced.clone()] {
        return Time::between(first.start, last.end).shared(texts);
    }
    let before = replaced
        .start
        .checked_sub(1)
        .map(|at| (old.times[at], old.pieces[at].text));
    let after = old
        .times
        .get(replaced.end)
        .zip(old.pieces.get(replaced.end));
    let gap = Time::between(
        before.map_or(old.bounds.start, |(time, _)| time.end),
        after.map_or(old.bounds.end, |(time, _)| time.start),
    );
    let own: usize = texts.clone().map(length).sum();
    let time = match (before, after) {
        _ if gap.end - gap.start >= MIN_GAP => gap,
        (Some((time, text)), _) => {
            let length_before = length(text);
            time.share(length_before, length_before + own, length_before + own)
        }
        (None, Some((time, piece))) => time.share(0, own, own + length(piece.text)),
        (None, None) => old.bounds,
    };
    time.shared(texts)
}

/// The time limited so that starts and ends stay in ascending order.
fn in_order(time: Time, last: Option<&Word>, next: Option<&Word>) -> Time {
    let (mut start, mut end) = (time.start, time.end);
    if let Some(last) = last.map(Time::of) {
        (start, end) = (start.max(last.start), end.max(last.end));
    }
    if let Some(next) = next.map(Time::of) {
        (start, end) = (start.min(next.start), end.min(next.end));
    }
    Time::between(start, end)
}
