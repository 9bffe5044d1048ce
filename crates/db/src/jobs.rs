//! Transcription jobs as their owners see them: table `synced_jobs`. What workers do with the
//! same rows is in [`queue`] and [`stages`].

mod again;
mod at_work;
pub mod completion_mails;
mod everybody;
mod figures;
pub mod files;
pub mod groups;
mod lists;
mod names;
mod orders;
pub mod paces;
pub mod queue;
pub mod stages;
#[cfg(test)]
pub(crate) mod tests;
mod titles;
pub mod uploads;
pub mod workers;

use std::collections::HashMap;

use slovo_rules::Valid;
use slovo_rules::collation::sort_key;
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::job_plan::JobPlan;
use slovo_rules::transcript::Warning;
use sqlx::any::AnyRow;
use uuid::Uuid;

pub use again::{Rerun, Resync, rerun, resync, retry};
pub use at_work::{AtWork, at_work, worked};

use crate::core::fields::{Fields, json, placeholders, word};
use crate::core::file_removals::{self, Removal};
use crate::jobs::files::JobFile;
use crate::jobs::uploads::Fault;
use crate::{Connection, Result};
pub use everybody::{Everybodys, Owned, Owner, everybodys, owner};
pub(crate) use figures::{COUNTS, forget};
pub use figures::{Summary, count_waiting, fold_counts, summary, total};
pub use lists::{Filter, list};
pub(crate) use names::NAMES;
pub use orders::{At, By, Order, Place};
pub(crate) use orders::{ORDERS, fill_keys, keep_key};
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

/// The values that [`read`] needs besides the job's columns: counts and lists from other tables.
macro_rules! counts {
    ($job:literal) => {
        concat!(
            "(SELECT COUNT(*) FROM synced_output o WHERE o.my_job_id = ",
            $job,
            ") AS versions, (SELECT COUNT(*) FROM analyses a WHERE a.my_job_id = ",
            $job,
            " AND a.held_for IS NOT NULL) AS held, \
             (SELECT string_agg(g.group_id, ',') FROM grouped_jobs g WHERE g.my_job_id = ",
            $job,
            " AND g.kind = 'tag') AS tags, \
             (SELECT g.group_id FROM grouped_jobs g WHERE g.my_job_id = ",
            $job,
            " AND g.kind = 'folder') AS folder"
        )
    };
}
pub(crate) use counts;

/// Whether a user (`$2`) sees a job as its owner. A job that an administrator hid does not exist
/// for its owner. All queries for single jobs use this condition; lists, sums and links of texts
/// repeat it.
macro_rules! seen_by_owner {
    ($job:literal) => {
        concat!(
            $job,
            "auth_user_id = $2 AND ",
            $job,
            "is_visible_to_user = 1"
        )
    };
}

/// The columns that [`read`] needs of a row `j`; the other columns belong to the queue.
const COLUMNS: &str = concat!(
    "j.my_job_id, j.auth_user_id, j.media_id, j.original_filename, \
     j.title, j.content_type, j.file_size, j.has_video, j.duration, j.awaits_download, j.input_settings, \
     j.audio_track, j.is_visible_to_user, j.is_sample, j.status, j.stage, j.percent, j.seconds_left, j.language, \
     j.language_probability, j.model, j.error, j.warnings, j.version, j.attempts, j.created_at, \
     j.started_at, j.finished_at, j.made_files, ",
    counts!("j.my_job_id")
);

