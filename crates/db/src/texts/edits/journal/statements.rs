//! SQL of the journal, and its rows as they are stored.

use uuid::Uuid;

#[cfg(test)]
use super::Author;
use super::{SegmentState, SpeakerState};
use crate::core::fields::placeholders;
use crate::core::statement::{built_statements, columns, row_columns, statements};

/// The visitor's columns in a row of the journal.
pub(super) struct VisitorRow {
    pub edit_id: String,
    pub name: Option<String>,
    pub share: Option<Uuid>,
    pub share_made_at: Option<i64>,
}

row_columns! {
    pub(super) fn read_visitor_row() -> VisitorRow from "transcript_edits" by "edit_id" {
        edit_id: text,
        name: text_or_none in "visitor_name",
        share: uuid_or_none in "share_id",
        share_made_at: integer_or_none,
    }
}

/// An edit as it is stored.
pub(super) struct EntryRow {
    pub seq: i64,
    pub edit_id: Uuid,
    pub client: Uuid,
    pub at: i64,
    pub kind: String,
    pub segments_before: Vec<SegmentState>,
    pub segments_after: Vec<SegmentState>,
    pub speakers_before: Vec<SpeakerState>,
    pub speakers_after: Vec<SpeakerState>,
}

row_columns! {
    pub(super) fn read_row() -> EntryRow from "transcript_edits" by "edit_id" {
        seq: integer,
        edit_id: uuid,
        client: uuid,
        at: integer,
        kind: text,
        segments_before: json,
        segments_after: json,
        speakers_before: json,
        speakers_after: json,
    }
}

/// The columns of [`EntryRow`] and [`VisitorRow`], of a row `e`.
macro_rules! entry_columns {
    () => {
        columns!(
            "e.": seq, edit_id, client, at, kind, segments_before, segments_after,
            speakers_before, speakers_after, visitor_name, share_id, share_made_at
        )
    };
}

/// The states before an edit.
pub(super) struct PreviousStates {
    pub segments: Vec<SegmentState>,
    pub speakers: Vec<SpeakerState>,
}

row_columns! {
    pub(super) fn read_states_before() -> PreviousStates from "transcript_edits" by "edit_id" {
        segments: json in "segments_before",
        speakers: json in "speakers_before",
    }
}

/// The time and author of an edit, without the visitor.
pub(super) struct EditStampRow {
    pub version: i64,
    pub seq: i64,
    pub at: i64,
    pub author_id: String,
}

row_columns! {
    pub(super) fn read_edit_stamp() -> EditStampRow from "transcript_edits" by "edit_id" {
        version: integer,
        seq: integer,
        at: integer,
        author_id: text,
    }
}

statements! {
    pub(super) const INSERT_EDIT: BOTH =
        "INSERT INTO transcript_edits (my_job_id, version, seq, edit_id, client, author_id, at, \
         kind, target, standing, segments_before, segments_after, speakers_before, \
         speakers_after, visitor_name, share_id, share_made_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    pub(super) const UPDATE_HEAD: BOTH =
        "UPDATE transcript_heads SET seq = $3, unsure = unsure + $4 \
         WHERE my_job_id = $1 AND version = $2";
    pub(super) const SELECT_EDIT: BOTH -> EntryRow, VisitorRow = concat!(
        "SELECT ",
        entry_columns!(),
        " FROM transcript_edits e WHERE e.my_job_id = $1 AND e.version = $2 AND e.seq = $3"
    );
    pub(super) const SELECT_EDITS_SINCE: BOTH -> EntryRow, VisitorRow, Author = concat!(
        "SELECT ",
        entry_columns!(),
        ", NULLIF(p.fullname, '') AS author_name, a.email AS author_email \
         FROM transcript_edits e LEFT JOIN profiles p ON p.user_id = e.author_id \
         LEFT JOIN accounts a ON a.id = e.author_id \
         WHERE e.my_job_id = $1 AND e.version = $2 AND e.seq > $3 ORDER BY e.seq LIMIT $4"
    );
    pub(super) const SELECT_STATES_BEFORE: BOTH -> PreviousStates =
        "SELECT edit_id, segments_before, speakers_before FROM transcript_edits \
         WHERE my_job_id = $1 AND version = $2 AND seq > $3 ORDER BY seq";
    pub(super) const SELECT_EDIT_STAMPS: BOTH -> EditStampRow, VisitorRow, Author =
        "SELECT e.edit_id, e.version, e.seq, e.at, e.author_id, e.visitor_name, e.share_id, \
         e.share_made_at, NULLIF(p.fullname, '') AS author_name, a.email AS author_email \
         FROM transcript_edits e \
         LEFT JOIN profiles p ON p.user_id = e.author_id \
         LEFT JOIN accounts a ON a.id = e.author_id \
         WHERE e.my_job_id = $1 ORDER BY e.version, e.seq";
    pub(super) const COUNT_EDITS_OF_SHARE: BOTH =
        "SELECT COUNT(*) AS edits FROM transcript_edits WHERE share_id = $1";
    pub(super) const COUNT_EDITS_OF_JOB: BOTH =
        "SELECT COUNT(*) AS edits FROM transcript_edits WHERE my_job_id = $1";
}

built_statements! {
    select_edits: BOTH -> EntryRow, VisitorRow = |_| vec![select_edits(1), select_edits(3)];
}

/// The SQL for `count` edits by id.
pub(super) fn select_edits(count: usize) -> String {
    format!(
        "SELECT {} FROM transcript_edits e WHERE e.my_job_id = $1 AND e.version = $2 \
         AND e.edit_id IN {}",
        entry_columns!(),
        placeholders(2, count)
    )
}
