//! Checkpoints of running jobs: tables `job_stages` and `job_chunks`, and the job columns that a
//! worker fills. Every write names the lease and does nothing once it is lost.

mod started;
mod statements;

use serde::{Serialize, de::DeserializeOwned};
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::media::Media;
use slovo_rules::transcript::{Transcript, Warning};
use slovo_rules::warnings::unrecognised_share;
use uuid::Uuid;

pub use started::{StartedStage, all};

use crate::core::fields::{Fields, json, word};
use crate::jobs::queue::Lease;
use crate::jobs::store_name_key;
use crate::{Connection, Error, Result};

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
    let row = sqlx::query(statements::SELECT_STAGE)
        .bind(job_id.to_string())
        .bind(version)
        .bind(word(&stage))
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let stored = statements::read_stage(&row)?;
    let unreadable = |error: serde_json::Error| {
        Error::row("job_stages", job_id.to_string(), format!("output: {error}"))
    };
    Ok(Some(StageRow {
        input_digest: stored.input_digest,
        output: stored
            .output
            .map(|output| serde_json::from_str(&output).map_err(unreadable))
            .transpose()?,
    }))
}

/// Locks the job's row until the transaction ends, if the lease is still valid; `false` if it is
/// not.
pub(crate) async fn lock_leased(connection: &mut Connection, lease: &Lease) -> Result<bool> {
    let done = sqlx::query(statements::LOCK_LEASED_JOB)
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
    if !lock_leased(connection, lease).await? {
        return Ok(false);
    }
    sqlx::query(statements::BEGIN_STAGE)
        .bind(lease.job_id.to_string())
        .bind(version)
        .bind(word(&stage))
        .bind(input_digest)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    sqlx::query(statements::UPDATE_CURRENT_STAGE)
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
    if !lock_leased(connection, lease).await? {
        return Ok(false);
    }
    sqlx::query(statements::FINISH_STAGE)
        .bind(lease.job_id.to_string())
        .bind(version)
        .bind(word(&stage))
        .bind(json(output))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(true)
}

/// Stores a partial output of a stage, so that another worker can continue from it. With
/// `made_progress` the job's attempts are reset. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn store_partial_output<T: Serialize + Sync>(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    stage: Stage,
    output: &T,
    made_progress: bool,
) -> Result<bool> {
    let done = sqlx::query(statements::RESET_ATTEMPTS_ON_PROGRESS)
        .bind(lease.job_id.to_string())
        .bind(&lease.id)
        .bind(i64::from(made_progress))
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(statements::UPDATE_STAGE_OUTPUT)
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
pub struct DownloadedFile {
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
    downloaded: &DownloadedFile,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(statements::UPDATE_DOWNLOADED)
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
    store_name_key(connection, &lease.job_id.to_string()).await?;
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
    let done = sqlx::query(statements::UPDATE_PROBED)
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
    let done = sqlx::query(statements::UPDATE_LANGUAGE)
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
    let done = sqlx::query(statements::UPDATE_WARNINGS)
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
    let done = sqlx::query(statements::RESET_ATTEMPTS)
        .bind(lease.job_id.to_string())
        .bind(&lease.id)
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(statements::UPSERT_CHUNK)
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
    let rows = sqlx::query(statements::SELECT_CHUNKS)
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
    let found: Option<i64> = sqlx::query_scalar(statements::SELECT_EARLIER_VERSION)
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
    let done = sqlx::query(statements::COMPLETE_JOB)
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
        .bind(unrecognised_share(transcript))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Deletes the windows of a version.
pub(crate) async fn delete_chunks(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
) -> Result<()> {
    sqlx::query(statements::DELETE_CHUNKS)
        .bind(job_id.to_string())
        .bind(version)
        .execute(connection)
        .await?;
    Ok(())
}
