//! Transcription jobs as their owners see them: table `synced_jobs`. What workers do with the
//! same rows is in [`crate::queue`] and [`crate::stages`].

use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::settings::TranscriptionSettings;
use slovo_rules::transcript::Warning;
use sqlx::{Row, any::AnyRow};
use uuid::Uuid;

use crate::fields::{Fields, json, word};
use crate::uploads::Fault;
use crate::{Connection, Result};

/// A new job. It is in the queue as soon as its transaction is committed.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Public id.
    pub id: Uuid,
    /// Whose it is.
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
    /// Seconds, as the file says.
    pub duration: Option<f64>,
    /// What was asked for, validated.
    pub settings: TranscriptionSettings,
    /// Which of the file's audio tracks is transcribed; `None` is its default one.
    pub audio_track: Option<u32>,
    /// The plan's place in the queue; a higher number comes first.
    pub priority: i64,
    /// Unix milliseconds.
    pub now: i64,
}

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Public id.
    pub id: Uuid,
    /// Whose it is.
    pub user_id: String,
    /// The file's id in the storage.
    pub media_id: Uuid,
    /// Display name.
    pub original_filename: String,
    /// MIME type of the container that was found.
    pub content_type: String,
    /// Bytes.
    pub file_size: u64,
    /// Whether there are pictures.
    pub has_video: bool,
    /// Seconds, as the file says, and as decoded once it is finished.
    pub duration: Option<f64>,
    /// What was asked for.
    pub settings: TranscriptionSettings,
    /// Which of the file's audio tracks is transcribed; `None` is its default one.
    pub audio_track: Option<u32>,
    /// Where it stands.
    pub status: JobStatus,
    /// What it does while it is in work.
    pub stage: Stage,
    /// 0 to 100, as last stored; live numbers are finer.
    pub percent: f64,
    /// Seconds of waiting left, as last stored.
    pub seconds_left: Option<f64>,
    /// Language given or found.
    pub language: Option<String>,
    /// 0 to 1.
    pub language_probability: Option<f64>,
    /// The model that recognises.
    pub model: Option<String>,
    /// Why it ended without a text.
    pub error: Option<Fault>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// Which run of recognition is current, from 1.
    pub version: i64,
    /// Claims since it last got on.
    pub attempts: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub started_at: Option<i64>,
    /// Unix milliseconds.
    pub finished_at: Option<i64>,
}

pub(crate) fn read(row: &AnyRow) -> Result<Job> {
    let fields = Fields::new(row, "synced_jobs", "my_job_id")?;
    Ok(Job {
        id: fields.uuid("my_job_id")?,
        user_id: fields.text("auth_user_id")?,
        media_id: fields.uuid("media_id")?,
        original_filename: fields.text("original_filename")?,
        content_type: fields.text("content_type")?,
        file_size: fields.count("file_size")?,
        has_video: fields.integer("has_video")? != 0,
        duration: fields.number_or_none("duration")?,
        settings: fields.json("input_settings")?,
        audio_track: fields.index_or_none("audio_track")?,
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
        attempts: fields.integer("attempts")?,
        created_at: fields.integer("created_at")?,
        started_at: fields.integer_or_none("started_at")?,
        finished_at: fields.integer_or_none("finished_at")?,
    })
}

