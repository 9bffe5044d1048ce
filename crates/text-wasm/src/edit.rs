//! Edits of a transcript.

mod flat;

use serde::Serialize;
use slovo_rules::Violations;
use slovo_rules::convert::{JsResult, all_to_js, from_js, to_js, verdict};
use slovo_rules::edit::{self, Edit, EditedSegment, HandCue};
use slovo_rules::share;
use slovo_rules::transcript::Word;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

/// What a segment was parted into.
#[derive(Serialize, Tsify)]
pub struct SplitSegment {
    /// Keeps the beginning, and the id.
    first: EditedSegment,
    /// The rest.
    second: EditedSegment,
}

/// The words of a segment's new text, with their times. Words that stay keep theirs.
#[wasm_bindgen]
pub fn retime(segment: &Ts<EditedSegment>, text: &str) -> JsResult<Vec<Ts<Word>>> {
    all_to_js(&edit::retime(&from_js(segment)?, text))
}

/// The subtitles of a segment that were made by hand, for its new text: each begins and breaks where it
/// did. One that loses its text leaves its time to its neighbour.
#[wasm_bindgen(js_name = moveCues)]
pub fn move_cues(segment: &Ts<EditedSegment>, text: &str) -> JsResult<Vec<Ts<HandCue>>> {
    all_to_js(&edit::moved_cues(&from_js(segment)?, text))
}

/// A segment at other times, in seconds, with its words and its subtitles made by hand.
#[wasm_bindgen(js_name = moveSegment)]
pub fn move_segment(
    segment: &Ts<EditedSegment>,
    start: f64,
    end: f64,
) -> JsResult<Ts<EditedSegment>> {
    to_js(&edit::with_times(&from_js(segment)?, start, end))
}

/// The words of a segment after those at these positions, from 0, were found right; undefined when
/// there is no word at one of them.
#[wasm_bindgen(js_name = confirmWords)]
pub fn confirm_words(
    segment: &Ts<EditedSegment>,
    words: &[u32],
) -> JsResult<Option<Vec<Ts<Word>>>> {
    let words = edit::confirm(&from_js(segment)?, words);
    words.map(|words| all_to_js(&words)).transpose()
}

/// A segment's text as it is stored: on one line, without characters that cannot be seen.
#[wasm_bindgen(js_name = cleanText)]
#[must_use]
pub fn clean_text(text: &str) -> String {
    edit::clean(text)
}

/// Parts a segment after `at` Unicode characters (code points) of its text; undefined when one
/// side would be without text.
#[wasm_bindgen(js_name = splitSegment)]
pub fn split_segment(
    segment: &Ts<EditedSegment>,
    at: u32,
    new_id: &str,
    part: f64,
) -> JsResult<Option<Ts<SplitSegment>>> {
    // The cast saturates: a value that is not a part becomes 0.
    let halves = edit::split(&from_js(segment)?, at, new_id, part as i64);
    let halves = halves.map(|(first, second)| to_js(&SplitSegment { first, second }));
    halves.transpose()
}

/// Joins a segment with the next one.
#[wasm_bindgen(js_name = mergeSegments)]
pub fn merge_segments(
    segment: &Ts<EditedSegment>,
    next: &Ts<EditedSegment>,
) -> JsResult<Ts<EditedSegment>> {
    to_js(&edit::merge(&from_js(segment)?, &from_js(next)?))
}

/// The part of a place between two, or behind the last one; undefined when there is no room.
#[wasm_bindgen(js_name = partBetween)]
#[must_use]
pub fn part_between(left: f64, right: Option<f64>) -> Option<f64> {
    let part = edit::part_between(left as i64, right.map(|right| right as i64));
    part.map(|part| part as f64)
}

/// The part of a place before the first one; undefined when there is no room.
#[wasm_bindgen(js_name = partBefore)]
#[must_use]
pub fn part_before(first: f64) -> Option<f64> {
    edit::part_before(first as i64).map(|part| part as f64)
}

/// Checks the edits of one request.
#[wasm_bindgen(js_name = validateEdits)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a list crosses the boundary only as a Vec"
)]
pub fn validate_edits(edits: Vec<Ts<Edit>>) -> JsResult<Ts<Violations>> {
    let edits = edits.iter().map(flat::read);
    verdict(edit::validate(&edits.collect::<JsResult<Vec<_>>>()?))
}

/// Checks the name that a visitor of a shared text gives before editing.
#[wasm_bindgen(js_name = validateVisitorName)]
pub fn validate_visitor_name(name: &str) -> JsResult<Ts<Violations>> {
    verdict(share::validate_visitor_name(name))
}
