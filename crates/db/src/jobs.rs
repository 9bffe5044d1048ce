//! Transcription jobs as their owners see them: table `synced_jobs`. What workers do with the
//! same rows is in [`queue`] and [`stages`].

mod all_jobs;
pub mod completion_mails;
mod figures;
pub mod files;
mod filter;
pub mod groups;
pub mod idempotency;
mod lists;
mod names;
mod orders;
pub mod paces;
pub mod queue;
mod recent_transcripts;
mod reruns;
pub mod stages;
mod statements;
#[cfg(test)]
pub(crate) mod tests;
mod titles;
pub mod uploads;
pub mod workers;
pub mod workflows;

use std::collections::HashMap;

use slovo_rules::Valid;
use slovo_rules::collation::sort_key;
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::job_plan::JobPlan;
use slovo_rules::media::Fault;
use slovo_rules::transcript::Warning;
use uuid::Uuid;

pub use recent_transcripts::{RecentTranscript, list_recent_transcripts, record_work};
pub use reruns::{RerunOptions, Resync, rerun, resync, retry};

use crate::core::fields::{Fields, json, word};
use crate::core::file_removals::{self, Removal};
use crate::core::statement::row_columns;
use crate::jobs::files::JobFile;
use crate::{Connection, Result};
pub use all_jobs::{AllJobsFilter, JobWithOwner, Owner, list_all, owner};
pub(crate) use figures::{COUNTS, delete_counts};
pub use figures::{Summary, count_waiting, merge_count_changes, summary, total};
pub use filter::Filter;
pub use lists::list;
pub(crate) use names::NAMES;
pub use orders::{ListPosition, Order, SortKey, SortValue};
pub(crate) use orders::{ORDERS, fill_keys, store_name_key};
pub use titles::set_title;

/// A new job. It is in the queue as soon as its transaction is committed.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Public id.
    pub id: Uuid,
    /// The owner's account id.
    pub user_id: String,
    /// The upload whose file it takes over.
    pub media_id: Uuid,
    /// Display name.
    pub original_filename: String,
    /// MIME type of the container that was found.
    pub content_type: String,
    /// Bytes.
    pub file_size: u64,
    /// Whether there are pictures.
    pub has_video: bool,
    /// Seconds, according to the file.
    pub duration: Option<f64>,
    /// What to do.
    pub plan: Valid<JobPlan>,
    /// Which of the file's audio tracks is transcribed; `None` is its default one.
    pub audio_track: Option<u32>,
    /// The priority of the owner's plan; higher numbers come first.
    pub priority: i64,
    /// Unix milliseconds.
    pub now: i64,
}

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Public id.
    pub id: Uuid,
    /// The owner's account id.
    pub user_id: String,
    /// The file's id in the storage.
    pub media_id: Uuid,
    /// The name of its file.
    pub original_filename: String,
    /// The name given by its owner, if any.
    pub title: Option<String>,
    /// MIME type of the container that was found.
    pub content_type: String,
    /// Bytes.
    pub file_size: u64,
    /// Whether there are pictures.
    pub has_video: bool,
    /// Seconds, according to the file; as decoded once it is finished.
    pub duration: Option<f64>,
    /// Whether the recording has yet to be downloaded from the URL in the settings; until then the
    /// size is 0 and the name comes from the URL.
    pub awaits_download: bool,
    /// What to do.
    pub plan: JobPlan,
    /// Which of the file's audio tracks is transcribed; `None` is its default one.
    pub audio_track: Option<u32>,
    /// Whether its owner can see it; administrators always can.
    pub is_visible: bool,
    /// Whether it is the sample of a new account (`texts::samples`), which is free and not counted.
    pub is_sample: bool,
    /// Its state.
    pub status: JobStatus,
    /// The current stage while it is processed.
    pub stage: Stage,
    /// 0 to 100, as last stored; live progress is finer.
    pub percent: f64,
    /// Estimated seconds left, as last stored.
    pub seconds_left: Option<f64>,
    /// Language, chosen or detected.
    pub language: Option<String>,
    /// Confidence of the detection, 0 to 1.
    pub language_probability: Option<f64>,
    /// The recognition model.
    pub model: Option<String>,
    /// Share of the speech in its newest transcript that was not recognised, 0 to 1; `None` if it
    /// is not known.
    pub unrecognised: Option<f64>,
    /// Why it ended without a transcript.
    pub error: Option<Fault>,
    /// Warnings for the user.
    pub warnings: Vec<Warning>,
    /// The current recognition run, from 1.
    pub version: i64,
    /// How many runs have a transcript.
    pub versions: u32,
    /// How many analyses wait for something that this server lacks.
    pub held: u32,
    /// Its tags, in the order of their ids.
    pub tags: Vec<Uuid>,
    /// The folder that it is in.
    pub folder: Option<Uuid>,
    /// The files made from the transcript on completion.
    pub files: Vec<JobFile>,
    /// Claims since the last progress.
    pub attempts: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub started_at: Option<i64>,
    /// Unix milliseconds.
    pub finished_at: Option<i64>,
}

impl Job {
    /// The title, or else the name of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.original_filename)
    }
}

