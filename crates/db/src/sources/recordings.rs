//! What was found at a source: table `source_recordings`. [`super::found`] stores what a look finds.

use slovo_rules::source::SourceRecordingState;
use sqlx::Row;
use uuid::Uuid;

use super::Problem;
use crate::core::fields::json;
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// A recording at a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRecording {
    /// Its id.
    pub id: Uuid,
    /// The source.
    pub source_id: Uuid,
    /// What identifies it there: its path, or its id in the feed.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Address that it is fetched from; `None` if the source fetches it.
    pub url: Option<String>,
    /// Size in bytes, if known.
    pub size: Option<i64>,
    /// Changes with its content.
    pub version: String,
    /// Whether it is complete.
    pub is_settled: bool,
    /// Tries to read it that failed one after the other.
    pub attempts: i64,
    /// What has become of it.
    pub state: SourceRecordingState,
    /// Its job, which may have been deleted.
    pub job_id: Option<Uuid>,
    /// Why it waits, or why no job could be created.
    pub problem: Option<Problem>,
    /// When it was found, Unix milliseconds.
    pub found_at: i64,
}

row_columns! {
    fn read() -> SourceRecording from "source_recordings" by "id" {
        id: uuid,
        source_id: uuid,
        key: text in "item_key",
        name: text,
        url: text_or_none,
        size: integer_or_none,
        version: text,
        is_settled: flag,
        attempts: integer,
        state: word,
        job_id: uuid_or_none,
        problem: json_or_none,
        found_at: integer,
    }
}

macro_rules! recording_columns {
    () => {
        columns!(
            "r.": id, source_id, item_key, name, url, size, version, is_settled, attempts,
            state, problem, found_at
        )
    };
}

/// Columns with the job only if it is in the library.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            recording_columns!(),
            ", (SELECT j.my_job_id FROM synced_jobs j WHERE j.my_job_id = r.job_id) AS job_id \
             FROM source_recordings r ",
            $condition
        )
    };
}

statements! {
    const LIST: BOTH -> SourceRecording = select!(
        "WHERE r.source_id = $1 AND ($5 = '' OR r.state = $5) AND (r.found_at < $2 \
         OR (r.found_at = $2 AND r.id < $3)) ORDER BY r.found_at DESC, r.id DESC LIMIT $4"
    );
    const FIND: BOTH -> SourceRecording = select!("WHERE r.source_id = $1 AND r.id = $2");
    const STARTABLE: BOTH -> SourceRecording = select!(
        "WHERE r.source_id = $1 AND r.state = 'waiting' AND r.is_settled = 1 \
         AND r.retry_at <= $3 ORDER BY r.found_at, r.id LIMIT $2"
    );
    // Those that were deleted in the library do not count as started.
    const COUNTS: BOTH =
        "SELECT r.state, COUNT(*) AS n FROM source_recordings r \
         LEFT JOIN synced_jobs j ON j.my_job_id = r.job_id \
         WHERE r.source_id = $1 AND (r.state <> 'started' OR j.my_job_id IS NOT NULL) \
         GROUP BY r.state";
    const WAITING: BOTH =
        "SELECT COUNT(CASE WHEN is_settled = 0 THEN 1 END) AS growing, \
         MIN(CASE WHEN is_settled = 1 THEN retry_at END) AS next_try \
         FROM source_recordings WHERE source_id = $1 AND state = 'waiting'";
    const START_AGAIN: BOTH =
        "UPDATE source_recordings SET state = 'waiting', is_settled = 1, problem = NULL, \
         attempts = 0, retry_at = 0 WHERE id = $1 AND state IN ('skipped', 'failed')";
    const STARTED: BOTH =
        "UPDATE source_recordings SET state = 'started', job_id = $2, problem = NULL \
         WHERE id = $1 AND state = 'waiting'";
    const WAITS: BOTH =
        "UPDATE source_recordings SET problem = $2 WHERE id = $1 AND state = 'waiting'";
    const RETRY: BOTH =
        "UPDATE source_recordings SET problem = $2, attempts = attempts + 1, retry_at = $3 \
         WHERE id = $1 AND state = 'waiting'";
    const FAILED: BOTH =
        "UPDATE source_recordings SET state = 'failed', problem = $2 \
         WHERE id = $1 AND state = 'waiting'";
}

