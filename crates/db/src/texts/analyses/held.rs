//! Requested analyses that this server cannot make yet.
//!
//! They are not queued. Once an engine is available, their owner starts them for one job or for
//! all. A new recognition run requests its own analyses, so held ones of older runs are deleted.

use slovo_rules::analysis::{AnalysisStatus, Part};
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// Number of a user's recordings with a held analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldPart {
    /// The kind of analysis.
    pub part: Part,
    /// Number of recordings; one with several languages counts once.
    pub recordings: u64,
}

row_columns! {
    fn read() -> HeldPart from "analyses" by "part" {
        part: word,
        recordings: count,
    }
}

/// SQL condition for jobs that the user `$1` can see.
macro_rules! visible_jobs {
    () => {
        "my_job_id IN (SELECT j.my_job_id FROM synced_jobs j \
         WHERE j.auth_user_id = $1 AND j.is_visible_to_user = 1)"
    };
}

statements! {
    const COUNT_HELD_BY_PART: BOTH -> HeldPart = concat!(
        "SELECT part, COUNT(DISTINCT my_job_id) AS recordings FROM analyses \
         WHERE held_for = $1 AND ",
        visible_jobs!(),
        " GROUP BY part ORDER BY part"
    );
}

/// Numbers of a user's held analyses by kind, without hidden jobs.
///
/// # Errors
/// When the database fails.
pub async fn count_held(connection: &mut Connection, user_id: &str) -> Result<Vec<HeldPart>> {
    sqlx::query(COUNT_HELD_BY_PART)
        .bind(user_id)
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

statements! {
    const QUEUE_HELD_OF_JOB: BOTH =
        "UPDATE analyses SET status = $3, error = NULL, held_for = NULL, run_after = $4 \
         WHERE my_job_id = $1 AND part = $2 AND status = $5 AND NOT EXISTS (SELECT 1 \
         FROM analyses o WHERE o.my_job_id = analyses.my_job_id \
         AND o.version = analyses.version AND o.part = analyses.part \
         AND o.target = analyses.target AND o.status IN ('waiting', 'running'))";
}

/// Queues a job's held analyses of this kind, except in languages that are already queued or
/// running. Returns the number of rows.
///
/// # Errors
/// When the database fails.
pub async fn queue_held_of_job(
    connection: &mut Connection,
    job: Uuid,
    part: Part,
    now: i64,
) -> Result<u64> {
    let done = sqlx::query(QUEUE_HELD_OF_JOB)
        .bind(job.to_string())
        .bind(word(&part))
        .bind(word(&AnalysisStatus::Waiting))
        .bind(now)
        .bind(word(&AnalysisStatus::Held))
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

statements! {
    const QUEUE_HELD_OF_USER: BOTH = concat!(
        "UPDATE analyses SET status = $3, error = NULL, held_for = NULL, run_after = $4 \
         WHERE held_for = $1 AND part = $2 AND NOT EXISTS (SELECT 1 \
         FROM analyses o WHERE o.my_job_id = analyses.my_job_id \
         AND o.version = analyses.version AND o.part = analyses.part \
         AND o.target = analyses.target AND o.status IN ('waiting', 'running')) AND ",
        visible_jobs!()
    );
}

/// The same for all recordings that the user can see.
///
/// # Errors
/// When the database fails.
pub async fn queue_held_of_user(
    connection: &mut Connection,
    user_id: &str,
    part: Part,
    now: i64,
) -> Result<u64> {
    let done = sqlx::query(QUEUE_HELD_OF_USER)
        .bind(user_id)
        .bind(word(&part))
        .bind(word(&AnalysisStatus::Waiting))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

statements! {
    const DELETE_HELD: BOTH = "DELETE FROM analyses WHERE my_job_id = $1 AND status = $2";
}

/// Deletes a job's held analyses, because they are requested again.
///
/// # Errors
/// When the database fails.
pub async fn delete_held(connection: &mut Connection, job: Uuid) -> Result<u64> {
    let deleted = sqlx::query(DELETE_HELD)
        .bind(job.to_string())
        .bind(word(&AnalysisStatus::Held))
        .execute(connection)
        .await?;
    Ok(deleted.rows_affected())
}
