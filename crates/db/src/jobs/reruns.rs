//! Runs a finished job again.

use slovo_rules::Valid;
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::job_plan::JobPlan;
use uuid::Uuid;

use super::find_any;
use crate::core::fields::{json, word};
use crate::core::statement::statements;
use crate::{Connection, Result};

statements! {
    const RETRY_JOB: BOTH =
        "UPDATE synced_jobs SET status = $3, stage = $4, error = NULL, finished_at = NULL, \
         percent = 0, warnings = '[]', attempts = 0, queued_at = $5, run_after = $5, \
         version = version + CASE WHEN status = $6 THEN 1 ELSE 0 END \
         WHERE my_job_id = $1 AND auth_user_id = $2 AND status IN ($6, $7, $8, $9)";
}

/// Puts a finished job into the queue again. `false` if it has not finished.
///
/// A job without a transcript continues: results of finished stages are kept. A job with a
/// transcript gets a new version; the existing one does not change any more.
///
/// # Errors
/// When the database fails.
pub async fn retry(connection: &mut Connection, user_id: &str, id: Uuid, now: i64) -> Result<bool> {
    let done = sqlx::query(RETRY_JOB)
        .bind(id.to_string())
        .bind(user_id)
        .bind(word(&JobStatus::Pending))
        .bind(word(&Stage::Queued))
        .bind(now)
        .bind(word(&JobStatus::Completed))
        .bind(word(&JobStatus::Error))
        .bind(word(&JobStatus::Failed))
        .bind(word(&JobStatus::Cancelled))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Options of a new recognition run.
#[derive(Debug, Clone, Copy)]
pub struct RerunOptions<'a> {
    /// What to do in this run.
    pub plan: &'a Valid<JobPlan>,
    /// Which of the file's audio tracks; `None` is the default one.
    pub audio_track: Option<u32>,
    /// Unix milliseconds.
    pub now: i64,
}

statements! {
    const RERUN_JOB: BOTH =
        "UPDATE synced_jobs SET status = $3, stage = $4, error = NULL, finished_at = NULL, \
         percent = 0, warnings = '[]', attempts = 0, queued_at = $5, run_after = $5, \
         input_settings = $6, transcription_type = $7, audio_track = $8, version = \
         (SELECT COALESCE(MAX(o.version), 0) + 1 FROM synced_output o WHERE o.my_job_id = $1) \
         WHERE my_job_id = $1 AND auth_user_id = $2 AND status IN ($9, $10, $11, $12)";
}

/// Puts a finished job into the queue again with other settings, as a new version beside those that
/// have a transcript. `false` if it has not finished.
///
/// # Errors
/// When the database fails.
pub async fn rerun(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
    rerun: &RerunOptions<'_>,
) -> Result<bool> {
    let done = sqlx::query(RERUN_JOB)
        .bind(id.to_string())
        .bind(user_id)
        .bind(word(&JobStatus::Pending))
        .bind(word(&Stage::Queued))
        .bind(rerun.now)
        .bind(json(&**rerun.plan))
        .bind(word(&rerun.plan.mode))
        .bind(rerun.audio_track.map(i64::from))
        .bind(word(&JobStatus::Completed))
        .bind(word(&JobStatus::Error))
        .bind(word(&JobStatus::Failed))
        .bind(word(&JobStatus::Cancelled))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// The result of restoring a missing transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resync {
    /// The transcript exists.
    OutputFound,
    /// The job is queued to make it from the stages' results.
    Queued,
    /// The job is not completed.
    NotCompleted,
}

statements! {
    const RESYNC_JOB: BOTH =
        "UPDATE synced_jobs SET status = $2, stage = $3, finished_at = NULL, percent = 0, \
         attempts = 0, queued_at = $4, run_after = $4 WHERE my_job_id = $1 AND status = $5 \
         AND NOT EXISTS (SELECT 1 FROM synced_output o WHERE o.my_job_id = $1 \
         AND o.version = synced_jobs.version)";
    const DELETE_RECOGNITION_STAGE: BOTH =
        "DELETE FROM job_stages WHERE my_job_id = $1 AND stage = $2 AND version = \
         (SELECT j.version FROM synced_jobs j WHERE j.my_job_id = $1) \
         AND NOT EXISTS (SELECT 1 FROM synced_segments s WHERE s.my_job_id = $1 \
         AND s.version = job_stages.version)";
}

/// Puts a completed job whose transcript is missing into the queue, as the same version. Results of
/// its stages are kept; if the segments are missing as well, recognition starts again. Edits are
/// kept.
///
/// # Errors
/// When the database fails.
pub async fn resync(connection: &mut Connection, id: Uuid, now: i64) -> Result<Resync> {
    let done = sqlx::query(RESYNC_JOB)
        .bind(id.to_string())
        .bind(word(&JobStatus::Pending))
        .bind(word(&Stage::Queued))
        .bind(now)
        .bind(word(&JobStatus::Completed))
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        let job = find_any(connection, id).await?;
        return Ok(match job {
            Some(job) if job.status == JobStatus::Completed => Resync::OutputFound,
            _ => Resync::NotCompleted,
        });
    }
    sqlx::query(DELETE_RECOGNITION_STAGE)
        .bind(id.to_string())
        .bind(word(&Stage::Transcribing))
        .execute(connection)
        .await?;
    Ok(Resync::Queued)
}
