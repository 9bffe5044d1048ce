//! The text of a link as visitors see it: without edit history, model and warnings and, unless the
//! owner enables it, without confidence. Revisions, which edits must name, are included only if the
//! link allows edits.

use serde::Serialize;
use slovo_db::texts::shares::Share;
use slovo_rules::edit::{EditedSegment, EditedTranscript, SegmentChange, Speaker};
use slovo_rules::transcript::{Word, rounded};
use utoipa::ToSchema;

/// A text that is shared.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedText {
    /// Which run of recognition it is, from 1; comments and edits name it.
    version: u32,
    /// Who speaks, by first appearance.
    speakers: Vec<Speaker>,
    /// What is said, in order.
    segments: Vec<SharedSegment>,
}

/// A line of it.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedSegment {
    /// Its name in comments and edits.
    id: String,
    /// Grows with each change of it. Absent unless the link lets edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u32>,
    /// Start in seconds.
    start: f64,
    /// End in seconds, not before `start`.
    end: f64,
    /// `SPEAKER_n`, or null where nobody is named.
    speaker: Option<String>,
    /// Language of its speech (ISO 639-1).
    language: Option<String>,
    /// The sentence.
    text: String,
    /// Its words with their times; empty if the recognition has none.
    words: Vec<SharedWord>,
}

/// A word of it.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedWord {
    /// Start in seconds.
    start: f64,
    /// End in seconds, not before `start`.
    end: f64,
    /// The word with its punctuation.
    text: String,
    /// How sure recognition was, 0 to 1. Absent unless the owner shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
}

/// What has become of a line.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedChange {
    /// Its id.
    id: String,
    /// As it is now; null: it is gone.
    segment: Option<SharedSegment>,
}

impl SharedText {
    /// The part of a text that a link shows.
    pub(super) fn of(text: EditedTranscript, share: &Share) -> Self {
        let segments = text.segments.into_iter();
        Self {
            version: text.version,
            speakers: text.speakers,
            segments: segments
                .map(|segment| SharedSegment::of(segment, share))
                .collect(),
        }
    }
}

impl SharedSegment {
    fn of(segment: EditedSegment, share: &Share) -> Self {
        let word = |word: Word| SharedWord {
            start: rounded(word.start),
            end: rounded(word.end),
            text: word.text,
            confidence: share.with_confidence.then(|| rounded(word.confidence)),
        };
        Self {
            id: segment.id,
            revision: share.rights.edits().then_some(segment.revision),
            start: rounded(segment.start),
            end: rounded(segment.end),
            speaker: segment.speaker,
            language: segment.language,
            text: segment.text,
            words: segment.words.into_iter().map(word).collect(),
        }
    }
}

impl SharedChange {
    /// The part of a change that a link shows.
    pub(super) fn of(change: SegmentChange, share: &Share) -> Self {
        Self {
            id: change.id,
            segment: change
                .segment
                .map(|segment| SharedSegment::of(segment, share)),
        }
    }
}
