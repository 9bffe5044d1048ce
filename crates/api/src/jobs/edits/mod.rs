//! Edits of a transcript: `/api/v1/jobs/{id}/edits`.
//!
//! These routes are for the owner only; visitors of a link use `api::shared`. Edits and their
//! effects are defined in `slovo_rules::edit`; applying and undoing them is in
//! `slovo_transcripts::edits`.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::Problem;
use slovo_db::texts::edits::{Entry, Visitor, WithAuthor};
use slovo_platform::clock::from_ms;
use slovo_rules::edit::{SegmentChange, Speaker};
use slovo_transcripts::edits::{EditKind, SavedEdits};
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) mod events;
pub(super) mod list;
pub(super) mod save;
pub(super) mod state;
pub(super) mod undo;

/// The result of edits of a transcript.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EditsSaved {
    /// Number of the last of these edits.
    seq: u32,
    /// The changed segments in their current state.
    changes: Vec<SegmentChange>,
    /// All speakers, with their names.
    speakers: Vec<Speaker>,
    /// Whether this page has an edit to undo.
    can_undo: bool,
    /// Whether it has an undone edit to redo.
    can_redo: bool,
}

impl From<SavedEdits> for EditsSaved {
    fn from(saved: SavedEdits) -> Self {
        Self {
            seq: saved.seq,
            changes: saved.changes,
            speakers: saved.speakers,
            can_undo: saved.steps.undo.is_some(),
            can_redo: saved.steps.redo.is_some(),
        }
    }
}

/// Edits in order.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EditList {
    /// Number of the last one; if there are none, the requested number.
    seq: u32,
    /// The edits, the oldest first; at most 500.
    edits: Vec<EditEntry>,
    /// Whether there are more after them.
    more: bool,
}

/// A stored edit.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EditEntry {
    /// Its number among the edits of its run, from 1.
    seq: u32,
    /// The id given by its author's page.
    edit_id: Uuid,
    /// The page that sent it.
    client: Uuid,
    /// The author.
    author: EditAuthor,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The kind of edit.
    kind: EditKind,
    /// The changed segments as they were after it; after a merge of speakers also those whose
    /// speaker it changed.
    changes: Vec<SegmentChange>,
    /// All current speakers, if it changed any of them.
    speakers: Option<Vec<Speaker>>,
}

/// The author of an edit.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EditAuthor {
    /// The account's name, or the part of its address before the @; null if the account has been
    /// deleted. For a visitor, the name that they entered, which is not verified.
    name: Option<String>,
    /// The link that a visitor used; null if the author is an account.
    share: Option<EditShare>,
}

/// The link through which a visitor edited.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EditShare {
    /// Its id. The link may have been revoked.
    id: Uuid,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<&Visitor> for EditShare {
    fn from(visitor: &Visitor) -> Self {
        Self {
            id: visitor.share,
            created_at: from_ms(visitor.share_made_at),
        }
    }
}

impl EditEntry {
    fn new(
        entry: WithAuthor<Entry>,
        changes: Vec<SegmentChange>,
        speakers: Option<Vec<Speaker>>,
    ) -> Result<Self, Problem> {
        let WithAuthor {
            of: entry,
            author_name,
        } = entry;
        Ok(Self {
            seq: entry.seq,
            edit_id: entry.edit_id,
            client: entry.client,
            author: EditAuthor {
                share: entry.visitor.as_ref().map(EditShare::from),
                name: entry.visitor.map(|visitor| visitor.name).or(author_name),
            },
            at: from_ms(entry.at),
            kind: entry.kind.parse().map_err(Problem::internal)?,
            changes,
            speakers,
        })
    }
}
