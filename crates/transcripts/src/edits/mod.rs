//! Applies edits to a transcript.
//!
//! Everything happens under the lock of the text (`slovo_db::texts::edits::lock`), in one
//! transaction that the caller commits: an acknowledged edit is in the journal and on the disk. An
//! edit names the revisions that its author saw; a segment with another revision is a conflict.
//!
//! Undo and redo are edits too, so that all readers receive them. Whether one is possible depends
//! on the contents: a segment that was changed and changed back counts as unchanged.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use slovo_db::texts::edits::{Steps, Visitor};
use slovo_rules::edit::{SegmentChange, Speaker};
use slovo_rules::violation::Violations;
use utoipa::ToSchema;
use uuid::Uuid;

mod bin;
pub mod diff;
pub mod listed;
mod locked_transcript;
pub mod recognise_again;
mod restore_passage;
mod save;
pub mod sessions;
mod step;
mod timed;

pub use save::save;
pub use step::{Direction, restore, step};

/// Times that differ by less are equal: they are stored in milliseconds.
const SAME_SECONDS: f64 = 0.0005;

/// What an edit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditKind {
    /// Changed the text of one segment.
    SetText,
    /// Changed the text of many segments.
    Replace,
    /// Split a segment.
    Split,
    /// Merged two segments.
    Merge,
    /// Confirmed words as correct.
    ConfirmWords,
    /// Moved segments to the bin.
    Remove,
    /// Restored segments from the bin.
    PutBack,
    /// Changed the speaker of segments.
    SetSpeaker,
    /// Renamed a speaker.
    RenameSpeaker,
    /// Merged two speakers.
    MergeSpeakers,
    /// Restored a removed passage.
    BringBack,
    /// Changed the times of segments.
    SetTimes,
    /// Inserted a segment where speech was missed.
    Insert,
    /// Recognised a stretch of the recording again.
    RecogniseAgain,
    /// Set the subtitles of one segment manually.
    SetCues,
    /// Adjusted subtitles to the limits.
    CorrectCues,
    /// Restored an earlier state.
    Restore,
    /// Undid an edit.
    Undo,
    /// Redid an edit.
    Redo,
}

impl EditKind {
    /// The word by which it is stored.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SetText => "set_text",
            Self::Replace => "replace",
            Self::Split => "split",
            Self::Merge => "merge",
            Self::ConfirmWords => "confirm_words",
            Self::Remove => "remove",
            Self::PutBack => "put_back",
            Self::SetSpeaker => "set_speaker",
            Self::RenameSpeaker => "rename_speaker",
            Self::MergeSpeakers => "merge_speakers",
            Self::BringBack => "bring_back",
            Self::SetTimes => "set_times",
            Self::Insert => "insert",
            Self::RecogniseAgain => "recognise_again",
            Self::SetCues => "set_cues",
            Self::CorrectCues => "correct_cues",
            Self::Restore => "restore",
            Self::Undo => "undo",
            Self::Redo => "redo",
        }
    }
}

/// A stored word that is not a kind of edit.
#[derive(Debug, thiserror::Error)]
#[error("unknown kind of edit: {0}")]
pub struct UnknownKind(String);

impl FromStr for EditKind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        let all = [
            Self::SetText,
            Self::Replace,
            Self::Split,
            Self::Merge,
            Self::ConfirmWords,
            Self::Remove,
            Self::PutBack,
            Self::SetSpeaker,
            Self::RenameSpeaker,
            Self::MergeSpeakers,
            Self::BringBack,
            Self::SetTimes,
            Self::Insert,
            Self::RecogniseAgain,
            Self::SetCues,
            Self::CorrectCues,
            Self::Restore,
            Self::Undo,
            Self::Redo,
        ];
        let found = all.into_iter().find(|kind| kind.word() == word);
        found.ok_or_else(|| UnknownKind(word.to_owned()))
    }
}

impl fmt::Display for EditKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Who edits which text, and when.
#[derive(Debug, Clone)]
pub struct Author {
    /// The job.
    pub job: Uuid,
    /// The run.
    pub version: i64,
    /// The page; it can undo its own edits only.
    pub client: Uuid,
    /// The account; empty for a visitor.
    pub user_id: String,
    /// The visitor's share link and name, if a visitor edits.
    pub visitor: Option<Visitor>,
    /// Unix milliseconds.
    pub now: i64,
}

/// The result of edits.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedEdits {
    /// The number of the last edit.
    pub seq: u32,
    /// The segments that changed.
    pub changes: Vec<SegmentChange>,
    /// All speakers.
    pub speakers: Vec<Speaker>,
    /// What the page can undo and redo.
    pub steps: Steps,
}

/// Why an edit was refused.
#[derive(Debug)]
pub enum EditError {
    /// The text does not exist.
    NotReady,
    /// These segments have changed since the author saw them; their current state.
    Conflict(Vec<SegmentChange>),
    /// There is no free position left between two segments.
    TooDeep,
    /// The page has nothing to undo.
    NothingToUndo,
    /// The page has nothing to redo.
    NothingToRedo,
    /// The edits break rules.
    Invalid(Violations),
    /// An internal error.
    Storage(slovo_db::Error),
}

impl From<slovo_db::Error> for EditError {
    fn from(error: slovo_db::Error) -> Self {
        Self::Storage(error)
    }
}
