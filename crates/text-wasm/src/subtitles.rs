//! Subtitles.

use serde::Serialize;
use slovo_rules::convert::{JsResult, all_to_js, from_js, to_js};
use slovo_rules::edit::{EditedSegment, Speaker};
use slovo_rules::search;
use slovo_rules::subtitles::cues::{SpeechContext, claimed_interval};
use slovo_rules::subtitles::{self, Corrections, OverLimit, ShownCue, SubtitleLimits};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

/// A subtitle of a segment.
#[derive(Serialize, Tsify)]
pub struct SegmentCue {
    /// Position of the segment among those that were given.
    segment: u32,
    /// Seconds.
    start: f64,
    /// Seconds, after `start`.
    end: f64,
    /// What SRT has in front of the text where the speaker changes: `S1: `; or nothing.
    head: String,
    /// The text in its lines, without the speaker.
    lines: Vec<String>,
    /// Where it begins in the segment's text, in UTF-16 units.
    from: u32,
    /// Where it ends there.
    to: u32,
}

/// Which segments are the first of those whose subtitles are timed together, by their positions. Given
/// are `[start, end, start, end, …]` of all segments in their order, in seconds, and `[position, start,
/// end, position, …]` of those with subtitles made by hand: when the first of these comes and the last
/// goes.
#[wasm_bindgen(js_name = cueGroupStarts)]
#[must_use]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what may be absent crosses the boundary only as a value"
)]
pub fn cue_group_starts(spans: &[f64], by_hand: Option<Vec<f64>>) -> Vec<u32> {
    let mut pairs: Vec<(f64, f64)> = spans
        .chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .collect();
    for triple in by_hand.as_deref().unwrap_or_default().chunks_exact(3) {
        // The cast saturates: a value that is not an index matches none.
        if let Some(pair) = pairs.get_mut(triple[0] as usize) {
            *pair = claimed_interval(*pair, (triple[1], triple[2]));
        }
    }
    let starts = subtitles::group_starts(&pairs).into_iter();
    starts.filter_map(|at| u32::try_from(at).ok()).collect()
}

/// The subtitles of segments that are timed together (`cueGroupStarts`), in order, as the files have them.
///
/// `first` is whether they are the first of the recording, `before` who speaks in the last segment
/// before them that says anything, `next` where the segment after them starts, or its first subtitle
/// made by hand if that comes earlier, `duration` where the recording ends (0: unknown), both in seconds.
#[wasm_bindgen(js_name = segmentCues)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a list crosses the boundary only as a Vec"
)]
pub fn segment_cues(
    segments: Vec<Ts<EditedSegment>>,
    speakers: Vec<Ts<Speaker>>,
    first: bool,
    before: Option<String>,
    next: Option<f64>,
    duration: Option<f64>,
) -> JsResult<Vec<Ts<SegmentCue>>> {
    let segments: Vec<EditedSegment> = segments.iter().map(from_js).collect::<JsResult<_>>()?;
    let speakers: Vec<Speaker> = speakers.iter().map(from_js).collect::<JsResult<_>>()?;
    let around = SpeechContext {
        first,
        speaker: before,
        next: next.unwrap_or(f64::INFINITY),
        duration: duration.unwrap_or(0.0),
    };
    let cues = subtitles::of_segments(&segments, &speakers, &around);
    let cues = cues.into_iter().map(|cue| {
        let text = &segments[cue.segment].text;
        let units = &search::in_utf16(text, std::slice::from_ref(&cue.range))[0];
        to_js(&SegmentCue {
            segment: u32::try_from(cue.segment).unwrap_or(u32::MAX),
            start: cue.start,
            end: cue.end,
            head: cue.head,
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
pub fn subtitle_limits() -> JsResult<Ts<SubtitleLimits>> {
    to_js(&subtitles::LIMITS)
}

/// Seconds that a subtitle laid out by rule needs between hand-made ones, the gaps to them not counted:
/// with less it comes behind them.
#[wasm_bindgen(js_name = cueRoom)]
#[must_use]
pub fn cue_room() -> f64 {
    subtitles::ROOM_SECONDS
}

/// What subtitles, given in the order in which they come, do not keep to. How near one is to another is
/// told of the later one.
#[wasm_bindgen(js_name = overLimits)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a list crosses the boundary only as a Vec"
)]
pub fn over_limits(
    cues: Vec<Ts<ShownCue>>,
    limits: &Ts<SubtitleLimits>,
) -> JsResult<Vec<Ts<OverLimit>>> {
    let cues: Vec<ShownCue> = cues.iter().map(from_js).collect::<JsResult<_>>()?;
    all_to_js(&subtitles::over_limits(&cues, &from_js(limits)?))
}

/// Puts right what of the subtitles of a text is over the limits and can be put right without another
/// text: the edits for that, one undoable step as `correct_cues`, and what they change. `duration` is
/// where the recording ends, in seconds; 0: unknown.
///
/// Of a part of a text (`cueGroupStarts`) `before` and `next` are those of `segmentCues`, and `ends` is
/// when the last subtitle before it ends, in seconds; absent: it is the first of the recording.
#[wasm_bindgen(js_name = correctCues)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a list crosses the boundary only as a Vec"
)]
pub fn correct_cues(
    segments: Vec<Ts<EditedSegment>>,
    speakers: Vec<Ts<Speaker>>,
    limits: &Ts<SubtitleLimits>,
    duration: Option<f64>,
    before: Option<String>,
    next: Option<f64>,
    ends: Option<f64>,
) -> JsResult<Ts<Corrections>> {
    let segments: Vec<EditedSegment> = segments.iter().map(from_js).collect::<JsResult<_>>()?;
    let speakers: Vec<Speaker> = speakers.iter().map(from_js).collect::<JsResult<_>>()?;
    let around = SpeechContext {
        first: ends.is_none(),
        speaker: before,
        next: next.unwrap_or(f64::INFINITY),
        duration: duration.unwrap_or(0.0),
    };
    to_js(&subtitles::correct_cues_after(
        &segments,
        &speakers,
        &from_js(limits)?,
        &around,
        ends,
    ))
}
