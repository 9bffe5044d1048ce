//! The differences between two states of a text: by segment, and by word within changed segments.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::transcript::speaker_label;

use super::SAME_SECONDS;

/// How long to search for the smallest difference. After that a larger one is accepted.
const LONGEST: Duration = Duration::from_secs(2);
/// Unchanged rows that are shown before and after a changed one.
const CONTEXT: usize = 1;

/// The differences between two states.
#[derive(Debug, Default, PartialEq)]
pub struct Diff {
    /// The changed rows with their context, ordered by time.
    pub rows: Vec<Row>,
    /// Words that only the later state has.
    pub added_words: u32,
    /// Words that only the earlier state has.
    pub removed_words: u32,
}

/// A segment that is in one or both states.
#[derive(Debug, PartialEq)]
pub struct Row {
    /// What changed.
    pub kind: RowKind,
    /// Unchanged rows omitted before this one.
    pub skipped: u32,
    /// Seconds.
    pub start: f64,
    /// Name or label in the earlier state.
    pub speaker_before: Option<String>,
    /// Name or label in the later state.
    pub speaker_after: Option<String>,
    /// Its times in both states, if they changed.
    pub moved: Option<MovedTimes>,
    /// Whether its manual subtitles changed.
    pub recued: bool,
    /// The text.
    pub pieces: Vec<Piece>,
}

/// The times of a segment in both states, start and end, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedTimes {
    /// In the earlier one.
    pub before: (f64, f64),
    /// In the later one.
    pub after: (f64, f64),
}

/// The kind of change of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Nothing.
    Equal,
    /// Text, speaker, times or subtitles.
    Changed,
    /// Only the later state has it.
    Added,
    /// Only the earlier state has it.
    Removed,
}

/// A piece of text. Without the added pieces the earlier text remains, without the removed ones the
/// later text, up to white space.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece {
    /// Which state contains it.
    pub kind: PieceKind,
    /// The text with its trailing white space.
    pub text: String,
}

/// Which state contains a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// Both.
    Equal,
    /// The later one.
    Added,
    /// The earlier one.
    Removed,
}

/// A segment with the name of its speaker.
#[derive(Clone, Copy)]
struct NamedSegment<'a> {
    segment: &'a EditedSegment,
    speaker: &'a Option<String>,
}

impl NamedSegment<'_> {
    /// The key by which rows count as equal.
    fn key(&self) -> (&str, Option<&str>) {
        (self.segment.text.trim(), self.speaker.as_deref())
    }
}

/// Compares two states.
#[must_use]
pub fn of(before: &EditedTranscript, after: &EditedTranscript) -> Diff {
    let deadline = Instant::now() + LONGEST;
    let (names_before, names_after) = (speakers(before), speakers(after));
    let (old, new) = (
        labelled_segments(before, &names_before),
        labelled_segments(after, &names_after),
    );
    let (old_keys, new_keys): (Vec<_>, Vec<_>) = (
        old.iter().map(NamedSegment::key).collect(),
        new.iter().map(NamedSegment::key).collect(),
    );
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &old_keys, &new_keys, Some(deadline));
    let mut comparing = DiffBuilder {
        same_run: before.version == after.version,
        deadline,
        diff: Diff::default(),
        rows: Vec::new(),
    };
    for op in ops {
        let (old_range, new_range) = (op.old_range(), op.new_range());
        let pair = (&old[old_range], &new[new_range]);
        if matches!(op, DiffOp::Equal { .. }) {
            for (old, new) in pair.0.iter().zip(pair.1) {
                comparing.equal(*old, *new);
            }
        } else {
            comparing.block(pair.0, pair.1);
        }
    }
    comparing.diff.rows = with_context(comparing.rows);
    comparing.diff
}

/// Names or labels of the speakers of a state, segment by segment.
fn speakers(transcript: &EditedTranscript) -> Vec<Option<String>> {
    let label = |id: &str| {
        let known = transcript.speakers.iter().find(|speaker| speaker.id == id);
        let name = known.and_then(|speaker| speaker.name.clone());
        name.unwrap_or_else(|| speaker_label(id))
    };
    let segments = transcript.segments.iter();
    segments
        .map(|segment| segment.speaker.as_deref().map(label))
        .collect()
}

fn labelled_segments<'a>(
    transcript: &'a EditedTranscript,
    speakers: &'a [Option<String>],
) -> Vec<NamedSegment<'a>> {
    let segments = transcript.segments.iter().zip(speakers);
    segments
        .map(|(segment, speaker)| NamedSegment { segment, speaker })
        .collect()
}

struct DiffBuilder {
    same_run: bool,
    deadline: Instant,
    diff: Diff,
    rows: Vec<Row>,
}

impl DiffBuilder {
    fn equal(&mut self, old: NamedSegment<'_>, new: NamedSegment<'_>) {
        let (moved, recued) = self.timed(old.segment, new.segment);
        let kind = if moved.is_some() || recued {
            RowKind::Changed
        } else {
            RowKind::Equal
        };
        self.rows.push(Row {
            kind,
            skipped: 0,
            start: new.segment.start,
            speaker_before: old.speaker.clone(),
            speaker_after: new.speaker.clone(),
            moved,
            recued,
            pieces: vec![Piece {
                kind: PieceKind::Equal,
                text: new.segment.text.clone(),
            }],
        });
    }