row_columns! {
    pub(crate) fn read() -> Job from "synced_jobs" by "my_job_id" {
        id: uuid in "my_job_id",
        user_id: text in "auth_user_id",
        media_id: uuid,
        original_filename: text,
        title: text_or_none,
        content_type: text,
        file_size: count,
        has_video: flag,
        duration: number_or_none,
        awaits_download: flag,
        plan: json in "input_settings",
        audio_track: index_or_none,
        is_visible: flag in "is_visible_to_user",
        is_sample: flag,
        status: word,
        stage: word,
        percent: number,
        seconds_left: number_or_none,
        language: text_or_none,
        language_probability: number_or_none,
        model: text_or_none,
        unrecognised: number_or_none,
        error: json_or_none,
        warnings: json,
        version: integer,
        versions: integer => saturated,
        held: integer => saturated,
        tags: text_or_none => tags,
        folder: text_or_none => folder,
        files: json in "made_files",
        attempts: integer,
        created_at: integer,
        started_at: integer_or_none,
        finished_at: integer_or_none,
    }
}

/// A number of rows.
fn saturated(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The folder in a row, if any.
fn folder(id: Option<String>) -> Option<Uuid> {
    id?.parse().ok()
}

/// The tags in a row, if any.
fn tags(joined: Option<String>) -> Vec<Uuid> {
    let joined = joined.unwrap_or_default();
    let ids = joined.split(',');
    let mut tags: Vec<Uuid> = ids.filter_map(|id| id.parse().ok()).collect();
    tags.sort_unstable();
    tags
}

/// Stores a new job, which also enqueues it. A job with a URL in its settings first waits for the
/// download. `lifecycle::create_job` does the steps that must follow.
///
/// # Errors
/// The constraint `synced_jobs_media_id_key` if another job has the file.
pub(crate) async fn insert(connection: &mut Connection, job: &NewJob) -> Result<()> {
    sqlx::query(statements::INSERT_JOB)
        .bind(job.id.to_string())
        .bind(&job.user_id)
        .bind(job.media_id.to_string())
        .bind(&job.original_filename)
        .bind(job.original_filename.to_lowercase())
        .bind(&job.content_type)
        .bind(i64::try_from(job.file_size).unwrap_or(i64::MAX))
        .bind(i64::from(job.has_video))
        .bind(job.duration)
        .bind(json(&*job.plan))
        .bind(word(&job.plan.mode))
        .bind(word(&JobStatus::Pending))
        .bind(word(&Stage::Queued))
        .bind(job.priority)
        .bind(job.audio_track.map(i64::from))
        .bind(job.now)
        .bind(i64::from(!job.plan.url().is_empty()))
        .bind(sort_key(&job.original_filename))
        .persistent(false)
        .execute(connection)
        .await?;
    Ok(())
}

/// The user's job `id`; another user's job or a hidden one is not found.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<Option<Job>> {
    sqlx::query(statements::SELECT_JOB_OF_USER)
        .bind(id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// The user's jobs among `ids` that [`find`] would find and that can be read, by one query, in the
/// order of `ids`.
///
/// # Errors
/// When the database fails.
pub async fn find_some(
    connection: &mut Connection,
    user_id: &str,
    ids: &[Uuid],
) -> Result<Vec<Job>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    // Only parameter numbers are formatted into the SQL.
    let mut select =
        sqlx::query(sqlx::AssertSqlSafe(statements::select_some(ids.len()))).bind(user_id);
    for id in ids {
        select = select.bind(id.to_string());
    }
    let mut found = HashMap::with_capacity(ids.len());
    for row in &select.fetch_all(connection).await? {
        found.extend(lists::readable(read(row))?.map(|job| (job.id, job)));
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// Whether the user has a job `id` and sees it, as [`find`] does.
///
/// # Errors
/// When the database fails.
pub async fn is_visible(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<bool> {
    let row = sqlx::query(statements::SELECT_IS_VISIBLE)
        .bind(id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// The job `id` of any owner: for callers authorised in another way (a worker's lease, a signed
/// link).
///
/// # Errors
/// A row that cannot be read.
pub async fn find_any(connection: &mut Connection, id: Uuid) -> Result<Option<Job>> {
    sqlx::query(statements::SELECT_JOB)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// The user's job that uses the upload `media_id`; a hidden job is not found.
///
/// # Errors
/// A row that cannot be read.
pub async fn find_by_media(
    connection: &mut Connection,
    user_id: &str,
    media_id: Uuid,
) -> Result<Option<Job>> {
    sqlx::query(statements::SELECT_JOB_BY_MEDIA)
        .bind(media_id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// Whether a job waits for the download of file `media_id` or is downloading it.
///
/// # Errors
/// When the database fails.
pub async fn is_download_pending(connection: &mut Connection, media_id: Uuid) -> Result<bool> {
    let row = sqlx::query(statements::SELECT_IS_DOWNLOAD_PENDING)
        .bind(media_id.to_string())
        .bind(word(&JobStatus::Pending))
        .bind(word(&JobStatus::Processing))
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Cancels a job that is pending or being processed, and takes it from its worker. `false` if it
/// was in neither state.
///
/// # Errors
/// When the database fails.
pub async fn cancel(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(statements::CANCEL_JOB)
        .bind(id.to_string())
        .bind(user_id)
        .bind(word(&JobStatus::Cancelled))
        .bind(now)
        .bind(word(&JobStatus::Pending))
        .bind(word(&JobStatus::Processing))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Deletes the job with all its results, and schedules its file for removal; `false` if the user
/// has no such job.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<bool> {
    let row = sqlx::query(statements::DELETE_JOB)
        .bind(id.to_string())
        .bind(user_id)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(false) };
    let media = Fields::new(&row, "synced_jobs", "media_id")?.uuid("media_id")?;
    file_removals::add(connection, &Removal::Media(media)).await?;
    Ok(true)
}
