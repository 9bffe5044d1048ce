//! Validation of edits, independent of the transcript.

use std::collections::BTreeSet;

use super::limits::{MAX_EDITS, MAX_SEGMENTS, MAX_SPEAKER_NAME, MAX_SPEAKERS, MAX_TEXT, MAX_WORDS};
use super::{Edit, EditOp, NewCues, NewText, SegmentRef, clean, times};
use crate::text;
use crate::transcript::speaker_number;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Checks the edits of a request. In the result, texts are [`clean`], names trimmed, and UUIDs in
/// lower case.
///
/// # Errors
/// All violations, by position and field: `0.op.text`, `2.op.segments.7.segment.id`.
pub fn validate(edits: &[Edit]) -> Result<Valid<Vec<Edit>>, Violations> {
    let mut v = Violations::new();
    if edits.is_empty() {
        v.add("", Code::ListEmpty);
    }
    if edits.len() > MAX_EDITS {
        v.push(Violation::new("", Code::TooMany).with("max", MAX_EDITS));
        return Err(v);
    }
    let mut ids = BTreeSet::new();
    let mut checked = Vec::with_capacity(edits.len());
    for (position, edit) in edits.iter().enumerate() {
        let mut violations = Violations::new();
        let edit_id = uuid(&mut violations, "edit_id", &edit.edit_id);
        if !edit_id.is_empty() && !ids.insert(edit_id.clone()) {
            violations.add("edit_id", Code::Repeated);
        }
        let mut of_op = Violations::new();
        let op = operation(&mut of_op, &edit.op);
        violations.extend_under("op", of_op);
        v.extend_under(&position.to_string(), violations);
        checked.push(Edit { edit_id, op });
    }
    v.or(|| Valid::new(checked))
}

fn operation(v: &mut Violations, op: &EditOp) -> EditOp {
    match op {
        EditOp::SetText(new) => EditOp::SetText(new_text(v, new)),
        EditOp::Replace { segments } => {
            let segments = each(
                v,
                "segments",
                segments,
                (|new| &new.segment.id, ".segment.id"),
                new_text,
            );
            EditOp::Replace { segments }
        }
        EditOp::Split {
            segment,
            at,
            new_segment,
        } => {
            let segment = reference(v, "segment", segment);
            if *at == 0 {
                v.add("at", Code::SplitAtEdge);
            }
            let new_segment = uuid(v, "new_segment", new_segment);
            if !new_segment.is_empty() && new_segment == segment.id {
                v.add("new_segment", Code::Repeated);
            }
            EditOp::Split {
                segment,
                at: *at,
                new_segment,
            }
        }
        EditOp::Merge { segment, next } => {
            let segment = reference(v, "segment", segment);
            let next = reference(v, "next", next);
            if !next.id.is_empty() && segment.id == next.id {
                v.add("next.id", Code::Repeated);
            }
            EditOp::Merge { segment, next }
        }
        EditOp::ConfirmWords { segment, words } => EditOp::ConfirmWords {
            segment: reference(v, "segment", segment),
            words: positions(v, words),
        },
        EditOp::Remove { segments } => EditOp::Remove {
            segments: references(v, segments),
        },
        EditOp::PutBack { segments } => EditOp::PutBack {
            segments: references(v, segments),
        },
        EditOp::SetSpeaker { segments, speaker } => {
            let segments = references(v, segments);
            if let Some(speaker) = speaker {
                known_form(v, "speaker", speaker);
            }
            EditOp::SetSpeaker {
                segments,
                speaker: speaker.clone(),
            }
        }
        EditOp::RenameSpeaker { speaker, name } => {
            known_form(v, "speaker", speaker);
            EditOp::RenameSpeaker {
                speaker: speaker.clone(),
                name: name.as_deref().map(|name| speaker_name(v, name)),
            }
        }
        EditOp::BringBack { .. } => op.clone(),
        EditOp::MergeSpeakers { from, into } => {
            known_form(v, "from", from);
            known_form(v, "into", into);
            if from == into {
                v.add("into", Code::Repeated);
            }
            op.clone()
        }
        EditOp::SetTimes { .. }
        | EditOp::Insert { .. }
        | EditOp::SetCues(_)
        | EditOp::CorrectCues { .. } => timed_operation(v, op),
    }
}

/// The same for operations on times.
fn timed_operation(v: &mut Violations, op: &EditOp) -> EditOp {
    let cues = |v: &mut Violations, new: &NewCues| {
        let segment = reference(v, "segment", &new.segment);
        times::new_cues(v, new, segment)
    };
    match op {
        EditOp::SetTimes { times } => {
            let times = each(
                v,
                "times",
                times,
                (|new| &new.segment.id, ".segment.id"),
                |v, new| {
                    let segment = reference(v, "segment", &new.segment);
                    times::new_times(v, new, segment)
                },
            );
            EditOp::SetTimes { times }
        }
        EditOp::SetCues(new) => EditOp::SetCues(cues(v, new)),
        EditOp::CorrectCues { segments } => {
            let segments = each(
                v,
                "segments",
                segments,
                (|new| &new.segment.id, ".segment.id"),
                cues,
            );
            EditOp::CorrectCues { segments }
        }
        EditOp::Insert {
            new_segment,
            after,
            start,
            end,
            text,
            speaker,
        } => {
            let new_segment = uuid(v, "new_segment", new_segment);
            let after = after.as_ref().map(|after| reference(v, "after", after));
            if !new_segment.is_empty()
                && after
                    .as_ref()
                    .is_some_and(|previous| previous.id == new_segment)
            {
                v.add("new_segment", Code::Repeated);
            }
            let (start, end) = times::span(v, *start, *end);
            let text = line_text(v, text);
            if let Some(speaker) = speaker {
                known_form(v, "speaker", speaker);
            }
            EditOp::Insert {
                new_segment,
                after,
                start,
                end,
                text,
                speaker: speaker.clone(),
            }
        }
        _ => op.clone(),
    }
}

