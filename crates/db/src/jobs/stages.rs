//! Checkpoints of running jobs: tables `job_stages` and `job_chunks`, and the job columns that a
//! worker fills. Every write names the lease and does nothing once it is lost.

mod begun;

use serde::{Serialize, de::DeserializeOwned};
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::transcript::{Transcript, Warning};
use uuid::Uuid;

pub use begun::{Begun, all};

use crate::core::fields::{Fields, json, word};
use crate::jobs::keep_key;
use crate::jobs::queue::Lease;
use crate::jobs::uploads::Media;
use crate::{Connection, Result};

/// A stage of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct StageRow<T> {
    /// Digest of its inputs.
    pub input_digest: String,
    /// Its output, once finished.
    pub output: Option<T>,
}

/// The stage of a version of a job, if it was ever started.
///
/// # Errors
/// A row that cannot be read.
pub async fn find<T: DeserializeOwned>(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
    stage: Stage,
) -> Result<Option<StageRow<T>>> {
    let row = sqlx::query(
        "SELECT my_job_id, input_digest, output FROM job_stages \
         WHERE my_job_id = $1 AND version = $2 AND stage = $3",
    )
    .bind(job_id.to_string())
    .bind(version)
    .bind(word(&stage))
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        let fields = Fields::new(&row, "job_stages", "my_job_id")?;
        Ok(StageRow {
            input_digest: fields.text("input_digest")?,
            output: fields.json_or_none("output")?,
        })
    })
    .transpose()
}

/// Locks the job's row until the transaction ends, if the lease is still valid; `false` if it is
/// not.
pub(crate) async fn touch(connection: &mut Connection, lease: &Lease) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE synced_jobs SET lease_until = lease_until WHERE my_job_id = $1 AND lease_id = $2",
    )
    .bind(lease.job_id.to_string())
    .bind(&lease.id)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Starts a stage, or restarts it with other inputs. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn begin(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    stage: Stage,
    input_digest: &str,
    now: i64,
) -> Result<bool> {
    if !touch(connection, lease).await? {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO job_stages (my_job_id, version, stage, input_digest, started_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (my_job_id, version, stage) DO UPDATE \
         SET input_digest = excluded.input_digest, output = NULL, finished_at = NULL, \
         started_at = excluded.started_at",
    )
    .bind(lease.job_id.to_string())
    .bind(version)
    .bind(word(&stage))
    .bind(input_digest)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    sqlx::query("UPDATE synced_jobs SET stage = $2 WHERE my_job_id = $1")
        .bind(lease.job_id.to_string())
        .bind(word(&stage))
        .execute(connection)
        .await?;
    Ok(true)
}

/// Finishes a stage with its output. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn finish<T: Serialize + Sync>(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    stage: Stage,
    output: &T,
    now: i64,
) -> Result<bool> {
    if !touch(connection, lease).await? {
        return Ok(false);
    }
    sqlx::query(
        "UPDATE job_stages SET output = $4, finished_at = $5 \
         WHERE my_job_id = $1 AND version = $2 AND stage = $3",
    )
    .bind(lease.job_id.to_string())
    .bind(version)
    .bind(word(&stage))
    .bind(json(output))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(true)
}

/// Stores a partial output of a stage, so that another worker can continue from it. With `got_on`
/// the job's attempts are reset. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn note<T: Serialize + Sync>(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    stage: Stage,
    output: &T,
    got_on: bool,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE synced_jobs SET attempts = CASE WHEN $3 = 1 THEN 0 ELSE attempts END \
         WHERE my_job_id = $1 AND lease_id = $2",
    )
    .bind(lease.job_id.to_string())
    .bind(&lease.id)
    .bind(i64::from(got_on))
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "UPDATE job_stages SET output = $4 WHERE my_job_id = $1 AND version = $2 AND stage = $3",
    )
    .bind(lease.job_id.to_string())
    .bind(version)
    .bind(word(&stage))
    .bind(json(output))
    .execute(connection)
    .await?;
    Ok(true)
}

/// A downloaded recording.
#[derive(Debug, Clone)]
pub struct Downloaded {
    /// Display name.
    pub filename: String,
    /// MIME type of the container that was found.
    pub content_type: String,
    /// Bytes.
    pub size: u64,
    /// Result of probing the file.
    pub media: Media,
}

/// Finishes the download of a job's recording: the job waits for recognition as one made from an
/// upload does, and the claim ends. `false` if the lease is lost. `lifecycle::set_downloaded` does
/// the steps that must follow.
///
/// # Errors
/// When the database fails.
pub(crate) async fn set_downloaded(
    connection: &mut Connection,
    lease: &Lease,
    downloaded: &Downloaded,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE synced_jobs SET awaits_download = 0, original_filename = $3, \
         filename_folded = $4, content_type = $5, file_size = $6, has_video = $7, duration = $8, \
         status = $9, stage = $10, percent = 0, seconds_left = NULL, attempts = 0, \
         run_after = $11, lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE my_job_id = $1 AND lease_id = $2",
    )
    .bind(lease.job_id.to_string())
    .bind(&lease.id)
    .bind(&downloaded.filename)
    .bind(downloaded.filename.to_lowercase())
    .bind(&downloaded.content_type)
    .bind(i64::try_from(downloaded.size).unwrap_or(i64::MAX))
    .bind(i64::from(downloaded.media.has_video))
    .bind(downloaded.media.duration)
    .bind(word(&JobStatus::Pending))
    .bind(word(&Stage::Queued))
    .bind(now)
    .persistent(false)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    keep_key(connection, &lease.job_id.to_string()).await?;
    Ok(true)
}

