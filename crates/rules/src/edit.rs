//! Edits of a transcript: the allowed operations and their results.
//!
//! Recognised segments never change. Edits are a journal over them; the displayed transcript is a
//! projection of both. An edit names the segments it changes with the revisions that its author
//! saw: edits of different segments never conflict, and of two conflicting edits the later one is
//! rejected with both texts.

mod check;
mod clean;
mod confirm;
mod hand;
mod lcs;
mod limits;
mod parts;
mod pieces;
mod remainder;
mod restored;
mod retime;
mod times;

use serde::{Deserialize, Serialize};

pub use check::validate;
pub(crate) use check::{known_form as check_speaker, speaker_name as check_speaker_name};
pub use clean::clean;
pub use confirm::confirm;
pub use hand::{cues_fit, moved_cues, retext};
pub use limits::{
    MAX_BREAKS, MAX_CUES, MAX_EDITS, MAX_SECONDS, MAX_SEGMENTS, MAX_SPEAKER_NAME, MAX_SPEAKERS,
    MAX_TEXT, MAX_WORDS, MIN_CUE_SECONDS,
};
pub use parts::{PART_END, PART_GAP, merge, part_before, part_between, parts_between, split};
pub(crate) use pieces::located;
pub use remainder::{Remainder, remainder};
pub use restored::restored_segment;
pub use retime::retime;
pub use times::{NewLine, inserted, line_fits, with_times, within};

use crate::mode::TranscriptionType;
use crate::removed::Removed;
use crate::transcript::{Warning, Word, fill_languages, language_or};

/// A transcript with its edits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EditedTranscript {
    /// Which run of recognition it is, from 1.
    pub version: u32,
    /// The last edit in it, from 1; 0 if there is none.
    pub seq: u32,
    /// Language of the speech, as set or detected (ISO 639-1).
    pub language: String,
    /// Length of the recording in seconds.
    pub duration: f64,
    /// Mode of recognition.
    pub mode: TranscriptionType,
    /// Id of the model.
    pub model: String,
    /// The speakers, in order of first appearance.
    pub speakers: Vec<Speaker>,
    /// The segments, in order.
    pub segments: Vec<EditedSegment>,
    /// Warnings about the result.
    pub warnings: Vec<Warning>,
    /// Passages that the engine removed because nobody said them, in order of time, including
    /// restored ones. The API returns them from a separate endpoint.
    #[serde(skip)]
    pub removed: Vec<Removed>,
}

/// A speaker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Speaker {
    /// `SPEAKER_n`, as segments name it.
    pub id: String,
    /// The name given by a user; null is displayed as `S{n+1}`.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub name: Option<String>,
}

/// A segment with its edits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EditedSegment {
    /// Id used in edits: a number if it was recognised, a UUID if it was created by an edit.
    pub id: String,
    /// Increases with each change; 0 means as recognised.
    pub revision: u32,
    /// Its position. Segments are in the order of their places.
    pub place: Place,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds, not before `start`.
    pub end: f64,
    /// `SPEAKER_n`; null if no speaker is set.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub speaker: Option<String>,
    /// Language of its speech (ISO 639-1); null or absent if it is that of the transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub language: Option<String>,
    /// The sentence.
    pub text: String,
    /// Its words with their times; empty if there are no times of words.
    pub words: Vec<Word>,
    /// Its hand-made subtitles, in order; empty if its subtitles are automatic.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cues: Vec<HandCue>,
}

impl EditedSegment {
    /// The language of its speech, in a transcript of this language.
    #[must_use]
    pub fn language_or<'a>(&'a self, transcript: &'a str) -> &'a str {
        language_or(self.language.as_deref(), transcript)
    }
}

impl EditedTranscript {
    /// Gives every segment its language: those without one get that of the transcript.
    pub fn fill_languages(&mut self) {
        let languages = self
            .segments
            .iter_mut()
            .map(|segment| &mut segment.language);
        fill_languages(languages, &self.language);
    }
}

/// A hand-made subtitle of a segment. Its text extends to where the next one begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HandCue {
    /// Number of Unicode scalar values in the segment's text before it; 0 for the first.
    pub at: u32,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds: at least 0.04 after `start`, not after the start of the next one.
    pub end: f64,
    /// Positions of its line breaks, in Unicode scalar values of the segment's text, ascending, at
    /// most three; empty if its line breaks are automatic.
    pub breaks: Vec<u32>,
}

/// The position of a segment. It never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Place {
    /// Number of the recognised segment that it was made from.
    pub base: u32,
    /// Order among segments from the same recognised one: 0 is the one with its beginning; passages
    /// restored before it have lower numbers. Between -2^53 and 2^53.
    pub part: i64,
}