/// Stores a new job, which enqueues it.
///
/// # Errors
/// The constraint `synced_jobs_media_id_key` if another job has the file.
pub async fn insert(connection: &mut Connection, job: &NewJob) -> Result<()> {
    sqlx::query(
        "INSERT INTO synced_jobs (my_job_id, auth_user_id, media_id, original_filename, \
         filename_folded, content_type, file_size, has_video, duration, input_settings, \
         transcription_type, status, stage, priority, audio_track, queued_at, run_after, \
         created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, \
         $16, $16, $16)",
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
    .bind(json(&job.settings))
    .bind(word(&job.settings.transcription_type))
    .bind(word(&JobStatus::Pending))
    .bind(word(&Stage::Queued))
    .bind(job.priority)
    .bind(job.audio_track.map(i64::from))
    .bind(job.now)
    .execute(connection)
    .await?;
    Ok(())
}

/// The user's job `id`; somebody else's is not found.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<Option<Job>> {
    sqlx::query("SELECT * FROM synced_jobs WHERE my_job_id = $1 AND auth_user_id = $2")
        .bind(id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// The job `id`, whosever it is: for those whose right to it has been shown otherwise (a worker's
/// lease, a signed link).
///
/// # Errors
/// A row that cannot be read.
pub async fn find_any(connection: &mut Connection, id: Uuid) -> Result<Option<Job>> {
    sqlx::query("SELECT * FROM synced_jobs WHERE my_job_id = $1")
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// The user's job that took the upload `media_id`.
///
/// # Errors
/// A row that cannot be read.
pub async fn find_by_media(
    connection: &mut Connection,
    user_id: &str,
    media_id: Uuid,
) -> Result<Option<Job>> {
    sqlx::query("SELECT * FROM synced_jobs WHERE media_id = $1 AND auth_user_id = $2")
        .bind(media_id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// Which jobs of a user a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only those in one of these states; all if empty.
    pub statuses: Vec<JobStatus>,
    /// Only those whose name holds this text, in any case; all if empty.
    pub name: String,
    /// Only those after this one (created at, id), going back in time.
    pub after: Option<(i64, Uuid)>,
    /// The most that are given.
    pub limit: u32,
}

/// The user's jobs, the newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, user_id: &str, filter: &Filter) -> Result<Vec<Job>> {
    // `%` and `_` of the searched text are plain characters.
    let escaped = filter
        .name
        .to_lowercase()
        .replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_");
    // One statement for every filter: the list of states is matched inside a text.
    let statuses = listed(&filter.statuses);
    let (before, before_id) = filter
        .after
        .map_or((i64::MAX, String::new()), |(at, id)| (at, id.to_string()));
    sqlx::query(
        "SELECT * FROM synced_jobs WHERE auth_user_id = $1 AND is_visible_to_user = 1 \
         AND ($2 = '' OR $2 LIKE '%,' || status || ',%') \
         AND ($3 = '%%' OR filename_folded LIKE $3 ESCAPE '!') \
         AND (created_at < $4 OR (created_at = $4 AND my_job_id < $5)) \
         ORDER BY created_at DESC, my_job_id DESC LIMIT $6",
    )
    .bind(user_id)
    .bind(statuses)
    .bind(format!("%{escaped}%"))
    .bind(before)
    .bind(before_id)
    .bind(i64::from(filter.limit))
    .fetch_all(connection)
    .await?
    .iter()
    .map(read)
    .collect()
}

/// How many jobs a user has by state.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Summary {
    /// All of them.
    pub total: i64,
    /// Waiting for a worker.
    pub pending: i64,
    /// In work.
    pub processing: i64,
    /// With their text.
    pub completed: i64,
    /// Without one, by whosever fault (`failed` and `error`).
    pub failed: i64,
    /// Stopped by their owner.
    pub cancelled: i64,
    /// Seconds of recordings in the completed ones.
    pub processed_seconds: f64,
}

/// Counts the user's jobs.
///
/// # Errors
/// A row that cannot be read.
pub async fn summary(connection: &mut Connection, user_id: &str) -> Result<Summary> {
    let rows = sqlx::query(
        "SELECT status, COUNT(*) AS jobs, COALESCE(SUM(duration), 0.0) AS seconds \
         FROM synced_jobs WHERE auth_user_id = $1 AND is_visible_to_user = 1 GROUP BY status",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await?;
    let mut summary = Summary::default();
    for row in &rows {
        let jobs: i64 = row.try_get("jobs")?;
        summary.total += jobs;
        match Fields::new(row, "synced_jobs", "status")?.word("status")? {
            JobStatus::Pending | JobStatus::Uploaded => summary.pending += jobs,
            JobStatus::Processing => summary.processing += jobs,
            JobStatus::Completed => {
                summary.completed += jobs;
                summary.processed_seconds += row.try_get::<f64, _>("seconds")?;
            }
            JobStatus::Failed | JobStatus::Error => summary.failed += jobs,
            JobStatus::Cancelled => summary.cancelled += jobs,
        }
    }
    Ok(summary)
}

/// The seconds of the user's recordings in jobs made since `from` and before `until` (Unix
/// milliseconds) that have one of these states; those of unknown length are left out.
///
/// # Errors
/// When the database fails.
pub async fn durations(
    connection: &mut Connection,
    user_id: &str,
    (from, until): (i64, i64),
    statuses: &[JobStatus],
) -> Result<Vec<f64>> {
    let rows = sqlx::query(
        "SELECT duration FROM synced_jobs WHERE auth_user_id = $1 AND created_at >= $2 \
         AND created_at < $3 AND $4 LIKE '%,' || status || ',%' AND duration IS NOT NULL",
    )
    .bind(user_id)
    .bind(from)
    .bind(until)
    .bind(listed(statuses))
    .fetch_all(connection)
    .await?;
    let seconds = rows.iter().map(|row| Ok(row.try_get("duration")?));
    seconds.collect()
}

/// States as a text in which one of them is found: `,pending,,processing,`.
fn listed(statuses: &[JobStatus]) -> String {
    statuses
        .iter()
        .fold(String::new(), |all, status| all + "," + &word(status) + ",")
}

/// Stops a job that is queued or in work, and takes it from whoever works on it. `false` if it
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

/// Puts a job that has ended into the queue again. `false` if it has not ended.
///
/// One without a text goes on where it was: what its stages have finished stays. One with a text
/// gets a new version beside the one it has, which is never touched again.
///
/// # Errors
/// When the database fails.
pub async fn retry(connection: &mut Connection, user_id: &str, id: Uuid, now: i64) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE synced_jobs SET status = $3, stage = $4, error = NULL, finished_at = NULL, \
         percent = 0, warnings = '[]', attempts = 0, queued_at = $5, run_after = $5, \
         version = version + CASE WHEN status = $6 THEN 1 ELSE 0 END \
         WHERE my_job_id = $1 AND auth_user_id = $2 AND status IN ($6, $7, $8, $9)",
    )
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

/// Removes the job with all it has made; `false` if the user has no such job.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<bool> {
    let done = sqlx::query("DELETE FROM synced_jobs WHERE my_job_id = $1 AND auth_user_id = $2")
        .bind(id.to_string())
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
