//! The worker's side of the queue of samples and comparisons.

use uuid::Uuid;

use crate::core::fields::json;
use crate::core::statement::{row_columns, statements};
use crate::{Backend, Connection, Result};

/// What is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskKind {
    /// The vector of a speaker.
    Sample {
        /// Id of the sample.
        id: Uuid,
        /// `SPEAKER_n`.
        speaker: String,
    },
    /// Which voices the speakers of a text are similar to.
    Comparison,
}

/// A claimed task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What is computed.
    pub kind: TaskKind,
    /// The job; `None` if it was deleted.
    pub job: Option<Uuid>,
    /// The run of recognition.
    pub version: i64,
    /// Number of claims.
    pub attempts: i64,
}

/// The row of a claimed sample.
struct SampleTask {
    id: Uuid,
    job: Option<Uuid>,
    version: i64,
    speaker: String,
    attempts: i64,
}

row_columns! {
    fn read_sample() -> SampleTask from "voice_samples" by "id" {
        id: uuid,
        job: uuid_or_none in "my_job_id",
        version: integer,
        speaker: text,
        attempts: integer,
    }
}

/// The row of a claimed comparison.
struct ComparisonTask {
    job: Uuid,
    version: i64,
    attempts: i64,
}

row_columns! {
    fn read_comparison() -> ComparisonTask from "voice_comparisons" by "my_job_id" {
        job: uuid in "my_job_id",
        version: integer,
        attempts: integer,
    }
}

macro_rules! next_sample {
    ($lock:literal) => {
        concat!(
            "UPDATE voice_samples SET run_after = $2, attempts = attempts + 1 WHERE id = \
             (SELECT id FROM voice_samples WHERE finished_at IS NULL AND run_after <= $1 \
             ORDER BY run_after, id LIMIT 1",
            $lock,
            ") RETURNING id, my_job_id, version, speaker, attempts"
        )
    };
}

macro_rules! next_comparison {
    ($lock:literal) => {
        concat!(
            "UPDATE voice_comparisons SET run_after = $2, started_at = $1, \
             attempts = attempts + 1 WHERE my_job_id = \
             (SELECT my_job_id FROM voice_comparisons WHERE finished_at IS NULL \
             AND run_after <= $1 ORDER BY run_after, my_job_id LIMIT 1",
            $lock,
            ") RETURNING my_job_id, version, attempts"
        )
    };
}

statements! {
    const TAKE_SAMPLE_SQLITE: SQLITE -> SampleTask = next_sample!("");
    const TAKE_SAMPLE_POSTGRES: POSTGRES -> SampleTask = next_sample!(" FOR UPDATE SKIP LOCKED");
    const TAKE_COMPARISON_SQLITE: SQLITE -> ComparisonTask = next_comparison!("");
    const TAKE_COMPARISON_POSTGRES: POSTGRES -> ComparisonTask =
        next_comparison!(" FOR UPDATE SKIP LOCKED");
    const SELECT_ANY_WAITING: BOTH =
        "SELECT 1 AS found FROM voice_samples WHERE finished_at IS NULL AND run_after <= $1 \
         UNION ALL SELECT 1 FROM voice_comparisons WHERE finished_at IS NULL AND run_after <= $1 \
         LIMIT 1";
}

/// Whether [`claim`] would find anything.
///
/// # Errors
/// When the database fails.
pub async fn waiting(connection: &mut Connection, now: i64) -> Result<bool> {
    let row = sqlx::query(SELECT_ANY_WAITING)
        .bind(now)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Takes the next task that waits; samples come first, because a user waits for them. Nobody else
/// takes it until `until`, in Unix milliseconds. Must run in a write transaction; the claim takes
/// effect when it is committed.
///
/// # Errors
/// A row that cannot be read.
pub async fn claim(
    connection: &mut Connection,
    backend: Backend,
    now: i64,
    until: i64,
) -> Result<Option<Task>> {
    let (sample, comparison) = match backend {
        Backend::Sqlite => (TAKE_SAMPLE_SQLITE, TAKE_COMPARISON_SQLITE),
        Backend::Postgres => (TAKE_SAMPLE_POSTGRES, TAKE_COMPARISON_POSTGRES),
    };
    let row = sqlx::query(sample)
        .bind(now)
        .bind(until)
        .fetch_optional(&mut *connection)
        .await?;
    if let Some(row) = row {
        let row = read_sample(&row)?;
        return Ok(Some(Task {
            kind: TaskKind::Sample {
                id: row.id,
                speaker: row.speaker,
            },
            job: row.job,
            version: row.version,
            attempts: row.attempts,
        }));
    }
    let row = sqlx::query(comparison)
        .bind(now)
        .bind(until)
        .fetch_optional(connection)
        .await?;
    let row = row.as_ref().map(read_comparison).transpose()?;
    Ok(row.map(|row| Task {
        kind: TaskKind::Comparison,
        job: Some(row.job),
        version: row.version,
        attempts: row.attempts,
    }))
}

/// What a sample was computed to.
#[derive(Debug, Clone)]
pub struct ComputedSample<'a> {
    /// Name of the speaker embedding.
    pub embedding: &'a str,
    /// The unit vector.
    pub vector: &'a [f32],
    /// Seconds of speech.
    pub seconds: f64,
}

