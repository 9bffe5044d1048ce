//! The text of a link as visitors see it: without edit history, model and warnings and, unless the
//! owner enables it, without confidence. Revisions, which edits must name, are included only if the
//! link allows edits.

use serde::Serialize;
use slovo_db::texts::shares::Share;
use slovo_rules::edit::{EditedSegment, EditedTranscript, SegmentChange, Speaker};
use slovo_rules::transcript::{Word, rounded};
use utoipa::ToSchema;

/// A shared text.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedText {
    /// Number of the run of recognition, from 1, used in comments and edits.
    version: u32,
    /// The speakers, in order of first appearance.
    speakers: Vec<Speaker>,
    /// The lines, in order.
    segments: Vec<SharedSegment>,
}

/// A line of a shared text.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedSegment {
    /// Its id in comments and edits.
    id: String,
    /// Increases with each change. Absent unless the link allows editing.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u32>,
    /// Start in seconds.
    start: f64,
    /// End in seconds, not before `start`.
    end: f64,
    /// `SPEAKER_n`; null if no speaker is set.
    speaker: Option<String>,
    /// Language of its speech (ISO 639-1).
    language: Option<String>,
    /// The sentence.
    text: String,
    /// Its words with their times; empty if there are no times of words.
    words: Vec<SharedWord>,
}

/// A word of a line.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedWord {
    /// Start in seconds.
    start: f64,
    /// End in seconds, not before `start`.
    end: f64,
    /// The word with its punctuation.
    text: String,
    /// Confidence of recognition, 0 to 1. Absent unless the owner enables it.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
}

/// A changed line.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedChange {
    /// Its id.
    id: String,
    /// Its current state; null if it was removed.
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
