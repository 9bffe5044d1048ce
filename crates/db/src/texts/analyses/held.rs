//! Parts that were asked for and that nothing on this server does yet.
//!
//! They wait for nobody: their owner makes them run, of one job or of all, once something does
//! them. A new run of recognition asks anew, so what an older one held is dropped.

use slovo_rules::analysis::{AnalysisStatus, Part};
use uuid::Uuid;

use crate::core::fields::{Fields, word};
use crate::{Connection, Result};

/// How many recordings of a user hold a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldPart {
    /// Which part.
    pub part: Part,
    /// How many recordings have it, each once, in however many languages.
    pub recordings: u64,
}

/// The jobs of the user `$1` that they see.
macro_rules! seen_jobs {
    () => {
        "my_job_id IN (SELECT j.my_job_id FROM synced_jobs j \
         WHERE j.auth_user_id = $1 AND j.is_visible_to_user = 1)"
    };
}

/// What is held for a user, by part; nothing of jobs that are hidden from them.
///
/// # Errors
/// When the database fails.
pub async fn held(connection: &mut Connection, user_id: &str) -> Result<Vec<HeldPart>> {
    sqlx::query(concat!(
        "SELECT part, COUNT(DISTINCT my_job_id) AS recordings FROM analyses \
         WHERE held_for = $1 AND ",
        seen_jobs!(),
        " GROUP BY part ORDER BY part"
    ))
    .bind(user_id)
    .fetch_all(connection)
    .await?
    .iter()
    .map(|row| {
        let fields = Fields::new(row, "analyses", "part")?;
        Ok(HeldPart {
            part: fields.word("part")?,
            recordings: fields.count("recordings")?,
        })
    })
    .collect()
}

/// Puts what a job holds of this part into the queue. What waits or runs already in the same
/// language stays alone. Gives the number of rows.
///
/// # Errors
/// When the database fails.
pub async fn run_held_of(
    connection: &mut Connection,
    job: Uuid,
    part: Part,
    now: i64,
) -> Result<u64> {
    let done = sqlx::query(
        "UPDATE analyses SET status = $3, error = NULL, held_for = NULL, run_after = $4 \
         WHERE my_job_id = $1 AND part = $2 AND status = $5 AND NOT EXISTS (SELECT 1 \
         FROM analyses o WHERE o.my_job_id = analyses.my_job_id \
         AND o.version = analyses.version AND o.part = analyses.part \
         AND o.target = analyses.target AND o.status IN ('waiting', 'running'))",
    )
    .bind(job.to_string())
    .bind(word(&part))
    .bind(word(&AnalysisStatus::Waiting))
    .bind(now)
    .bind(word(&AnalysisStatus::Held))
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// The same for all recordings that a user sees.
///
/// # Errors
/// When the database fails.
pub async fn run_held(
    connection: &mut Connection,
    user_id: &str,
    part: Part,
    now: i64,
) -> Result<u64> {
    let done = sqlx::query(concat!(
        "UPDATE analyses SET status = $3, error = NULL, held_for = NULL, run_after = $4 \
         WHERE held_for = $1 AND part = $2 AND NOT EXISTS (SELECT 1 \
         FROM analyses o WHERE o.my_job_id = analyses.my_job_id \
         AND o.version = analyses.version AND o.part = analyses.part \
         AND o.target = analyses.target AND o.status IN ('waiting', 'running')) AND ",
        seen_jobs!()
    ))
    .bind(user_id)
    .bind(word(&part))
    .bind(word(&AnalysisStatus::Waiting))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Drops what a job holds, because it is asked anew.
///
/// # Errors
/// When the database fails.
pub async fn drop_held(connection: &mut Connection, job: Uuid) -> Result<u64> {
    let gone = sqlx::query("DELETE FROM analyses WHERE my_job_id = $1 AND status = $2")
        .bind(job.to_string())
        .bind(word(&AnalysisStatus::Held))
        .execute(connection)
        .await?;
    Ok(gone.rows_affected())
}
