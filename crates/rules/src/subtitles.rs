//! Subtitles: readable cues from segments, with their width and speed.

mod correct;
pub mod cues;
mod free;
mod items;
mod limits;
pub mod lines;
mod over;
mod parts;
mod speech;
mod timing;
mod words;

use std::ops::Range;

use crate::edit::{EditedSegment, Speaker};
use crate::text::is_visible;
use crate::transcript::speaker_label;
use cues::{SpeechContext, SpokenSegment, clean, placed_cues};

pub use correct::{Correction, Corrections, correct_cues, correct_cues_after};
pub use free::ROOM_SECONDS;
pub use limits::{
    BOUNDS, LIMITS, Span, SubtitleBounds, SubtitleLimits, SubtitleOptions, SubtitlePreset, validate,
};
pub use lines::{MAX_COLUMNS, MAX_LINES, columns};
pub use over::{OverLimit, OverLimitKind, ShownCue, over_limits};

/// A subtitle of a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentCue {
    /// Index of the segment in the input, from 0.
    pub segment: usize,
    /// Seconds.
    pub start: f64,
    /// Seconds, after `start`.
    pub end: f64,
    /// The prefix in formats without a field for speakers: `Olena: `, or empty.
    pub head: String,
    /// The text in its lines, without the speaker.
    pub lines: Vec<String>,
    /// Its range in the segment's text, in bytes.
    pub range: Range<usize>,
}

impl SegmentCue {
    /// The displayed text.
    #[must_use]
    pub fn shown(&self) -> ShownCue {
        ShownCue {
            start: self.start,
            end: self.end,
            head: self.head.clone(),
            lines: self.lines.clone(),
        }
    }
}

/// A speaker's name in files: the given name, else the short label; cleaned.
#[must_use]
pub fn speaker_name(id: &str, name: Option<&str>) -> String {
    let given = name.map(clean).filter(|name| !name.is_empty());
    given.unwrap_or_else(|| clean(&speaker_label(id)))
}

/// The first segments of the groups whose subtitles are timed together ([`of_segments`]), in the
/// order of the text. Groups do not affect each other.
#[must_use]
pub fn group_starts(spans: &[(f64, f64)]) -> Vec<usize> {
    cues::group_starts(spans)
}

/// The subtitles of segments that are timed together, as in files.
#[must_use]
pub fn of_segments(
    segments: &[EditedSegment],
    speakers: &[Speaker],
    around: &SpeechContext,
) -> Vec<SegmentCue> {
    of_segments_within(segments, speakers, around, &LIMITS)
}

/// Like [`of_segments`], with these limits.
fn of_segments_within(
    segments: &[EditedSegment],
    speakers: &[Speaker],
    around: &SpeechContext,
    limits: &SubtitleLimits,
) -> Vec<SegmentCue> {
    let name = |id: &String| {
        let speaker = speakers.iter().find(|speaker| speaker.id == *id);
        speaker_name(id, speaker.and_then(|speaker| speaker.name.as_deref()))
    };
    let speech: Vec<SpokenSegment<'_>> = segments
        .iter()
        .map(|segment| SpokenSegment {
            speaker: segment.speaker.as_ref().map(name),
            ..SpokenSegment::from(segment)
        })
        .collect();
    let around = SpeechContext {
        speaker: around.speaker.as_ref().map(name),
        ..around.clone()
    };
    let mut places: Vec<_> = segments
        .iter()
        .map(|segment| segment.text.char_indices().filter(|(_, c)| is_visible(*c)))
        .collect();
    let placed = placed_cues(&speech, &around, limits).into_iter();
    placed
        .map(|placed| {
            let (segment, cue) = (placed.segment, placed.cue);
            let mut of_cue = places[segment]
                .by_ref()
                .take(cue.text.chars().filter(|c| is_visible(*c)).count());
            let first = of_cue.next();
            let last = of_cue.last().or(first);
            let start = first.map_or(segments[segment].text.len(), |(at, _)| at);
            let end = last.map_or(start, |(at, c)| at + c.len_utf8());
            let head = cue.head();
            let all_lines = cue.spoken_lines(limits);
            // A name as wide as a line gets its own line.
            let text = all_lines
                .strip_prefix(&head)
                .map_or_else(|| cue.lines(limits), str::to_owned);
            SegmentCue {
                segment,
                start: cue.start,
                end: cue.end,
                head,
                lines: text.lines().map(str::to_owned).collect(),
                range: start..end,
            }
        })
        .collect()
}

/// Characters per second to read, including spaces and punctuation, without line breaks. 0 without
/// a duration, because there is nothing to compare.
#[must_use]
pub fn characters_per_second(text: &str, seconds: f64) -> f64 {
    if !(seconds.is_finite() && seconds > 0.0) {
        return 0.0;
    }
    let characters = text.trim().chars().filter(|c| !c.is_control()).count();
    f64::from(u32::try_from(characters).unwrap_or(u32::MAX)) / seconds
}
