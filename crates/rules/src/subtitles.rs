//! Subtitles: from segments to cues that can be read, and how wide and how fast they are.

pub mod cues;
pub mod lines;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::edit::EditedSegment;
use cues::{Around, MAX_SECONDS, MIN_SECONDS, Said, seen};

pub use lines::{MAX_COLUMNS, MAX_LINES, columns};

/// Most characters per second for adults, as Netflix's Timed Text Style Guides have it for
/// Ukrainian and most European languages.
pub const MAX_CPS: f64 = 17.0;

/// What a subtitle should keep to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct SubtitleLimits {
    /// Columns of a line.
    pub max_columns: usize,
    /// Lines that stand at once.
    pub max_lines: usize,
    /// Characters per second.
    pub max_cps: f64,
    /// Longest time that one stands, in seconds.
    pub max_seconds: f64,
    /// Shortest time that one stands, in seconds.
    pub min_seconds: f64,
}

/// The limits.
pub const LIMITS: SubtitleLimits = SubtitleLimits {
    max_columns: MAX_COLUMNS,
    max_lines: MAX_LINES,
    max_cps: MAX_CPS,
    max_seconds: MAX_SECONDS,
    min_seconds: MIN_SECONDS,
};

/// A subtitle of one segment.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentCue {
    /// Seconds.
    pub start: f64,
    /// Seconds, after `start`.
    pub end: f64,
    /// The text in its lines.
    pub lines: Vec<String>,
    /// Where it stands in the segment's text, in bytes.
    pub range: Range<usize>,
}

/// The subtitles of a segment as the files have them, but for the speaker's name. Without what
/// stands `around` it they keep to the segment's own time.
#[must_use]
pub fn of_segment(segment: &EditedSegment, around: Option<Around>) -> Vec<SegmentCue> {
    let alone = Around {
        from: segment.start,
        ..Around::recording(segment.end)
    };
    let made = cues::cues_between([Said::from(segment)], around.unwrap_or(alone));
    let mut places = segment.text.char_indices().filter(|(_, c)| seen(*c));
    made.into_iter()
        .map(|cue| {
            let mut of_cue = places
                .by_ref()
                .take(cue.text.chars().filter(|c| seen(*c)).count());
            let first = of_cue.next();
            let last = of_cue.last().or(first);
            let start = first.map_or(segment.text.len(), |(at, _)| at);
            let end = last.map_or(start, |(at, c)| at + c.len_utf8());
            SegmentCue {
                start: cue.start,
                end: cue.end,
                lines: lines::broken(&cue.text)
                    .lines()
                    .map(str::to_owned)
                    .collect(),
                range: start..end,
            }
        })
        .collect()
}

/// Characters that are read in a second, spaces and punctuation counted; a line break is none.
/// Without time it is 0: there is nothing to compare.
#[must_use]
pub fn characters_per_second(text: &str, seconds: f64) -> f64 {
    if !(seconds.is_finite() && seconds > 0.0) {
        return 0.0;
    }
    let characters = text.trim().chars().filter(|c| !c.is_control()).count();
    f64::from(u32::try_from(characters).unwrap_or(u32::MAX)) / seconds
}