statements! {
    const FINISH_SAMPLE: BOTH =
        "UPDATE voice_samples SET embedding = $2, vector = $3, seconds = $4, error = NULL, \
         finished_at = $5 WHERE id = $1 AND finished_at IS NULL";
    const FINISH_COMPARISON: BOTH =
        "UPDATE voice_comparisons SET error = NULL, finished_at = $3 \
         WHERE my_job_id = $1 AND version = $2 AND finished_at IS NULL";
    const DELETE_PROPOSALS: BOTH =
        "DELETE FROM voice_proposals WHERE my_job_id = $1 AND declined = 0";
    /// A voice that was deleted meanwhile is not proposed.
    const INSERT_PROPOSAL: BOTH =
        "INSERT INTO voice_proposals (my_job_id, version, speaker, voice_id, score) \
         SELECT $1, $2, $3, id, $5 FROM voices WHERE id = $4 ON CONFLICT DO NOTHING";
    const FAIL_SAMPLE: BOTH =
        "UPDATE voice_samples SET error = $2, finished_at = $3 \
         WHERE id = $1 AND finished_at IS NULL";
    const FAIL_COMPARISON: BOTH =
        "UPDATE voice_comparisons SET error = $3, finished_at = $4 \
         WHERE my_job_id = $1 AND version = $2 AND finished_at IS NULL";
    const RETRY_SAMPLE: BOTH =
        "UPDATE voice_samples SET run_after = $2 WHERE id = $1 AND finished_at IS NULL";
    const RETRY_COMPARISON: BOTH =
        "UPDATE voice_comparisons SET run_after = $3 \
         WHERE my_job_id = $1 AND version = $2 AND finished_at IS NULL";
}

/// Stores a computed sample, unless it was deleted or has ended.
///
/// # Errors
/// When the database fails.
pub async fn finish_sample(
    connection: &mut Connection,
    id: Uuid,
    computed: &ComputedSample<'_>,
    now: i64,
) -> Result<()> {
    sqlx::query(FINISH_SAMPLE)
        .bind(id.to_string())
        .bind(computed.embedding)
        .bind(json(&computed.vector))
        .bind(computed.seconds)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends a comparison with its proposals (speaker, voice and score), which replace the earlier ones;
/// declined ones stay declined. Does nothing if it has ended or is about another run now.
///
/// # Errors
/// When the database fails.
pub async fn finish_comparison(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    proposals: &[(String, Uuid, f64)],
    now: i64,
) -> Result<()> {
    let done = sqlx::query(FINISH_COMPARISON)
        .bind(job.to_string())
        .bind(version)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Ok(());
    }
    sqlx::query(DELETE_PROPOSALS)
        .bind(job.to_string())
        .execute(&mut *connection)
        .await?;
    for (speaker, voice, score) in proposals {
        sqlx::query(INSERT_PROPOSAL)
            .bind(job.to_string())
            .bind(version)
            .bind(speaker)
            .bind(voice.to_string())
            .bind(score)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Ends a task with the code of why it failed.
///
/// # Errors
/// When the database fails.
pub async fn fail(connection: &mut Connection, task: &Task, error: &str, now: i64) -> Result<()> {
    let query = match (&task.kind, task.job) {
        (TaskKind::Sample { id, .. }, _) => sqlx::query(FAIL_SAMPLE).bind(id.to_string()),
        (TaskKind::Comparison, Some(job)) => sqlx::query(FAIL_COMPARISON)
            .bind(job.to_string())
            .bind(task.version),
        (TaskKind::Comparison, None) => return Ok(()),
    };
    query.bind(error).bind(now).execute(connection).await?;
    Ok(())
}

/// Moves the time from which a task may be taken again, in Unix milliseconds: into the future while
/// it runs, to the next attempt when it was interrupted.
///
/// # Errors
/// When the database fails.
pub async fn retry(connection: &mut Connection, task: &Task, run_after: i64) -> Result<()> {
    let query = match (&task.kind, task.job) {
        (TaskKind::Sample { id, .. }, _) => sqlx::query(RETRY_SAMPLE).bind(id.to_string()),
        (TaskKind::Comparison, Some(job)) => sqlx::query(RETRY_COMPARISON)
            .bind(job.to_string())
            .bind(task.version),
        (TaskKind::Comparison, None) => return Ok(()),
    };
    query.bind(run_after).execute(connection).await?;
    Ok(())
}
