//! The sample recording of new accounts: table `samples`, and jobs marked `is_sample`.
//!
//! A row of `samples` is created in the transaction that creates an account. The job is created
//! once, on the owner's first visit, so a sign-up neither waits for it nor fails with it. A deleted
//! sample is not created again, because the row stays; older accounts have no row and get no
//! sample.
//!
//! A sample is a job like any other, but is excluded from sums, minutes, figures of the server,
//! mails, webhooks and the external database.

use slovo_rules::Valid;
use slovo_rules::collation::sort_key;
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::job_plan::JobPlan;
use slovo_rules::transcript::Transcript;
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{row_columns, statements};
use crate::texts::edits::{self, SpeakerState};
use crate::texts::{recognition, search};
use crate::{Connection, Error, Result};

/// The recognition run of a sample's transcript.
const VERSION: i64 = 1;

statements! {
    const INSERT_SAMPLE: BOTH =
        "INSERT INTO samples (user_id) VALUES ($1) ON CONFLICT (user_id) DO NOTHING";
}

/// Marks a new account as due for a sample. Call it in the transaction that creates the account.
///
/// # Errors
/// When the database fails.
pub async fn mark_due(connection: &mut Connection, user_id: &str) -> Result<()> {
    sqlx::query(INSERT_SAMPLE)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_IS_DUE: BOTH =
        "SELECT 1 AS found FROM samples WHERE user_id = $1 AND laid_at IS NULL";
}

/// Whether an account is still due for its sample.
///
/// # Errors
/// When the database fails.
pub async fn is_due(connection: &mut Connection, user_id: &str) -> Result<bool> {
    let row = sqlx::query(SELECT_IS_DUE)
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// A sample to be created; its file is on the disk.
#[derive(Clone, Debug)]
pub struct NewSample {
    /// Public id.
    pub id: Uuid,
    /// The owner's account id.
    pub user_id: String,
    /// The id of its file.
    pub media_id: Uuid,
    /// Display name.
    pub original_filename: String,
    /// MIME type.
    pub content_type: &'static str,
    /// Bytes.
    pub file_size: u64,
    /// Settings that fit its transcript.
    pub plan: Valid<JobPlan>,
    /// Its transcript.
    pub transcript: Transcript,
    /// The speaker's name.
    pub speaker: String,
    /// Unix milliseconds.
    pub now: i64,
}

statements! {
    const MARK_SAMPLE_CREATED: BOTH =
        "UPDATE samples SET laid_at = $2 WHERE user_id = $1 AND laid_at IS NULL";
}

/// Creates the sample of an account: a completed job whose speaker has a name. `false`, without a
/// change, if the account already got it or is not due for one.
///
/// # Errors
/// When the database fails.
pub async fn insert_sample(connection: &mut Connection, sample: &NewSample) -> Result<bool> {
    // Of two concurrent requests the second one waits here and finds the sample created.
    let done = sqlx::query(MARK_SAMPLE_CREATED)
        .bind(&sample.user_id)
        .bind(sample.now)
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    insert(&mut *connection, sample).await?;
    let (id, transcript) = (sample.id, &sample.transcript);
    recognition::insert(&mut *connection, id, VERSION, transcript, sample.now).await?;
    search::mark_stale(&mut *connection, id).await?;
    let named = |speaker: SpeakerState| SpeakerState {
        name: Some(sample.speaker.clone()),
        ..speaker
    };
    let speakers = edits::read_speakers(&mut *connection, id, VERSION).await?;
    let speakers: Vec<SpeakerState> = speakers.0.into_iter().map(named).collect();
    let speakers: Vec<&SpeakerState> = speakers.iter().collect();
    edits::write_speakers(connection, id, VERSION, &speakers).await?;
    Ok(true)
}

statements! {
    const INSERT_SAMPLE_JOB: BOTH =
        "INSERT INTO synced_jobs (my_job_id, auth_user_id, media_id, original_filename, \
         filename_folded, content_type, file_size, has_video, duration, input_settings, \
         transcription_type, status, stage, percent, language, model, queued_at, run_after, \
         created_at, finished_at, version, shown_version, is_sample, name_key) VALUES ($1, $2, $3, \
         $4, $5, $6, $7, 0, $8, $9, $10, $11, $12, 100, $13, $14, $15, $15, $15, $15, $16, $16, 1, \
         $17)";
}

/// Stores the row of a completed job.
async fn insert(connection: &mut Connection, sample: &NewSample) -> Result<()> {
    let transcript = &sample.transcript;
    sqlx::query(INSERT_SAMPLE_JOB)
        .bind(sample.id.to_string())
        .bind(&sample.user_id)
        .bind(sample.media_id.to_string())
        .bind(&sample.original_filename)
        .bind(sample.original_filename.to_lowercase())
        .bind(sample.content_type)
        .bind(i64::try_from(sample.file_size).unwrap_or(i64::MAX))
        .bind(transcript.duration)
        .bind(json(&*sample.plan))
        .bind(word(&sample.plan.mode))
        .bind(word(&JobStatus::Completed))
        .bind(word(&Stage::Finishing))
        .bind(&transcript.language)
        .bind(Some(transcript.model.as_str()).filter(|model| !model.is_empty()))
        .bind(sample.now)
        .bind(VERSION)
        .bind(sort_key(&sample.original_filename))
        .execute(connection)
        .await?;
    Ok(())
}

/// The state of an account's tour through the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tour {
    /// Whether it starts by itself: it was neither completed nor closed.
    pub is_offered: bool,
    /// The sample, if it exists.
    pub sample: Option<Uuid>,
}

/// What is stored of a tour.
struct TourRow {
    open_tours: i64,
    sample: Option<String>,
}

row_columns! {
    fn read_tour() -> TourRow {
        open_tours: integer,
        sample: text_or_none,
    }
}

statements! {
    const SELECT_TOUR: BOTH -> TourRow =
        "SELECT (SELECT COUNT(*) FROM samples WHERE user_id = $1 AND tour_ended_at IS NULL) \
         AS open_tours, (SELECT MIN(my_job_id) FROM synced_jobs WHERE auth_user_id = $1 \
         AND is_sample = 1 AND is_visible_to_user = 1) AS sample";
}

/// The state of the account's tour.
///
/// # Errors
/// When the database fails, or the sample's id is malformed.
pub async fn tour(connection: &mut Connection, user_id: &str) -> Result<Tour> {
    let row = sqlx::query(SELECT_TOUR)
        .bind(user_id)
        .fetch_one(connection)
        .await?;
    let row = read_tour(&row)?;
    let sample = row
        .sample
        .map(|id| {
            let parsed = id.parse::<Uuid>();
            parsed.map_err(|error| Error::row("synced_jobs", id.clone(), error.to_string()))
        })
        .transpose()?;
    Ok(Tour {
        is_offered: sample.is_some() && row.open_tours > 0,
        sample,
    })
}

statements! {
    const END_TOUR: BOTH =
        "UPDATE samples SET tour_ended_at = $2 WHERE user_id = $1 AND tour_ended_at IS NULL";
}

/// Records that the tour was completed or closed, so that it no longer starts by itself.
///
/// # Errors
/// When the database fails.
pub async fn end_tour(connection: &mut Connection, user_id: &str, now: i64) -> Result<()> {
    sqlx::query(END_TOUR)
        .bind(user_id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