/// An edit. It can safely be sent again: an edit whose `edit_id` is stored is not applied twice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Edit {
    /// UUID made by its author's page.
    pub edit_id: String,
    /// The operation.
    pub op: EditOp,
}

/// The operation of an edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EditOp {
    /// Replaces the text of a segment; its words keep their times.
    SetText(NewText),
    /// Replaces the text of several segments at once: find and replace.
    Replace {
        /// The segments, without duplicates.
        segments: Vec<NewText>,
    },
    /// Splits a segment in two.
    Split {
        /// The segment, which keeps the text before the split.
        segment: SegmentRef,
        /// Number of Unicode scalar values of its text that it keeps; there must be text on both
        /// sides.
        at: u32,
        /// UUID of the new segment.
        new_segment: String,
    },
    /// Merges a segment with the next one, which is removed.
    Merge {
        /// The segment that remains.
        segment: SegmentRef,
        /// The next segment.
        next: SegmentRef,
    },
    /// Confirms that words were recognised correctly: they are no longer uncertain. Text and times
    /// are unchanged.
    ConfirmWords {
        /// The segment.
        segment: SegmentRef,
        /// Indices of words in the segment, from 0, without duplicates.
        words: Vec<u32>,
    },
    /// Moves segments to the text's bin, where they stay until they are restored.
    Remove {
        /// The segments, without duplicates.
        segments: Vec<SegmentRef>,
    },
    /// Restores segments from the bin to their places. Segments that are in the text are ignored.
    /// Revisions do not matter.
    PutBack {
        /// The segments, without duplicates.
        segments: Vec<SegmentRef>,
    },
    /// Sets the speaker of segments.
    SetSpeaker {
        /// The segments, without duplicates.
        segments: Vec<SegmentRef>,
        /// `SPEAKER_n`: an existing number or the next free one; null removes the speaker.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
        speaker: Option<String>,
    },
    /// Renames a speaker in the whole transcript.
    RenameSpeaker {
        /// `SPEAKER_n`.
        speaker: String,
        /// The name; null removes it.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
        name: Option<String>,
    },
    /// Restores a passage that the engine removed; does nothing if it is already in the text.
    BringBack {
        /// Its number among the removed passages, from 0.
        passage: u32,
    },
    /// Merges two speakers in the whole transcript.
    MergeSpeakers {
        /// `SPEAKER_n` that is removed.
        from: String,
        /// `SPEAKER_n` that remains.
        into: String,
    },
    /// Changes the times of segments. Their words and hand-made subtitles move with them. No
    /// segment may start before the previous one or after the next one.
    SetTimes {
        /// The segments, without duplicates.
        times: Vec<NewTimes>,
    },
    /// Inserts a segment where speech was missed. It has no words.
    Insert {
        /// UUID of the new segment.
        new_segment: String,
        /// The segment before it, whose revision does not matter; null if it is the first.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "SegmentRef | null"))]
        after: Option<SegmentRef>,
        /// Start in seconds, between the starts of its neighbours.
        start: f64,
        /// End in seconds, at least 0.04 after `start`.
        end: f64,
        /// Its text; white space at its ends is removed.
        text: String,
        /// `SPEAKER_n`: an existing number or the next free one; null for no speaker.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
        speaker: Option<String>,
    },
    /// Sets the hand-made subtitles of a segment.
    SetCues(NewCues),
    /// Sets the subtitles of several segments at once, so that they comply with the limits.
    // The former name: pages of earlier versions have unsent edits.
    #[serde(alias = "mend_cues")]
    CorrectCues {
        /// The segments, without duplicates.
        segments: Vec<NewCues>,
    },
}

/// A segment as the author of an edit saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SegmentRef {
    /// Its id.
    pub id: String,
    /// Its revision.
    pub revision: u32,
}

/// A new text for a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewText {
    /// The segment.
    pub segment: SegmentRef,
    /// Its new text; white space at its ends is removed.
    pub text: String,
}

/// New times for a segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewTimes {
    /// The segment.
    pub segment: SegmentRef,
    /// Start in seconds, at least 0; stored in milliseconds.
    pub start: f64,
    /// End in seconds, at least 0.04 after `start`, within the recording.
    pub end: f64,
}

/// Hand-made subtitles for a segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewCues {
    /// The segment.
    pub segment: SegmentRef,
    /// Its subtitles in order, at most 50; empty restores automatic subtitles.
    pub cues: Vec<HandCue>,
}

/// A changed segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SegmentChange {
    /// Its id.
    pub id: String,
    /// Its current state; null if it was removed.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "EditedSegment | null"))]
    pub segment: Option<EditedSegment>,
}
