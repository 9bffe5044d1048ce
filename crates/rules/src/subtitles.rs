//! Subtitles: from segments to cues that can be read, and how wide and how fast they are.

pub mod cues;
mod free;
mod items;
mod limits;
pub mod lines;
mod mend;
mod over;
mod parts;
mod said;
mod timing;
mod words;

use std::ops::Range;

use crate::edit::{EditedSegment, Speaker};
use crate::text::seen;
use crate::transcript::speaker_label;
use cues::{Around, Said, clean, placed_cues};

pub use free::ROOM_SECONDS;
pub use limits::{
    BOUNDS, LIMITS, Span, SubtitleBounds, SubtitleLimits, SubtitlePreset, SubtitleWishes, validate,
};
pub use lines::{MAX_COLUMNS, MAX_LINES, columns};
pub use mend::{MendChange, Mended, mend, mend_behind};
pub use over::{OverLimit, OverLimitKind, ShownCue, over_limits};

/// A subtitle of a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentCue {
    /// Number of the segment among those that were given, from 0.
    pub segment: usize,
    /// Seconds.
    pub start: f64,
    /// Seconds, after `start`.
    pub end: f64,
    /// What files without a place for speakers have in front of the text: `Olena: `, or nothing.
    pub head: String,
    /// The text in its lines, without the speaker.
    pub lines: Vec<String>,
    /// Where it stands in the segment's text, in bytes.
    pub range: Range<usize>,
}

impl SegmentCue {
    /// What is shown of it.
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

/// How a speaker is called in files: by the given name, else by the short label; clean.
#[must_use]
pub fn speaker_name(id: &str, name: Option<&str>) -> String {
    let given = name.map(clean).filter(|name| !name.is_empty());
    given.unwrap_or_else(|| clean(&speaker_label(id)))
}

/// Which segments are the first of those whose subtitles are timed together ([`of_segments`]): given
/// and answered in the order of the text. Others do not change them.
#[must_use]
pub fn firsts(spans: &[(f64, f64)]) -> Vec<usize> {
    cues::firsts(spans)
}

/// The subtitles of segments that are timed together, as the files have them.
#[must_use]
pub fn of_segments(
    segments: &[EditedSegment],
    speakers: &[Speaker],
    around: &Around,
) -> Vec<SegmentCue> {
    of_segments_within(segments, speakers, around, &LIMITS)
}

/// [`of_segments`] by these limits.
fn of_segments_within(
    segments: &[EditedSegment],
    speakers: &[Speaker],
    around: &Around,
    limits: &SubtitleLimits,
) -> Vec<SegmentCue> {
    let name = |id: &String| {
        let speaker = speakers.iter().find(|speaker| speaker.id == *id);
        speaker_name(id, speaker.and_then(|speaker| speaker.name.as_deref()))
    };
    let said: Vec<Said<'_>> = segments
        .iter()
        .map(|segment| Said {
            speaker: segment.speaker.as_ref().map(name),
            ..Said::from(segment)
        })
        .collect();
    let around = Around {
        speaker: around.speaker.as_ref().map(name),
        ..around.clone()
    };
    let mut places: Vec<_> = segments
        .iter()
        .map(|segment| segment.text.char_indices().filter(|(_, c)| seen(*c)))
        .collect();
    let placed = placed_cues(&said, &around, limits).into_iter();
    placed
        .map(|placed| {
            let (segment, cue) = (placed.segment, placed.cue);
            let mut of_cue = places[segment]
                .by_ref()
                .take(cue.text.chars().filter(|c| seen(*c)).count());
            let first = of_cue.next();
            let last = of_cue.last().or(first);
            let start = first.map_or(segments[segment].text.len(), |(at, _)| at);
            let end = last.map_or(start, |(at, c)| at + c.len_utf8());
            let head = cue.head();
            let spoken = cue.spoken_lines(limits);
            // A name as wide as a line has a line of its own.
            let text = spoken
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
