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
mod limits;
mod outside;
mod parts;
mod pieces;
mod restored;
mod retime;
mod same;
mod times;

use serde::{Deserialize, Serialize};

pub use check::validate;
pub use clean::clean;
pub use confirm::confirm;
pub use hand::{cues_fit, moved_cues, retext};
pub use limits::{
    LEAST_SPAN, MAX_BREAKS, MAX_CUES, MAX_EDITS, MAX_SECONDS, MAX_SEGMENTS, MAX_SPEAKER_NAME,
    MAX_SPEAKERS, MAX_TEXT, MAX_WORDS,
};
pub use outside::{Outside, outside};
pub use parts::{PART_END, PART_GAP, merge, part_before, part_between, parts_between, split};
pub(crate) use pieces::located;
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
    /// Language of the speech, given or found (ISO 639-1).
    pub language: String,
    /// Length of the recording in seconds.
    pub duration: f64,
    /// Mode that made it.
    pub mode: TranscriptionType,
    /// Id of the model that made it.
    pub model: String,
    /// Who speaks, by first appearance.
    pub speakers: Vec<Speaker>,
    /// What is said, in order.
    pub segments: Vec<EditedSegment>,
    /// What the reader should know about the result.
    pub warnings: Vec<Warning>,
    /// What was taken out because nobody said it, in order of time; also what was brought
    /// back. On the wire it has an action of its own.
    #[serde(skip)]
    pub removed: Vec<Removed>,
}

/// Somebody who speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Speaker {
    /// `SPEAKER_n`, as segments name it.
    pub id: String,
    /// The name that somebody gave; null shows `S{n+1}`.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub name: Option<String>,
}

/// A segment with its edits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EditedSegment {
    /// Its name in edits: the number of a recognised one, the UUID of one that was split off.
    pub id: String,
    /// Grows with each change of it; 0 is as recognised.
    pub revision: u32,
    /// Where it stands: segments are in order of their places.
    pub place: Place,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds, not before `start`.
    pub end: f64,
    /// `SPEAKER_n`, or null where nobody is named.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub speaker: Option<String>,
    /// Language of its speech (ISO 639-1); null or absent: that of the transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub language: Option<String>,
    /// The sentence.
    pub text: String,
    /// Its words with their times; empty if the recognition has none.
    pub words: Vec<Word>,
    /// Its subtitles where somebody made them by hand, in order; empty: they are laid out by rule.
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

/// A subtitle of a segment that was made by hand. It goes to where the next one begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HandCue {
    /// Unicode scalar values of the segment's text before it; 0 for the first.
    pub at: u32,
    /// When it comes, in seconds.
    pub start: f64,
    /// When it goes, in seconds: at least 0.04 after `start`, not after the next one comes.
    pub end: f64,
    /// Where its lines end, in Unicode scalar values of the segment's text, rising, at most three;
    /// empty: its lines are broken by rule.
    pub breaks: Vec<u32>,
}

/// Where a segment stands. Never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Place {
    /// Number of the recognised segment that it comes from.
    pub base: u32,
    /// Order among those that come from the same one: 0 is what keeps its beginning, what was
    /// brought back before it has a lower one. Between -2^53 and 2^53.
    pub part: i64,
}

/// One edit as it is sent. `edit_id` makes it safe to send again: what is stored is not done twice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Edit {
    /// UUID made by its author's page.
    pub edit_id: String,
    /// What is done.
    pub op: EditOp,
}

/// What an edit does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EditOp {
    /// Gives one segment another text; its words keep their times.
    SetText(NewText),
    /// Gives many segments another text at once: find and replace.
    Replace {
        /// The segments; each once.
        segments: Vec<NewText>,
    },
    /// Parts a segment in two.
    Split {
        /// The segment; it keeps what stands before.
        segment: SegmentRef,
        /// Unicode scalar values of its text that stay with it; some text must be on both sides.
        at: u32,
        /// UUID for what is split off.
        new_segment: String,
    },
    /// Joins a segment with the next one, which goes.
    Merge {
        /// The segment that stays.
        segment: SegmentRef,
        /// The one that stands next to it.
        next: SegmentRef,
    },
    /// Says that words were recognised right: from now on they are sure. Text and times stay.
    ConfirmWords {
        /// The segment.
        segment: SegmentRef,
        /// Positions of the words among the segment's, from 0; each once.
        words: Vec<u32>,
    },
    /// Puts segments into the text's bin, where they stay until somebody puts them back.
    Remove {
        /// The segments; each once.
        segments: Vec<SegmentRef>,
    },
    /// Puts segments from the bin back to where they stood; nothing of those that are there
    /// already. Their revisions do not matter.
    PutBack {
        /// The segments; each once.
        segments: Vec<SegmentRef>,
    },
    /// Says who speaks in these segments.
    SetSpeaker {
        /// The segments; each once.
        segments: Vec<SegmentRef>,
        /// `SPEAKER_n`, known or the next free number; null: nobody is named.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
        speaker: Option<String>,
    },
    /// Names a speaker everywhere.
    RenameSpeaker {
        /// `SPEAKER_n`.
        speaker: String,
        /// The name; null takes it away.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
        name: Option<String>,
    },
    /// Puts a passage that the engine took out into the text; nothing if it is there already.
    BringBack {
        /// Its number among the removed ones, from 0.
        passage: u32,
    },
    /// Says that two speakers are one, everywhere.
    MergeSpeakers {
        /// `SPEAKER_n` that goes.
        from: String,
        /// `SPEAKER_n` that stays.
        into: String,
    },
    /// Gives segments other times. Their words and hand-made subtitles move with them; none may come
    /// to begin before the one in front of it or after the one behind it.
    SetTimes {
        /// The segments; each once.
        times: Vec<NewTimes>,
    },
    /// Puts a new segment into the text, where speech was missed. It has no words.
    Insert {
        /// UUID for it.
        new_segment: String,
        /// The one that it stands behind, whose revision does not matter; null: it is the first.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "SegmentRef | null"))]
        after: Option<SegmentRef>,
        /// Start in seconds, between the starts of its neighbours.
        start: f64,
        /// End in seconds, at least 0.04 after `start`.
        end: f64,
        /// Its text; white space at its ends is not kept.
        text: String,
        /// `SPEAKER_n`, known or the next free number; null: nobody is named.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
        speaker: Option<String>,
    },
    /// Makes the subtitles of one segment by hand.
    SetCues(NewCues),
    /// Makes the subtitles of many segments at once, so that they keep to the limits.
    MendCues {
        /// The segments; each once.
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

/// Another text for a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewText {
    /// The segment.
    pub segment: SegmentRef,
    /// Its text from now on; white space at its ends is not kept.
    pub text: String,
}

/// Other times for a segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewTimes {
    /// The segment.
    pub segment: SegmentRef,
    /// Start in seconds, from 0; kept in milliseconds.
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
    /// Its subtitles in order, at most 50; empty: they are laid out by rule again.
    pub cues: Vec<HandCue>,
}

/// What has become of a segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SegmentChange {
    /// Its id.
    pub id: String,
    /// As it is now; null: it is gone.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "EditedSegment | null"))]
    pub segment: Option<EditedSegment>,
}