    /// Whether the times of a segment of the same run changed, and whether its manual subtitles
    /// changed.
    fn timed(&self, old: &EditedSegment, new: &EditedSegment) -> (Option<MovedTimes>, bool) {
        if !self.same_run || old.place != new.place {
            return (None, false);
        }
        let (before, after) = ((old.start, old.end), (new.start, new.end));
        let off = (before.0 - after.0).abs().max((before.1 - after.1).abs());
        let moved = (off >= SAME_SECONDS).then_some(MovedTimes { before, after });
        (moved, old.cues != new.cues)
    }

    /// Segments none of which is equal: those at the same position are one changed segment.
    fn block(&mut self, old: &[NamedSegment<'_>], new: &[NamedSegment<'_>]) {
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        loop {
            match (old.peek().copied(), new.peek().copied()) {
                (Some(a), Some(b)) if self.correspond(a.segment, b.segment) => {
                    self.changed(*a, *b);
                    old.next();
                    new.next();
                }
                (Some(a), Some(b)) if self.precedes(a.segment, b.segment) => {
                    self.push_one_sided(RowKind::Removed, *a);
                    old.next();
                }
                (_, Some(b)) => {
                    self.push_one_sided(RowKind::Added, *b);
                    new.next();
                }
                (Some(a), None) => {
                    self.push_one_sided(RowKind::Removed, *a);
                    old.next();
                }
                (None, None) => return,
            }
        }
    }

    /// Whether two segments correspond: by position or, between two runs, by most of their time.
    fn correspond(&self, a: &EditedSegment, b: &EditedSegment) -> bool {
        if self.same_run {
            return a.place == b.place;
        }
        let common = a.end.min(b.end) - a.start.max(b.start);
        common > 0.0 && common * 2.0 >= (a.end - a.start).min(b.end - b.start)
    }

    fn precedes(&self, a: &EditedSegment, b: &EditedSegment) -> bool {
        if self.same_run {
            a.place < b.place
        } else {
            a.start <= b.start
        }
    }

    fn push_one_sided(&mut self, kind: RowKind, line: NamedSegment<'_>) {
        let words = slovo_rules::text::words(&line.segment.text);
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        let speaker = line.speaker.clone();
        let (piece, before, after) = if kind == RowKind::Added {
            self.diff.added_words += words;
            (PieceKind::Added, None, speaker)
        } else {
            self.diff.removed_words += words;
            (PieceKind::Removed, speaker, None)
        };
        self.rows.push(Row {
            kind,
            skipped: 0,
            start: line.segment.start,
            speaker_before: before,
            speaker_after: after,
            moved: None,
            recued: false,
            pieces: vec![Piece {
                kind: piece,
                text: line.segment.text.clone(),
            }],
        });
    }

    fn changed(&mut self, old: NamedSegment<'_>, new: NamedSegment<'_>) {
        let pieces = self.words(&old.segment.text, &new.segment.text);
        let (moved, recued) = self.timed(old.segment, new.segment);
        self.rows.push(Row {
            kind: RowKind::Changed,
            skipped: 0,
            start: new.segment.start,
            speaker_before: old.speaker.clone(),
            speaker_after: new.speaker.clone(),
            moved,
            recued,
            pieces,
        });
    }

    fn words(&mut self, old: &str, new: &str) -> Vec<Piece> {
        let (old, new) = (tokens(old), tokens(new));
        let words = |tokens: &[&str]| -> Vec<String> {
            tokens.iter().map(|token| token.trim().to_owned()).collect()
        };
        let ops = capture_diff_slices_deadline(
            Algorithm::Myers,
            &words(&old),
            &words(&new),
            Some(self.deadline),
        );
        let mut pieces = Vec::new();
        let mut push = |kind, tokens: &[&str]| {
            if !tokens.is_empty() {
                let text = tokens.concat();
                pieces.push(Piece { kind, text });
            }
        };
        let count = |tokens: &[&str]| u32::try_from(tokens.len()).unwrap_or(u32::MAX);
        for op in ops {
            let (removed, added) = (&old[op.old_range()], &new[op.new_range()]);
            if matches!(op, DiffOp::Equal { .. }) {
                push(PieceKind::Equal, removed);
                continue;
            }
            self.diff.removed_words += count(removed);
            self.diff.added_words += count(added);
            push(PieceKind::Removed, removed);
            push(PieceKind::Added, added);
        }
        pieces
    }
}

/// Words, each with its trailing white space.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let after = rest[word..]
            .find(|c: char| !c.is_whitespace())
            .map_or(rest.len(), |space| word + space);
        let (token, next) = rest.split_at(after);
        tokens.push(token);
        rest = next;
    }
    tokens
}

/// Omits unchanged rows far from a change, and counts them.
fn with_context(rows: Vec<Row>) -> Vec<Row> {
    let changed: Vec<usize> = (0..rows.len())
        .filter(|&at| rows[at].kind != RowKind::Equal)
        .collect();
    let mut keep = vec![false; rows.len()];
    for at in changed {
        let last = (at + CONTEXT).min(rows.len() - 1);
        keep[at.saturating_sub(CONTEXT)..=last].fill(true);
    }
    let mut skipped = 0;
    let mut displayed = Vec::new();
    for (mut row, keep) in rows.into_iter().zip(keep) {
        if keep {
            row.skipped = skipped;
            skipped = 0;
            displayed.push(row);
        } else {
            skipped += 1;
        }
    }
    displayed
}

#[cfg(test)]
mod tests;
