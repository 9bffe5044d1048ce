//! Hand-made subtitles of a segment when its text changes, or it is split or merged.

use super::limits::{MAX_CUES, MIN_CUE_SECONDS};
use super::pieces::{Piece, Time, pieces};
use super::{EditedSegment, HandCue, clean, lcs, retime};
use crate::seconds::rounded;
use crate::text::is_visible;
use crate::violation::{Code, Violation, Violations};

/// The segment with another text. Its words keep their times ([`retime`]), and its hand-made
/// subtitles keep their boundaries and line breaks; one that loses its text is removed, and its
/// time is given to its neighbour.
#[must_use]
pub fn retext(segment: &EditedSegment, text: &str) -> EditedSegment {
    EditedSegment {
        words: retime(segment, text),
        cues: moved_cues(segment, text),
        text: clean(text),
        ..segment.clone()
    }
}

/// The hand-made subtitles after [`retext`].
#[must_use]
pub fn moved_cues(segment: &EditedSegment, text: &str) -> Vec<HandCue> {
    move_cues(&segment.cues, &segment.text, &clean(text))
}

/// Checks that each of these subtitles, and each of their lines, has text.
///
/// # Errors
/// The violations, by field: `cues.2.at`.
pub fn cues_fit(text: &str, cues: &[HandCue]) -> Result<(), Violations> {
    let visible = visible(text);
    let mut violations = Violations::new();
    for (position, cue) in cues.iter().enumerate() {
        let end = cues.get(position + 1).map_or(u32::MAX, |next| next.at);
        if !has_visible(&visible, cue.at, end) {
            let field = format!("cues.{position}.at");
            violations.push(Violation::new(&field, Code::CueMisplaced));
        } else if !breaks_fit(&visible, cue.at, end, &cue.breaks) {
            let field = format!("cues.{position}.breaks");
            violations.push(Violation::new(&field, Code::CueMisplaced));
        }
    }
    violations.or(|| ())
}

/// For each character of a text, whether it is visible.
fn visible(text: &str) -> Vec<bool> {
    text.chars().map(is_visible).collect()
}

/// Whether there are visible characters between two positions.
fn has_visible(visible: &[bool], from: u32, to: u32) -> bool {
    let to = index(to).min(visible.len());
    visible
        .get(index(from)..to)
        .is_some_and(|part| part.contains(&true))
}

fn breaks_fit(visible: &[bool], from: u32, to: u32, breaks: &[u32]) -> bool {
    let mut line_start = from;
    let all_visible = breaks.iter().all(|&at| {
        let has_text = has_visible(visible, line_start, at.min(to));
        line_start = at;
        has_text
    });
    all_visible && (breaks.is_empty() || has_visible(visible, line_start, to))
}