/// Whether the items of a list of segments can be checked one by one; adds violations of the list
/// itself and for repeated ids.
fn listed<'a>(
    v: &mut Violations,
    list: &str,
    ids: impl ExactSizeIterator<Item = &'a str>,
    path: &str,
) -> bool {
    if ids.len() == 0 {
        v.add(list, Code::ListEmpty);
    }
    if ids.len() > MAX_SEGMENTS {
        v.push(Violation::new(list, Code::TooMany).with("max", MAX_SEGMENTS));
        return false;
    }
    let mut seen = BTreeSet::new();
    for (position, id) in ids.enumerate() {
        if !seen.insert(id.to_ascii_lowercase()) {
            v.add(&format!("{list}.{position}{path}"), Code::Repeated);
        }
    }
    true
}

/// Checks that positions of words are unique; whether they exist depends on the segment.
fn positions(v: &mut Violations, words: &[u32]) -> Vec<u32> {
    if words.is_empty() {
        v.add("words", Code::ListEmpty);
    }
    if words.len() > MAX_WORDS {
        v.push(Violation::new("words", Code::TooMany).with("max", MAX_WORDS));
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        // Strings, like all ids here: a set of numbers would add half a kilobyte to the WASM
        // module.
        if !seen.insert(word.to_string()) {
            v.add(&format!("words.{at}"), Code::Repeated);
        }
    }
    words.to_vec()
}

/// The checked items of a list of segments; empty if there are too many. The pair is the getter of
/// an item's segment id and the path of the id in the item.
fn each<T>(
    v: &mut Violations,
    list: &str,
    items: &[T],
    (id, path): (fn(&T) -> &str, &str),
    check: impl Fn(&mut Violations, &T) -> T,
) -> Vec<T> {
    if !listed(v, list, items.iter().map(id), path) {
        return Vec::new();
    }
    let checked = items.iter().enumerate().map(|(position, item)| {
        let mut violations = Violations::new();
        let item = check(&mut violations, item);
        if !violations.is_empty() {
            v.extend_under(&format!("{list}.{position}"), violations);
        }
        item
    });
    checked.collect()
}

fn new_text(v: &mut Violations, new: &NewText) -> NewText {
    let segment = reference(v, "segment", &new.segment);
    let text = line_text(v, &new.text);
    NewText { segment, text }
}

fn line_text(v: &mut Violations, text: &str) -> String {
    // Checked before it is cleaned, so that a megabyte is not copied only to be rejected.
    text::limited(v, "text", text, MAX_TEXT);
    if text::longer_than(text, MAX_TEXT) {
        return String::new();
    }
    let text = clean(text);
    if text.is_empty() {
        v.add("text", Code::TextRequired);
    }
    text
}

/// Checks segments, which must be unique.
fn references(v: &mut Violations, segments: &[SegmentRef]) -> Vec<SegmentRef> {
    each(
        v,
        "segments",
        segments,
        (|segment| &segment.id, ".id"),
        |v, segment| reference(v, "", segment),
    )
}

/// Checks a segment's id: the canonical number of a recognised segment, or a UUID.
fn reference(v: &mut Violations, field: &str, segment: &SegmentRef) -> SegmentRef {
    let number = segment.id.parse::<u32>();
    let id = if number.is_ok_and(|number| number.to_string() == segment.id) {
        segment.id.clone()
    } else {
        let path = if field.is_empty() {
            "id".to_owned()
        } else {
            format!("{field}.id")
        };
        uuid(v, &path, &segment.id)
    };
    SegmentRef {
        id,
        revision: segment.revision,
    }
}

/// Checks a UUID and returns it in lower case.
fn uuid(v: &mut Violations, field: &str, id: &str) -> String {
    let fits = id.len() == 36
        && id.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    if fits {
        id.to_ascii_lowercase()
    } else {
        v.add(field, Code::IdInvalid);
        String::new()
    }
}

/// Checks for a canonical `SPEAKER_n`: `SPEAKER_01` would be a second name of `SPEAKER_1`.
pub(crate) fn known_form(v: &mut Violations, field: &str, speaker: &str) {
    let number = speaker_number(speaker);
    let fits = number.is_some_and(|number| {
        number < MAX_SPEAKERS && speaker.len() == format!("SPEAKER_{number}").len()
    });
    if !fits {
        v.add(field, Code::SpeakerInvalid);
    }
}

pub(crate) fn speaker_name(v: &mut Violations, name: &str) -> String {
    if text::longer_than(name.trim(), MAX_SPEAKER_NAME) {
        text::limited(v, "name", name.trim(), MAX_SPEAKER_NAME);
        return String::new();
    }
    let name = clean(name);
    if name.is_empty() {
        v.add("name", Code::SpeakerNameRequired);
    }
    name
}
