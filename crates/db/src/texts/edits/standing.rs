//! Which edits of a page are in effect, and which it can undo or redo.

use sqlx::Row;
use uuid::Uuid;

use super::to_u32;
use crate::core::statement::statements;
use crate::{Connection, Result};

/// Whether an edit is in effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// In effect.
    Applied,
    /// Undone, and can be redone.
    Undone,
}

impl Standing {
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Applied => 0,
            Self::Undone => 1,
        }
    }
}

/// Undone, and can no longer be redone because another edit followed.
const DISCARDED: i64 = 2;

/// The edits that a page can undo and redo, by number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Steps {
    /// Its newest edit in effect.
    pub undo: Option<u32>,
    /// Its last undone edit, unless another edit followed.
    pub redo: Option<u32>,
}

statements! {
    const SELECT_LAST_EDIT: BOTH =
        "SELECT seq FROM transcript_edits WHERE my_job_id = $1 AND version = $2 \
         AND client = $3 AND standing = $4 ORDER BY seq DESC LIMIT 1";
    const SELECT_FIRST_EDIT: BOTH =
        "SELECT seq FROM transcript_edits WHERE my_job_id = $1 AND version = $2 \
         AND client = $3 AND standing = $4 ORDER BY seq LIMIT 1";
}

/// The edits that a page can undo and redo.
///
/// # Errors
/// When the database fails.
pub async fn steps(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    client: Uuid,
) -> Result<Steps> {
    let mut step = async |statement: &'static str, standing: Standing| {
        let row = sqlx::query(statement)
            .bind(job.to_string())
            .bind(version)
            .bind(client.to_string())
            .bind(standing.number())
            .fetch_optional(&mut *connection)
            .await?;
        row.map(|row| to_u32(row.try_get("seq")?)).transpose()
    };
    Ok(Steps {
        undo: step(SELECT_LAST_EDIT, Standing::Applied).await?,
        // Undo goes backwards from the newest edit, so the last undone one has the lowest number.
        redo: step(SELECT_FIRST_EDIT, Standing::Undone).await?,
    })
}

statements! {
    const UPDATE_STANDING: BOTH =
        "UPDATE transcript_edits SET standing = $4 \
         WHERE my_job_id = $1 AND version = $2 AND seq = $3";
}

/// Records that an edit was undone or redone.
///
/// # Errors
/// When the database fails.
pub async fn set_standing(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    seq: u32,
    standing: Standing,
) -> Result<()> {
    sqlx::query(UPDATE_STANDING)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(seq))
        .bind(standing.number())
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DISCARD_UNDONE_EDITS: BOTH =
        "UPDATE transcript_edits SET standing = $4 \
         WHERE my_job_id = $1 AND version = $2 AND client = $3 AND standing = $5";
}

/// Makes the page's undone edits impossible to redo.
///
/// # Errors
/// When the database fails.
pub async fn discard_undone(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    client: Uuid,
) -> Result<()> {
    sqlx::query(DISCARD_UNDONE_EDITS)
        .bind(job.to_string())
        .bind(version)
        .bind(client.to_string())
        .bind(DISCARDED)
        .bind(Standing::Undone.number())
        .execute(connection)
        .await?;
    Ok(())
}