pub(crate) fn read(row: &AnyRow) -> Result<Job> {
    let fields = Fields::new(row, "synced_jobs", "my_job_id")?;
    Ok(Job {
        id: fields.uuid("my_job_id")?,
        user_id: fields.text("auth_user_id")?,
        media_id: fields.uuid("media_id")?,
        original_filename: fields.text("original_filename")?,
        title: fields.text_or_none("title")?,
        content_type: fields.text("content_type")?,
        file_size: fields.count("file_size")?,
        has_video: fields.integer("has_video")? != 0,
        duration: fields.number_or_none("duration")?,
        awaits_download: fields.integer("awaits_download")? != 0,
        plan: fields.json("input_settings")?,
        audio_track: fields.index_or_none("audio_track")?,
        is_visible: fields.integer("is_visible_to_user")? != 0,
        is_sample: fields.integer("is_sample")? != 0,
        status: fields.word("status")?,
        stage: fields.word("stage")?,
        percent: fields.number("percent")?,
        seconds_left: fields.number_or_none("seconds_left")?,
        language: fields.text_or_none("language")?,
        language_probability: fields.number_or_none("language_probability")?,
        model: fields.text_or_none("model")?,
        error: fields.json_or_none("error")?,
        warnings: fields.json("warnings")?,
        version: fields.integer("version")?,
        versions: u32::try_from(fields.integer("versions")?).unwrap_or(u32::MAX),
        held: u32::try_from(fields.integer("held")?).unwrap_or(u32::MAX),
        tags: tags(fields.text_or_none("tags")?.as_deref()),
        folder: fields
            .text_or_none("folder")?
            .and_then(|id| id.parse().ok()),
        files: fields.json("made_files")?,
        attempts: fields.integer("attempts")?,
        created_at: fields.integer("created_at")?,
        started_at: fields.integer_or_none("started_at")?,
        finished_at: fields.integer_or_none("finished_at")?,
    })
}

/// The tags in a row, if any.
fn tags(joined: Option<&str>) -> Vec<Uuid> {
    let ids = joined.unwrap_or_default().split(',');
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
    sqlx::query(
        "INSERT INTO synced_jobs (my_job_id, auth_user_id, media_id, original_filename, \
         filename_folded, content_type, file_size, has_video, duration, input_settings, \
         transcription_type, status, stage, priority, audio_track, queued_at, run_after, \
         created_at, awaits_download, name_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, \
         $11, $12, $13, $14, $15, $16, $16, $16, $17, $18)",
    )
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
    sqlx::query(concat!(
        "SELECT *, ",
        counts!("synced_jobs.my_job_id"),
        " FROM synced_jobs WHERE my_job_id = $1 AND ",
        seen_by_owner!("")
    ))
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
    // The comparison avoids the index: PostgreSQL would read all jobs of the user for a few.
    let statement = format!(
        "SELECT {COLUMNS} FROM synced_jobs j WHERE j.my_job_id IN {} \
         AND j.auth_user_id || '' = $1 AND j.is_visible_to_user = 1",
        placeholders(1, ids.len())
    );
    // Only parameter numbers are formatted into the SQL.
    let mut select = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(user_id);
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
pub async fn is_seen(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<bool> {
    let row = sqlx::query(concat!(
        "SELECT 1 AS found FROM synced_jobs WHERE my_job_id = $1 AND ",
        seen_by_owner!("")
    ))
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
    sqlx::query(concat!(
        "SELECT *, ",
        counts!("synced_jobs.my_job_id"),
        " FROM synced_jobs WHERE my_job_id = $1"
    ))
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
    sqlx::query(concat!(
        "SELECT *, ",
        counts!("synced_jobs.my_job_id"),
        " FROM synced_jobs WHERE media_id = $1 AND ",
        seen_by_owner!("")
    ))
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
pub async fn is_fetched(connection: &mut Connection, media_id: Uuid) -> Result<bool> {
    let row = sqlx::query(
        "SELECT 1 AS found FROM synced_jobs WHERE media_id = $1 AND awaits_download = 1 \
         AND status IN ($2, $3)",
    )
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
    let done = sqlx::query(
        "UPDATE synced_jobs SET status = $3, finished_at = $4, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE my_job_id = $1 AND auth_user_id = $2 AND status IN ($5, $6)",
    )
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
    let row = sqlx::query(
        "DELETE FROM synced_jobs WHERE my_job_id = $1 AND auth_user_id = $2 RETURNING media_id",
    )
    .bind(id.to_string())
    .bind(user_id)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(false) };
    let media = Fields::new(&row, "synced_jobs", "media_id")?.uuid("media_id")?;
    file_removals::add(connection, &Removal::Media(media)).await?;
    Ok(true)
}
