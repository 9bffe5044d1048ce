//! What was found at a source: table `source_recordings`.

use sha2::{Digest as _, Sha256};
use slovo_rules::source::SourceRecordingState;
use sqlx::Row;
use uuid::Uuid;

use super::Problem;
use crate::core::fields::{json, word};
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
        state: word,
        job_id: uuid_or_none,
        problem: json_or_none,
        found_at: integer,
    }
}

macro_rules! recording_columns {
    () => {
        columns!(
            "r.": id, source_id, item_key, name, url, size, version, is_settled, state, problem,
            found_at
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
         ORDER BY r.found_at, r.id LIMIT $2"
    );
    const COUNTS: BOTH =
        "SELECT state, COUNT(*) AS n FROM source_recordings WHERE source_id = $1 GROUP BY state";
    const ANY_UNTRIED: BOTH =
        "SELECT 1 AS n FROM source_recordings WHERE source_id = $1 AND state = 'waiting' \
         AND is_settled = 1 AND problem IS NULL AND NOT EXISTS (SELECT 1 FROM source_recordings p \
         WHERE p.source_id = $1 AND p.state = 'waiting' AND p.problem IS NOT NULL) LIMIT 1";
    const ANY_UNSETTLED: BOTH =
        "SELECT 1 AS n FROM source_recordings \
         WHERE source_id = $1 AND state = 'waiting' AND is_settled = 0 LIMIT 1";
    const INSERT: BOTH =
        "INSERT INTO source_recordings (id, source_id, key_hash, item_key, name, url, size, \
         version, is_settled, state, found_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (source_id, key_hash) DO NOTHING";
    // What is seen a second time with the same version is complete.
    const SEE_AGAIN: BOTH =
        "UPDATE source_recordings SET is_settled = CASE WHEN version = $3 THEN 1 ELSE 0 END, \
         version = $3, size = $4 \
         WHERE source_id = $1 AND key_hash = $2 AND state = 'waiting' AND is_settled = 0";
    const NEW_ADDRESS: BOTH =
        "UPDATE source_recordings SET url = $3, size = $4 \
         WHERE source_id = $1 AND key_hash = $2 AND state <> 'started' AND url <> $3";
    const START_AGAIN: BOTH =
        "UPDATE source_recordings SET state = 'waiting', is_settled = 1, problem = NULL \
         WHERE id = $1 AND state IN ('skipped', 'failed')";
    const STARTED: BOTH =
        "UPDATE source_recordings SET state = 'started', job_id = $2, problem = NULL \
         WHERE id = $1 AND state = 'waiting'";
    const WAITS: BOTH =
        "UPDATE source_recordings SET problem = $2 WHERE id = $1 AND state = 'waiting'";
    const FAILED: BOTH =
        "UPDATE source_recordings SET state = 'failed', problem = $2 \
         WHERE id = $1 AND state = 'waiting'";
}

/// A recording that a look found.
#[derive(Clone, Debug)]
pub struct NewRecording {
    /// Its id, should it be new.
    pub id: Uuid,
    /// What identifies it there.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Address that it is fetched from.
    pub url: Option<String>,
    /// Size in bytes.
    pub size: Option<i64>,
    /// Changes with its content.
    pub version: String,
    /// Whether it is known to be complete.
    pub is_settled: bool,
    /// What becomes of it, should it be new.
    pub state: SourceRecordingState,
}

/// The keys are long and of any characters; an index needs something short.
fn hash(key: &str) -> String {
    hex::encode(Sha256::digest(key))
}

/// Stores what a look found; what is known already keeps its state.
///
/// # Errors
/// When the database fails.
pub async fn store(
    connection: &mut Connection,
    source_id: Uuid,
    found: &NewRecording,
    now: i64,
) -> Result<()> {
    let hash = hash(&found.key);
    let inserted = sqlx::query(INSERT)
        .bind(found.id.to_string())
        .bind(source_id.to_string())
        .bind(&hash)
        .bind(&found.key)
        .bind(&found.name)
        .bind(found.url.as_deref())
        .bind(found.size)
        .bind(&found.version)
        .bind(i64::from(found.is_settled))
        .bind(word(&found.state))
        .bind(now)
        .execute(&mut *connection)
        .await?;
    if inserted.rows_affected() > 0 {
        return Ok(());
    }
    let query = match &found.url {
        Some(url) => sqlx::query(NEW_ADDRESS)
            .bind(source_id.to_string())
            .bind(&hash)
            .bind(url),
        None => sqlx::query(SEE_AGAIN)
            .bind(source_id.to_string())
            .bind(&hash)
            .bind(&found.version),
    };
    query.bind(found.size).execute(connection).await?;
    Ok(())
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

/// Recordings that wait and are complete, those that were found first before others.
///
/// # Errors
/// A row that cannot be read.
pub async fn startable(
    connection: &mut Connection,
    source_id: Uuid,
    limit: u32,
) -> Result<Vec<SourceRecording>> {
    let rows = sqlx::query(STARTABLE)
        .bind(source_id.to_string())
        .bind(i64::from(limit))
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

/// Whether a recording could become a job and was not tried yet, and nothing else has to wait: what
/// one waits for, the others wait for, too.
///
/// # Errors
/// When the database fails.
pub async fn any_untried(connection: &mut Connection, source_id: Uuid) -> Result<bool> {
    let row = sqlx::query(ANY_UNTRIED)
        .bind(source_id.to_string())
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Whether a recording is perhaps not complete yet.
///
/// # Errors
/// When the database fails.
pub async fn any_unsettled(connection: &mut Connection, source_id: Uuid) -> Result<bool> {
    let row = sqlx::query(ANY_UNSETTLED)
        .bind(source_id.to_string())
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
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
