//! Which edits of a page stand, and which it can undo or do again.

use sqlx::Row;
use uuid::Uuid;

use super::small;
use crate::{Connection, Result};

/// Whether an edit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Stands,
    /// It was undone and can be done again.
    Undone,
}

impl Standing {
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Stands => 0,
            Self::Undone => 1,
        }
    }
}

/// Was undone, and something else was done since.
const BURIED: i64 = 2;

/// What a page can undo and do again: numbers of edits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Steps {
    /// Its newest edit that stands.
    pub undo: Option<u32>,
    /// Its last undone one, if nothing else was done since.
    pub redo: Option<u32>,
}

/// What a page can undo and do again.
///
/// # Errors
/// When the database fails.
pub async fn steps(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    client: Uuid,
) -> Result<Steps> {
    let mut one = async |statement: &'static str, standing: Standing| {
        let row = sqlx::query(statement)
            .bind(job.to_string())
            .bind(version)
            .bind(client.to_string())
            .bind(standing.number())
            .fetch_optional(&mut *connection)
            .await?;
        row.map(|row| small(row.try_get("seq")?)).transpose()
    };
    Ok(Steps {
        undo: one(
            "SELECT seq FROM transcript_edits WHERE my_job_id = $1 AND version = $2 \
             AND client = $3 AND standing = $4 ORDER BY seq DESC LIMIT 1",
            Standing::Stands,
        )
        .await?,
        // What was undone last has the lowest number: one goes back from the newest.
        redo: one(
            "SELECT seq FROM transcript_edits WHERE my_job_id = $1 AND version = $2 \
             AND client = $3 AND standing = $4 ORDER BY seq LIMIT 1",
            Standing::Undone,
        )
        .await?,
    })
}

/// Notes that an edit was undone or done again.
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
    sqlx::query(
        "UPDATE transcript_edits SET standing = $4 \
         WHERE my_job_id = $1 AND version = $2 AND seq = $3",
    )
    .bind(job.to_string())
    .bind(version)
    .bind(i64::from(seq))
    .bind(standing.number())
    .execute(connection)
    .await?;
    Ok(())
}

/// What the page has undone can be done again no more.
///
/// # Errors
/// When the database fails.
pub async fn bury(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    client: Uuid,
) -> Result<()> {
    sqlx::query(
        "UPDATE transcript_edits SET standing = $4 \
         WHERE my_job_id = $1 AND version = $2 AND client = $3 AND standing = $5",
    )
    .bind(job.to_string())
    .bind(version)
    .bind(client.to_string())
    .bind(BURIED)
    .bind(Standing::Undone.number())
    .execute(connection)
    .await?;
    Ok(())
}
