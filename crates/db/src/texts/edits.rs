//! Edits of a transcript: a journal (`transcript_edits`) over the recognised segments, and the
//! resulting segments and speakers (`edited_segments`, `transcript_speakers`).
//!
//! Every edit begins with [`lock`]: edits of one transcript are serialised, so that no number is
//! used twice and nobody overwrites changes they have not seen. This module only stores edits;
//! their effect is computed elsewhere.

mod journal;
mod lines;
mod segments;
mod speakers;
mod standing;
#[cfg(test)]
mod tests;
mod unsure;

use serde::{Deserialize, Serialize};
use slovo_rules::edit::EditedSegment;
use sqlx::Row;
use uuid::Uuid;

#[cfg(test)]
pub(crate) use journal::Author;
pub(crate) use journal::author_name;
pub use journal::{
    EarlierStates, EditStamp, Entry, NewEntry, Visitor, WithAuthor, append, count, count_by_share,
    edit_stamps, find, since, states_at, stored,
};
pub use lines::{Line, lines, recording_end};
pub use segments::{all, bin, current, first_part, following, next_part, of_speakers, write};
pub use speakers::{SpeakerState, Speakers, add_speaker, read_speakers, write_speakers};
pub use standing::{Standing, Steps, discard_undone, set_standing, steps};
pub(super) use unsure::{store_unsure_count, unsure};

use crate::core::statement::statements;
use crate::{Connection, Result};

/// A segment as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SegmentState {
    /// The segment. Its speaker is the assigned one, who may have been merged into another.
    pub segment: EditedSegment,
    /// Whether it is removed from the transcript.
    pub removed: bool,
    /// Whether a person removed the line, which puts it into the transcript's bin. Segments removed
    /// by a merge or an undo are in no bin.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_bin: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// A state before and after an edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Change<T> {
    /// Before the edit.
    pub before: T,
    /// After it.
    pub after: T,
}

statements! {
    const LOCK_TRANSCRIPT: BOTH =
        "UPDATE transcript_heads SET seq = seq WHERE my_job_id = $1 AND version = $2 \
         RETURNING seq";
}

/// Locks a transcript for editing until the transaction ends, and returns the number of its last
/// edit; `None` if there is no such transcript.
///
/// # Errors
/// When the database fails.
pub async fn lock(connection: &mut Connection, job: Uuid, version: i64) -> Result<Option<u32>> {
    let row = sqlx::query(LOCK_TRANSCRIPT)
        .bind(job.to_string())
        .bind(version)
        .fetch_optional(connection)
        .await?;
    row.map(|row| to_u32(row.try_get("seq")?)).transpose()
}

statements! {
    const INSERT_HEAD: BOTH =
        "INSERT INTO transcript_heads (my_job_id, version, seq, unsure) VALUES ($1, $2, 0, $3) \
         ON CONFLICT (my_job_id, version) DO UPDATE SET unsure = NULL";
}

/// Creates the edit counter of a new transcript with `unsure` uncertain words.
///
/// # Errors
/// When the database fails.
pub(super) async fn begin(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    unsure: i64,
) -> Result<()> {
    // The row exists if the transcript was lost and is made again: its edits are kept, and its
    // uncertain words are counted when next needed.
    sqlx::query(INSERT_HEAD)
        .bind(job.to_string())
        .bind(version)
        .bind(unsure)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_SEQ: BOTH =
        "SELECT seq FROM transcript_heads WHERE my_job_id = $1 AND version = $2";
}

/// The number of a transcript's last edit; `None` if there is no such transcript.
///
/// # Errors
/// When the database fails.
pub async fn seq(connection: &mut Connection, job: Uuid, version: i64) -> Result<Option<u32>> {
    let row = sqlx::query(SELECT_SEQ)
        .bind(job.to_string())
        .bind(version)
        .fetch_optional(connection)
        .await?;
    row.map(|row| to_u32(row.try_get("seq")?)).transpose()
}

/// Converts an edit or version number; this program counts them from 0.
#[expect(
    clippy::unnecessary_wraps,
    reason = "stands where reading a column can fail"
)]
fn to_u32(number: i64) -> Result<u32> {
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}
