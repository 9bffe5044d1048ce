//! Times of lines, and inserting lines where speech was missed.

use super::limits::{MAX_BREAKS, MAX_CUES, MAX_SECONDS, MIN_CUE_SECONDS};
use super::pieces::Time;
use super::{EditedSegment, HandCue, NewCues, NewTimes, Place, SegmentRef, clean, hand};
use crate::seconds::rounded;
use crate::violation::{Code, Violation, Violations};

/// Times are stored in milliseconds, so sums may be off by less than one.
const ROUNDING: f64 = 0.0005;

/// A segment to be inserted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewLine<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its place in the transcript.
    pub place: Place,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// Its text.
    pub text: &'a str,
    /// `SPEAKER_n`; `None` without a speaker.
    pub speaker: Option<&'a str>,
    /// The language of the line in front of it, as stored there.
    pub language: Option<&'a str>,
}

/// The new segment. Its revision is 0; the caller sets it.
#[must_use]
pub fn inserted(line: NewLine<'_>) -> EditedSegment {
    let time = Time::between(line.start, line.end);
    EditedSegment {
        id: line.id.to_owned(),
        revision: 0,
        place: line.place,
        start: rounded(time.start),
        end: rounded(time.end),
        speaker: line.speaker.map(str::to_owned),
        language: line.language.map(str::to_owned),
        text: clean(line.text),
        words: Vec::new(),
        cues: Vec::new(),
    }
}

/// The segment with other times. The times of its words and hand-made subtitles are scaled;
/// subtitles outside the segment keep their distance from it.
#[must_use]
pub fn with_times(segment: &EditedSegment, start: f64, end: f64) -> EditedSegment {
    let old = Time::between(segment.start, segment.end);
    let new = Time::between(rounded(start), rounded(end));
    let (long, length) = (old.end - old.start, new.end - new.start);
    let to = |seconds: f64| {
        let seconds = if seconds.is_finite() {
            seconds
        } else {
            old.start
        };
        let moved = if seconds <= old.start || long <= 0.0 {
            seconds - old.start + new.start
        } else if seconds >= old.end {
            seconds - old.end + new.end
        } else {
            (seconds - old.start) / long * length + new.start
        };
        rounded(moved.max(0.0))
    };
    let mut moved = segment.clone();
    (moved.start, moved.end) = (new.start, new.end);
    for word in &mut moved.words {
        word.start = to(word.start).clamp(new.start, new.end);
        word.end = to(word.end).clamp(word.start, new.end);
    }
    for cue in &mut moved.cues {
        (cue.start, cue.end) = (to(cue.start), to(cue.end));
    }
    hand::remove_overlaps(&mut moved.cues);
    moved
}

/// Checks the times of a line: it must end within the recording, and start neither before the
/// previous nor after the next line, whose starts are given.
///
/// # Errors
/// The violation, on the field concerned.
pub fn line_fits(
    (start, end): (f64, f64),
    (before, after): (Option<f64>, Option<f64>),
    limit: f64,
) -> Result<(), Violation> {
    within(end, limit).map_err(|violation| violation.under("end"))?;
    let early = before.is_some_and(|before| start < before - ROUNDING);
    let late = after.is_some_and(|after| start > after + ROUNDING);
    if early || late {
        return Err(Violation::new("start", Code::LineOutOfOrder));
    }
    Ok(())
}

/// Checks that a time is within a recording that ends at `limit`, in seconds; infinite if unknown.
///
/// # Errors
/// The time is after the end.
pub fn within(seconds: f64, limit: f64) -> Result<(), Violation> {
    if seconds <= limit + 2.0 * ROUNDING {
        return Ok(());
    }
    Err(Violation::new("", Code::NumberTooLarge).with("max", rounded(limit)))
}

/// Checks and rounds a start and an end.
pub(super) fn span(v: &mut Violations, start: f64, end: f64) -> (f64, f64) {
    let before = v.0.len();
    for (field, seconds) in [("start", start), ("end", end)] {
        if seconds.is_nan() || seconds < 0.0 {
            v.push(Violation::new(field, Code::NumberTooSmall).with("min", 0));
        } else if seconds > MAX_SECONDS {
            v.push(Violation::new(field, Code::NumberTooLarge).with("max", MAX_SECONDS));
        }
    }
    let (start, end) = (rounded(start), rounded(end));
    if v.0.len() == before && end - start < MIN_CUE_SECONDS - ROUNDING {
        v.add("end", Code::SpanTooShort);
    }
    (start, end)
}

pub(super) fn new_times(v: &mut Violations, new: &NewTimes, segment: SegmentRef) -> NewTimes {
    let (start, end) = span(v, new.start, new.end);
    NewTimes {
        segment,
        start,
        end,
    }
}

/// Checks hand-made subtitles, except for what depends on the text.
pub(super) fn new_cues(v: &mut Violations, new: &NewCues, segment: SegmentRef) -> NewCues {
    if new.cues.len() > MAX_CUES {
        v.push(Violation::new("cues", Code::TooMany).with("max", MAX_CUES));
        return NewCues {
            segment,
            cues: Vec::new(),
        };
    }
    let mut cues: Vec<HandCue> = Vec::with_capacity(new.cues.len());
    for (position, cue) in new.cues.iter().enumerate() {
        let mut violations = Violations::new();
        let (start, end) = span(&mut violations, cue.start, cue.end);
        let last = cues.last();
        if last.map_or(cue.at != 0, |last| cue.at <= last.at) {
            violations.add("at", Code::CueMisplaced);
        }
        if last.is_some_and(|last| start < last.end) {
            violations.add("start", Code::CuesOverlap);
        }
        if cue.breaks.len() > MAX_BREAKS {
            violations.push(Violation::new("breaks", Code::TooMany).with("max", MAX_BREAKS));
        }
        let mut floor = cue.at;
        let is_ascending = cue.breaks.iter().take(MAX_BREAKS).all(|&at| {
            let is_ascending = at > floor;
            floor = at;
            is_ascending
        });
        if !is_ascending {
            violations.add("breaks", Code::CueMisplaced);
        }
        v.extend_under(&format!("cues.{position}"), violations);
        cues.push(HandCue {
            at: cue.at,
            start,
            end,
            breaks: cue.breaks.clone(),
        });
    }
    NewCues { segment, cues }
}