/// A page of what was found at a source, newest first; `state` is empty for all.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    source_id: Uuid,
    state: Option<SourceRecordingState>,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<SourceRecording>> {
    let (time, id) = after.map_or((i64::MAX, String::new()), |(time, id)| {
        (time, id.to_string())
    });
    let rows = sqlx::query(LIST)
        .bind(source_id.to_string())
        .bind(time)
        .bind(id)
        .bind(i64::from(limit))
        .bind(state.map_or("", SourceRecordingState::as_str))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// A recording of a source.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    source_id: Uuid,
    id: Uuid,
) -> Result<Option<SourceRecording>> {
    let row = sqlx::query(FIND)
        .bind(source_id.to_string())
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Recordings that wait, are complete and may be tried at `now`, those that were found first before
/// others.
///
/// # Errors
/// A row that cannot be read.
pub async fn startable(
    connection: &mut Connection,
    source_id: Uuid,
    limit: u32,
    now: i64,
) -> Result<Vec<SourceRecording>> {
    let rows = sqlx::query(STARTABLE)
        .bind(source_id.to_string())
        .bind(i64::from(limit))
        .bind(now)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// How many recordings of a source there are in each state; states without one are absent.
///
/// # Errors
/// A row that cannot be read.
pub async fn counts(
    connection: &mut Connection,
    source_id: Uuid,
) -> Result<Vec<(SourceRecordingState, i64)>> {
    let rows = sqlx::query(COUNTS)
        .bind(source_id.to_string())
        .fetch_all(connection)
        .await?;
    let mut counts = Vec::new();
    for row in &rows {
        let state: String = row.try_get("state")?;
        if let Some(state) = SourceRecordingState::parse(&state) {
            counts.push((state, row.try_get("n")?));
        }
    }
    Ok(counts)
}

/// What the waiting recordings of a source wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Whether one is perhaps not complete yet.
    pub is_growing: bool,
    /// When the next complete one may be tried, Unix milliseconds.
    pub next_try: Option<i64>,
}

/// What the waiting recordings of a source wait for.
///
/// # Errors
/// When the database fails.
pub async fn waiting(connection: &mut Connection, source_id: Uuid) -> Result<Waiting> {
    let row = sqlx::query(WAITING)
        .bind(source_id.to_string())
        .fetch_one(connection)
        .await?;
    Ok(Waiting {
        is_growing: row.try_get::<i64, _>("growing")? > 0,
        next_try: row.try_get("next_try")?,
    })
}

/// Has a skipped or failed recording transcribed. `false` if it is neither.
///
/// # Errors
/// When the database fails.
pub async fn start_again(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query(START_AGAIN)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores the job of a waiting recording, in the transaction that creates the job. `false` if it has
/// one already, or does not wait any more; then the transaction must not be committed.
///
/// # Errors
/// When the database fails.
pub async fn mark_started(connection: &mut Connection, id: Uuid, job: Uuid) -> Result<bool> {
    let done = sqlx::query(STARTED)
        .bind(id.to_string())
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores why a recording waits.
///
/// # Errors
/// When the database fails.
pub async fn mark_waiting(connection: &mut Connection, id: Uuid, problem: &Problem) -> Result<()> {
    sqlx::query(WAITS)
        .bind(id.to_string())
        .bind(json(problem))
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores why a recording could not be read, and when that is tried again (Unix milliseconds).
///
/// # Errors
/// When the database fails.
pub async fn mark_for_retry(
    connection: &mut Connection,
    id: Uuid,
    problem: &Problem,
    at: i64,
) -> Result<()> {
    sqlx::query(RETRY)
        .bind(id.to_string())
        .bind(json(problem))
        .bind(at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores why no job could be created.
///
/// # Errors
/// When the database fails.
pub async fn mark_failed(connection: &mut Connection, id: Uuid, problem: &Problem) -> Result<()> {
    sqlx::query(FAILED)
        .bind(id.to_string())
        .bind(json(problem))
        .execute(connection)
        .await?;
    Ok(())
}