/// Stores the probe's results in the job. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn set_probed(
    connection: &mut Connection,
    lease: &Lease,
    duration: Option<f64>,
    model: &str,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE synced_jobs SET duration = COALESCE($3, duration), model = $4 \
         WHERE my_job_id = $1 AND lease_id = $2",
    )
    .bind(lease.job_id.to_string())
    .bind(&lease.id)
    .bind(duration)
    .bind(model)
    .persistent(false)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores the chosen or detected language. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn set_language(
    connection: &mut Connection,
    lease: &Lease,
    code: &str,
    probability: f64,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE synced_jobs SET language = $3, language_probability = $4 \
         WHERE my_job_id = $1 AND lease_id = $2",
    )
    .bind(lease.job_id.to_string())
    .bind(&lease.id)
    .bind(code)
    .bind(probability)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Replaces the warnings for the user. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn set_warnings(
    connection: &mut Connection,
    lease: &Lease,
    warnings: &[Warning],
) -> Result<bool> {
    let done =
        sqlx::query("UPDATE synced_jobs SET warnings = $3 WHERE my_job_id = $1 AND lease_id = $2")
            .bind(lease.job_id.to_string())
            .bind(&lease.id)
            .bind(json(&warnings))
            .execute(connection)
            .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores a finished window and, as this is progress, resets the job's attempts. `false` if the
/// lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn save_chunk<T: Serialize + Sync>(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    index: i64,
    chunk: &T,
) -> Result<bool> {
    let done =
        sqlx::query("UPDATE synced_jobs SET attempts = 0 WHERE my_job_id = $1 AND lease_id = $2")
            .bind(lease.job_id.to_string())
            .bind(&lease.id)
            .execute(&mut *connection)
            .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO job_chunks (my_job_id, version, chunk_index, body) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (my_job_id, version, chunk_index) DO UPDATE SET body = excluded.body",
    )
    .bind(lease.job_id.to_string())
    .bind(version)
    .bind(index)
    .bind(json(chunk))
    .execute(connection)
    .await?;
    Ok(true)
}

/// The finished windows of a version, in order.
///
/// # Errors
/// A row that cannot be read.
pub async fn chunks<T: DeserializeOwned>(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
) -> Result<Vec<T>> {
    let rows = sqlx::query(
        "SELECT my_job_id, body FROM job_chunks WHERE my_job_id = $1 AND version = $2 \
         ORDER BY chunk_index",
    )
    .bind(job_id.to_string())
    .bind(version)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Fields::new(row, "job_chunks", "my_job_id")?.json("body"))
        .collect()
}

/// The windows of the latest earlier version that was recognised from the same inputs and still has
/// its windows, in order.
///
/// # Errors
/// A row that cannot be read.
pub async fn earlier_chunks<T: DeserializeOwned>(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
    input_digest: &str,
) -> Result<Vec<T>> {
    let found: Option<i64> = sqlx::query_scalar(
        "SELECT MAX(s.version) FROM job_stages s WHERE s.my_job_id = $1 AND s.version < $2 \
         AND s.stage = $3 AND s.input_digest = $4 AND s.finished_at IS NOT NULL \
         AND EXISTS (SELECT 1 FROM job_chunks c \
         WHERE c.my_job_id = s.my_job_id AND c.version = s.version)",
    )
    .bind(job_id.to_string())
    .bind(version)
    .bind(word(&Stage::Transcribing))
    .bind(input_digest)
    .fetch_one(&mut *connection)
    .await?;
    match found {
        Some(earlier) => chunks(connection, job_id, earlier).await,
        None => Ok(Vec::new()),
    }
}

/// Completes the row of a job, whose new transcript is displayed from now on. `false` if the lease
/// is lost. `lifecycle::complete_job` stores the transcript and does the steps that must follow.
///
/// # Errors
/// When the database fails.
pub(crate) async fn complete(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    transcript: &Transcript,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE synced_jobs SET status = $3, stage = $4, percent = 100, seconds_left = NULL, \
         language = $5, model = $6, duration = $7, warnings = $8, error = NULL, \
         finished_at = $9, shown_version = $10, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE my_job_id = $1 AND lease_id = $2",
    )
    .bind(lease.job_id.to_string())
    .bind(&lease.id)
    .bind(word(&JobStatus::Completed))
    .bind(word(&Stage::Finishing))
    .bind(Some(transcript.language.as_str()).filter(|code| !code.is_empty()))
    .bind(&transcript.model)
    .bind(transcript.duration)
    .bind(json(&transcript.warnings))
    .bind(now)
    .bind(version)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Deletes the windows of a version.
pub(crate) async fn forget_chunks(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
) -> Result<()> {
    sqlx::query("DELETE FROM job_chunks WHERE my_job_id = $1 AND version = $2")
        .bind(job_id.to_string())
        .bind(version)
        .execute(connection)
        .await?;
    Ok(())
}
