//! Edits of a text: a journal (`transcript_edits`) over the recognised segments, and what it makes
//! of them (`edited_segments`, `transcript_speakers`).
//!
//! Whoever edits begins with [`lock`]: edits of one text follow each other, so that no number is
//! taken twice and nobody writes over what they have not seen. What an edit does is decided
//! elsewhere; this module stores it.

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

pub(crate) use journal::author_name;
pub use journal::{
    Before, Entry, Moment, Named, NewEntry, Visitor, append, before_after, by_share, count, find,
    moments, since, stored,
};
pub use lines::{Line, lines, recording_end};
pub use segments::{all, bin, current, first_part, following, next_part, of_speakers, write};
pub use speakers::{SpeakerState, Speakers, add_speaker, read_speakers, write_speakers};
pub use standing::{Standing, Steps, bury, set_standing, steps};
pub(super) use unsure::{keep_unsure, unsure};

use crate::{Connection, Result};

/// A segment as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SegmentState {
    /// The segment. Its speaker is the one it was given, who may have been merged into another.
    pub segment: EditedSegment,
    /// Whether it is gone.
    pub removed: bool,
    /// Whether it is gone into the text's bin: a person has removed the line. What a merge or an
    /// undo has taken is gone, too, and in no bin.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_bin: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// What something was and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Change<T> {
    /// Before the edit.
    pub before: T,
    /// After it.
    pub after: T,
}

/// Locks a text for editing until the transaction ends, and gives the number of its last edit;
/// `None` if there is no such text.
///
/// # Errors
/// When the database fails.
pub async fn lock(connection: &mut Connection, job: Uuid, version: i64) -> Result<Option<u32>> {
    let row = sqlx::query(
        "UPDATE transcript_heads SET seq = seq WHERE my_job_id = $1 AND version = $2 \
         RETURNING seq",
    )
    .bind(job.to_string())
    .bind(version)
    .fetch_optional(connection)
    .await?;
    row.map(|row| small(row.try_get("seq")?)).transpose()
}

/// Begins the edits of a text of which `unsure` words are unsure: none has been made yet.
///
/// # Errors
/// When the database fails.
pub(super) async fn begin(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    unsure: i64,
) -> Result<()> {
    // It is there already if the text was lost and is made anew: its edits stay, and its unsure
    // words are counted when somebody next wants to know.
    sqlx::query(
        "INSERT INTO transcript_heads (my_job_id, version, seq, unsure) VALUES ($1, $2, 0, $3) \
         ON CONFLICT (my_job_id, version) DO UPDATE SET unsure = NULL",
    )
    .bind(job.to_string())
    .bind(version)
    .bind(unsure)
    .execute(connection)
    .await?;
    Ok(())
}

/// The number of a text's last edit; `None` if there is no such text.
///
/// # Errors
/// When the database fails.
pub async fn seq(connection: &mut Connection, job: Uuid, version: i64) -> Result<Option<u32>> {
    let row = sqlx::query("SELECT seq FROM transcript_heads WHERE my_job_id = $1 AND version = $2")
        .bind(job.to_string())
        .bind(version)
        .fetch_optional(connection)
        .await?;
    row.map(|row| small(row.try_get("seq")?)).transpose()
}

/// Numbers of edits and versions are counted by this program, from 0.
#[expect(
    clippy::unnecessary_wraps,
    reason = "stands where reading a column can fail"
)]
fn small(number: i64) -> Result<u32> {
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}
