//! Comparisons of a text's speakers with the voices of its owner, and what they propose.

use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A comparison of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The run of recognition.
    pub version: i64,
    /// Whether it has ended.
    pub ended: bool,
    /// Whether a voice of the owner was computed after it began.
    pub outdated: bool,
    /// Code of why it failed.
    pub error: Option<String>,
}

/// The row of [`Comparison`].
struct ComparisonRow {
    version: i64,
    started_at: Option<i64>,
    finished_at: Option<i64>,
    newest: Option<i64>,
    error: Option<String>,
}

row_columns! {
    fn read() -> ComparisonRow from "voice_comparisons" by "my_job_id" {
        version: integer,
        started_at: integer_or_none,
        finished_at: integer_or_none,
        newest: integer_or_none,
        error: text_or_none,
    }
}

/// A comparison is queued again unless it waits or runs for the same run of recognition.
macro_rules! queue_again {
    () => {
        " ON CONFLICT (my_job_id) DO UPDATE SET version = excluded.version, \
         run_after = excluded.run_after, attempts = 0, error = NULL, finished_at = NULL \
         WHERE voice_comparisons.finished_at IS NOT NULL \
         OR voice_comparisons.version <> excluded.version"
    };
}

statements! {
    const QUEUE_COMPARISON: BOTH = concat!(
        "INSERT INTO voice_comparisons (my_job_id, version, run_after) \
         SELECT my_job_id, $2, $3 FROM synced_jobs WHERE my_job_id = $1",
        queue_again!()
    );
    const QUEUE_WITH_ANY_VOICE: BOTH = concat!(
        "INSERT INTO voice_comparisons (my_job_id, version, run_after) \
         SELECT j.my_job_id, $2, $3 FROM synced_jobs j WHERE j.my_job_id = $1 \
         AND EXISTS (SELECT 1 FROM voices v WHERE v.user_id = j.auth_user_id)",
        queue_again!()
    );
    const SELECT_COMPARISON: BOTH -> ComparisonRow =
        "SELECT c.my_job_id, c.version, c.started_at, c.finished_at, c.error, \
         (SELECT MAX(s.finished_at) FROM voice_samples s JOIN voices v ON v.id = s.voice_id \
         WHERE v.user_id = j.auth_user_id AND s.vector IS NOT NULL) AS newest \
         FROM voice_comparisons c JOIN synced_jobs j ON j.my_job_id = c.my_job_id \
         WHERE c.my_job_id = $1";
}

async fn queue(
    connection: &mut Connection,
    statement: &'static str,
    job: Uuid,
    version: i64,
    now: i64,
) -> Result<()> {
    sqlx::query(statement)
        .bind(job.to_string())
        .bind(version)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Queues the comparison of a text, unless it waits or runs.
///
/// # Errors
/// When the database fails.
pub async fn compare(connection: &mut Connection, job: Uuid, version: i64, now: i64) -> Result<()> {
    queue(connection, QUEUE_COMPARISON, job, version, now).await
}

/// The same if the job's owner has any voice.
///
/// # Errors
/// When the database fails.
pub(crate) async fn compare_with_any(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    now: i64,
) -> Result<()> {
    queue(connection, QUEUE_WITH_ANY_VOICE, job, version, now).await
}

/// The comparison of a job's text.
///
/// # Errors
/// A row that cannot be read.
pub async fn comparison(connection: &mut Connection, job: Uuid) -> Result<Option<Comparison>> {
    let row = sqlx::query(SELECT_COMPARISON)
        .bind(job.to_string())
        .fetch_optional(connection)
        .await?;
    let row = row.as_ref().map(read).transpose()?;
    Ok(row.map(|row| Comparison {
        version: row.version,
        ended: row.finished_at.is_some(),
        outdated: row.newest > row.started_at,
        error: row.error,
    }))
}

/// A name that is proposed for a speaker.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// `SPEAKER_n`.
    pub speaker: String,
    /// The voice.
    pub voice: Uuid,
    /// The name of the voice.
    pub name: String,
    /// Similarity of the voices, 0 to 1.
    pub score: f64,
}

row_columns! {
    fn read_proposal() -> Proposal from "voice_proposals" by "voice_id" {
        speaker: text,
        voice: uuid in "voice_id",
        name: text,
        score: number,
    }
}

statements! {
    const SELECT_PROPOSALS: BOTH -> Proposal =
        "SELECT p.speaker, p.voice_id, v.name, p.score FROM voice_proposals p \
         JOIN voices v ON v.id = p.voice_id \
         WHERE p.my_job_id = $1 AND p.version = $2 AND v.user_id = $3 AND p.declined = 0 \
         ORDER BY p.speaker, p.score DESC, p.voice_id";
    const DECLINE_PROPOSALS: BOTH =
        "UPDATE voice_proposals SET declined = 1 \
         WHERE my_job_id = $1 AND version = $2 AND speaker = $3";
    const SELECT_DECLINED: BOTH =
        "SELECT speaker, voice_id FROM voice_proposals \
         WHERE my_job_id = $1 AND version = $2 AND declined <> 0";
}

/// The proposed names of a text, by speaker.
///
/// # Errors
/// A row that cannot be read.
pub async fn proposals(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    user_id: &str,
) -> Result<Vec<Proposal>> {
    let rows = sqlx::query(SELECT_PROPOSALS)
        .bind(job.to_string())
        .bind(version)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_proposal).collect()
}

/// Declines what is proposed for a speaker: it is not proposed again.
///
/// # Errors
/// When the database fails.
pub async fn decline(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    speaker: &str,
) -> Result<()> {
    sqlx::query(DECLINE_PROPOSALS)
        .bind(job.to_string())
        .bind(version)
        .bind(speaker)
        .execute(connection)
        .await?;
    Ok(())
}

/// The declined pairs of a speaker and the id of a voice.
///
/// # Errors
/// When the database fails.
pub async fn declined(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query(SELECT_DECLINED)
        .bind(job.to_string())
        .bind(version)
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            Ok((
                sqlx::Row::try_get(row, "speaker")?,
                sqlx::Row::try_get(row, "voice_id")?,
            ))
        })
        .collect()
}
