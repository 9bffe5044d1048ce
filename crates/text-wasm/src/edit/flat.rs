//! Deserialises edits. Derived code for each of their types would be a tenth of the module that
//! browsers download; this uses one type with all fields and takes those that apply.

use serde::Deserialize;
use slovo_rules::convert::{JsResult, read_untyped};
use slovo_rules::edit::{Edit, EditOp, HandCue, NewCues, NewText, NewTimes, SegmentRef};
use tsify::Ts;
use wasm_bindgen::JsError;

/// An edit, what it does, or a segment or a subtitle in it.
#[derive(Deserialize)]
struct Flat {
    edit_id: Option<String>,
    op: Option<Box<Flat>>,
    kind: Option<String>,
    id: Option<String>,
    revision: Option<u32>,
    segment: Option<Box<Flat>>,
    next: Option<Box<Flat>>,
    segments: Option<Vec<Flat>>,
    words: Option<Vec<u32>>,
    at: Option<u32>,
    text: Option<String>,
    new_segment: Option<String>,
    speaker: Option<String>,
    name: Option<String>,
    from: Option<String>,
    into: Option<String>,
    passage: Option<u32>,
    times: Option<Vec<Flat>>,
    cues: Option<Vec<Flat>>,
    after: Option<Box<Flat>>,
    start: Option<f64>,
    end: Option<f64>,
    breaks: Option<Vec<u32>>,
}

/// The edit of a JavaScript object; it throws where the types forbid the object.
pub fn read(edit: &Ts<Edit>) -> JsResult<Edit> {
    let flat: Flat = read_untyped(edit.js_value())?;
    flat.edit().ok_or_else(|| JsError::new("no edit"))
}

impl Flat {
    fn edit(self) -> Option<Edit> {
        Some(Edit {
            edit_id: self.edit_id?,
            op: self.op?.operation()?,
        })
    }

    fn operation(self) -> Option<EditOp> {
        Some(match self.kind.as_deref()? {
            "set_text" => EditOp::SetText(self.new_text()?),
            "replace" => EditOp::Replace {
                segments: each(self.segments?, Self::new_text)?,
            },
            "split" => EditOp::Split {
                segment: self.segment?.reference()?,
                at: self.at?,
                new_segment: self.new_segment?,
            },
            "merge" => EditOp::Merge {
                segment: self.segment?.reference()?,
                next: self.next?.reference()?,
            },
            "confirm_words" => EditOp::ConfirmWords {
                segment: self.segment?.reference()?,
                words: self.words?,
            },
            "remove" => EditOp::Remove {
                segments: each(self.segments?, Self::reference)?,
            },
            "put_back" => EditOp::PutBack {
                segments: each(self.segments?, Self::reference)?,
            },
            "set_speaker" => EditOp::SetSpeaker {
                segments: each(self.segments?, Self::reference)?,
                speaker: self.speaker,
            },
            "rename_speaker" => EditOp::RenameSpeaker {
                speaker: self.speaker?,
                name: self.name,
            },
            "merge_speakers" => EditOp::MergeSpeakers {
                from: self.from?,
                into: self.into?,
            },
            "bring_back" => EditOp::BringBack {
                passage: self.passage?,
            },
            "set_times" => EditOp::SetTimes {
                times: each(self.times?, Self::new_times)?,
            },
            "insert" => EditOp::Insert {
                new_segment: self.new_segment?,
                after: match self.after {
                    Some(after) => Some(after.reference()?),
                    None => None,
                },
                start: self.start?,
                end: self.end?,
                text: self.text?,
                speaker: self.speaker,
            },
            "set_cues" => EditOp::SetCues(self.new_cues()?),
            // "mend_cues" is the former name, in unsent edits of earlier versions.
            "correct_cues" | "mend_cues" => EditOp::CorrectCues {
                segments: each(self.segments?, Self::new_cues)?,
            },
            _ => return None,
        })
    }

    fn new_times(self) -> Option<NewTimes> {
        Some(NewTimes {
            segment: self.segment?.reference()?,
            start: self.start?,
            end: self.end?,
        })
    }

    fn new_cues(self) -> Option<NewCues> {
        Some(NewCues {
            segment: self.segment?.reference()?,
            cues: each(self.cues?, Self::cue)?,
        })
    }

    fn cue(self) -> Option<HandCue> {
        Some(HandCue {
            at: self.at?,
            start: self.start?,
            end: self.end?,
            breaks: self.breaks?,
        })
    }

    fn new_text(self) -> Option<NewText> {
        Some(NewText {
            segment: self.segment?.reference()?,
            text: self.text?,
        })
    }

    fn reference(self) -> Option<SegmentRef> {
        Some(SegmentRef {
            id: self.id?,
            revision: self.revision?,
        })
    }
}

fn each<T>(segments: Vec<Flat>, take: fn(Flat) -> Option<T>) -> Option<Vec<T>> {
    segments.into_iter().map(take).collect()
}