fn index(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn place(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The subtitles after their text has changed.
fn move_cues(cues: &[HandCue], old: &str, new: &str) -> Vec<HandCue> {
    if cues.is_empty() || old == new {
        return cues.to_vec();
    }
    let places = Places::of(old, new);
    let moved = cues.iter().map(|cue| HandCue {
        at: places.moved(cue.at),
        breaks: cue.breaks.iter().map(|&at| places.moved(at)).collect(),
        ..*cue
    });
    remove_empty(moved.collect(), new)
}

/// Maps the pieces of a text to another text.
struct Places {
    /// Start and end of each old piece, in Unicode scalar values.
    old: Vec<(u32, u32)>,
    /// Start of each new piece, followed by the end of the text.
    new: Vec<u32>,
    /// For each old piece, the equal new one.
    same: Vec<Option<usize>>,
}

impl Places {
    fn of(old: &str, new: &str) -> Self {
        let (before, after) = (pieces(old), pieces(new));
        let mut same = vec![None; before.len()];
        for (from, to) in lcs::pairs(&before, &after) {
            same[from] = Some(to);
        }
        let mut starts: Vec<u32> = spans(new, &after).iter().map(|span| span.0).collect();
        starts.push(place(new.chars().count()));
        Self {
            old: spans(old, &before),
            new: starts,
            same,
        }
    }

    /// The position in the new text for a position in the old one.
    fn moved(&self, at: u32) -> u32 {
        let piece = self.old.partition_point(|&(_, end)| end <= at);
        let unchanged = |old: usize| self.same.get(old).copied().flatten();
        if let Some(new) = unchanged(piece) {
            return self.new[new] + at.saturating_sub(self.old[piece].0);
        }
        // In a replaced stretch, the relative position is kept.
        let first = (0..piece).rev().find(|&old| unchanged(old).is_some());
        let old_start = first.map_or(0, |old| old + 1);
        let new_start = first.and_then(unchanged).map_or(0, |new| new + 1);
        let old_end = (piece..self.same.len()).find(|&old| unchanged(old).is_some());
        let new_end = old_end.and_then(unchanged).unwrap_or(self.new.len() - 1);
        let replaced = old_end.unwrap_or(self.same.len()) - old_start;
        let passed = (piece - old_start) * (new_end - new_start);
        self.new[new_start + (passed + replaced / 2).checked_div(replaced).unwrap_or(0)]
    }
}

/// Start and end of each piece in its text, in Unicode scalar values.
fn spans(text: &str, pieces: &[Piece<'_>]) -> Vec<(u32, u32)> {
    let (mut byte, mut count) = (0, 0);
    let spans = pieces.iter().map(|piece| {
        count += text[byte..piece.at].chars().count();
        let length = piece.text.chars().count();
        byte = piece.at;
        (place(count), place(count + length))
    });
    spans.collect()
}

/// Removes subtitles and lines without text: their time is given to the subtitle before, or at the
/// beginning to the one after.
fn remove_empty(cues: Vec<HandCue>, text: &str) -> Vec<HandCue> {
    let visible = visible(text);
    let ats: Vec<u32> = cues.iter().map(|cue| cue.at).collect();
    let mut result: Vec<HandCue> = Vec::with_capacity(cues.len());
    let mut waiting: Option<f64> = None;
    for (position, mut cue) in cues.into_iter().enumerate() {
        let end = ats.get(position + 1).copied().unwrap_or(u32::MAX);
        if !has_visible(&visible, cue.at, end) {
            match result.last_mut() {
                Some(last) => last.end = last.end.max(cue.end),
                None => waiting = waiting.or(Some(cue.start)),
            }
            continue;
        }
        cue.start = waiting
            .take()
            .map_or(cue.start, |start| start.min(cue.start));
        if result.is_empty() {
            cue.at = 0;
        }
        // Drops a line break before the first remaining letter.
        cue.breaks.retain(|&place| place > cue.at);
        cue.breaks.dedup();
        while !breaks_fit(&visible, cue.at, end, &cue.breaks) {
            cue.breaks.pop();
        }
        result.push(cue);
    }
    while result.len() > MAX_CUES {
        let last = result.pop();
        if let (Some(last), Some(before)) = (last, result.last_mut()) {
            before.end = last.end;
            before.breaks.clear();
        }
    }
    remove_overlaps(&mut result);
    result
}

/// Moves times so that subtitles do not overlap and each has the minimum duration.
pub(super) fn remove_overlaps(cues: &mut [HandCue]) {
    let mut floor = 0.0_f64;
    for at in 0..cues.len() {
        let next = cues.get(at + 1).map(|next| next.start);
        let cue = &mut cues[at];
        cue.start = rounded(cue.start.max(floor));
        let earliest = rounded(cue.start + MIN_CUE_SECONDS);
        let latest = next.map_or(f64::INFINITY, |next| next.max(earliest));
        cue.end = rounded(cue.end.min(latest).max(earliest));
        floor = cue.end;
    }
}

/// The subtitles on both sides of a split: up to `first_end`, and from `second_start` on. The time
/// of a subtitle that is split itself is divided by length.
pub(super) fn split_cues(
    segment: &EditedSegment,
    (first, second): (&str, &str),
    (first_start, second_start): (usize, usize),
) -> (Vec<HandCue>, Vec<HandCue>) {
    let cut = place(second_start);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (position, cue) in segment.cues.iter().enumerate() {
        let end = segment.cues.get(position + 1);
        let end = end.map_or(place(segment.text.chars().count()), |next| next.at);
        let (left, right) = (
            cut.min(end).saturating_sub(cue.at),
            end.saturating_sub(cut.max(cue.at)),
        );
        let shares = Time::between(cue.start, cue.end);
        let moment = shares.share(0, index(left), index(left + right).max(1)).end;
        if left > 0 {
            before.push(HandCue {
                at: cue.at.saturating_sub(place(first_start)),
                end: moment,
                breaks: cue
                    .breaks
                    .iter()
                    .filter(|&&at| at < cut)
                    .map(|at| at.saturating_sub(place(first_start)))
                    .collect(),
                ..*cue
            });
        }
        if right > 0 {
            after.push(HandCue {
                at: cue.at.saturating_sub(cut),
                start: moment,
                end: cue.end,
                breaks: cue
                    .breaks
                    .iter()
                    .filter_map(|at| at.checked_sub(cut))
                    .collect(),
            });
        }
    }
    (remove_empty(before, first), remove_empty(after, second))
}

/// The merged subtitles of two segments, where the second text begins at `second_start`. A segment
/// without subtitles gets one with its own time.
pub(super) fn joined(
    a: &EditedSegment,
    b: &EditedSegment,
    text: &str,
    second_start: usize,
) -> Vec<HandCue> {
    if a.cues.is_empty() && b.cues.is_empty() {
        return Vec::new();
    }
    let own = |segment: &EditedSegment| {
        if segment.cues.is_empty() {
            let time = Time::between(segment.start, segment.end);
            vec![HandCue {
                at: 0,
                start: time.start,
                end: time.end,
                breaks: Vec::new(),
            }]
        } else {
            segment.cues.clone()
        }
    };
    // White space before the second text is not in the merged one.
    let trimmed = b.text.chars().take_while(|c| c.is_whitespace()).count();
    let later = |at: u32| {
        place(
            (index(at) + second_start)
                .saturating_sub(trimmed)
                .max(second_start),
        )
    };
    let mut cues = own(a);
    cues.extend(own(b).into_iter().map(|cue| HandCue {
        at: later(cue.at),
        breaks: cue.breaks.iter().map(|&at| later(at)).collect(),
        ..cue
    }));
    remove_empty(cues, text)
}
