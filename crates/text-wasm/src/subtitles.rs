//! Subtitles.

use serde::Serialize;
use slovo_rules::convert::{Converted, give, read};
use slovo_rules::edit::EditedSegment;
use slovo_rules::search;
use slovo_rules::subtitles::cues::Around;
use slovo_rules::subtitles::{self, SubtitleLimits};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

/// A subtitle of one segment.
#[derive(Serialize, Tsify)]
pub struct SegmentCue {
    /// Seconds.
    start: f64,
    /// Seconds, after `start`.
    end: f64,
    /// The text in its lines.
    lines: Vec<String>,
    /// Where it begins in the segment's text, in UTF-16 units.
    from: u32,
    /// Where it ends there.
    to: u32,
}

/// The subtitles of a segment as the files have them, without the speaker's name.
///
/// `duration` is where the recording ends (0: unknown), `from` where the subtitle before the segment
/// ends, `next` where the one after it starts, all in seconds. Without a duration the subtitles keep
/// to the segment's own time.
#[wasm_bindgen(js_name = segmentCues)]
pub fn segment_cues(
    segment: &Ts<EditedSegment>,
    duration: Option<f64>,
    from: Option<f64>,
    next: Option<f64>,
) -> Converted<Vec<Ts<SegmentCue>>> {
    let segment = read(segment)?;
    let around = duration.map(|duration| Around {
        from: from.unwrap_or(0.0),
        next: next.unwrap_or(f64::INFINITY),
        duration,
    });
    let cues = subtitles::of_segment(&segment, around);
    let ranges: Vec<_> = cues.iter().map(|cue| cue.range.clone()).collect();
    let units = search::in_utf16(&segment.text, &ranges);
    let cues = cues.into_iter().zip(units).map(|(cue, units)| {
        give(&SegmentCue {
            start: cue.start,
            end: cue.end,
            lines: cue.lines,
            from: units.start,
            to: units.end,
        })
    });
    cues.collect()
}

/// Columns that a line of text takes on a screen; East Asian characters take two.
#[wasm_bindgen(js_name = textColumns)]
#[must_use]
pub fn text_columns(text: &str) -> usize {
    subtitles::columns(text)
}

/// Characters that are read in a second; 0 without time.
#[wasm_bindgen(js_name = charactersPerSecond)]
#[must_use]
pub fn characters_per_second(text: &str, seconds: f64) -> f64 {
    subtitles::characters_per_second(text, seconds)
}

/// What a subtitle should keep to.
#[wasm_bindgen(js_name = subtitleLimits)]
pub fn subtitle_limits() -> Converted<Ts<SubtitleLimits>> {
    give(&subtitles::LIMITS)
}
