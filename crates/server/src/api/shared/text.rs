//! The text of a link, as far as it is anybody else's business: without its edits, its model, what
//! recognition warned of, and, unless the owner shows it, how sure it was.

use serde::Serialize;
use slovo_rules::edit::{EditedSegment, EditedTranscript, Speaker};
use slovo_rules::transcript::{Word, rounded};
use utoipa::ToSchema;

/// A text that is shared.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedText {
    /// Which run of recognition it is, from 1; comments name it.
    version: u32,
    /// Who speaks, by first appearance.
    speakers: Vec<Speaker>,
    /// What is said, in order.
    segments: Vec<SharedSegment>,
}

/// A line of it.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedSegment {
    /// Its name in comments.
    id: String,
    /// Start in seconds.
    start: f64,
    /// End in seconds, not before `start`.
    end: f64,
    /// `SPEAKER_n`, or null where nobody is named.
    speaker: Option<String>,
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

impl SharedText {
    /// What a link shows of a text.
    pub(super) fn of(text: EditedTranscript, with_confidence: bool) -> Self {
        let word = |word: Word| SharedWord {
            start: rounded(word.start),
            end: rounded(word.end),
            text: word.text,
            confidence: with_confidence.then(|| rounded(word.confidence)),
        };
        let segment = |segment: EditedSegment| SharedSegment {
            id: segment.id,
            start: rounded(segment.start),
            end: rounded(segment.end),
            speaker: segment.speaker,
            text: segment.text,
            words: segment.words.into_iter().map(word).collect(),
        };
        Self {
            version: text.version,
            speakers: text.speakers,
            segments: text.segments.into_iter().map(segment).collect(),
        }
    }
}
