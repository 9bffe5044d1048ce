//! The files of targets: table `target_files`.

use slovo_rules::target::TargetFileState;
use sqlx::Row;
use uuid::Uuid;

use super::Target;
use crate::core::fields::json;
use crate::core::statement::{row_columns, statements};
use crate::sources::Problem;
use crate::{Connection, Result};

/// The file of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetFile {
    /// The job whose text it has.
    pub job_id: Uuid,
    /// The title of the job, or its file name.
    pub title: String,
    /// When the job was created, Unix milliseconds.
    pub created_at: i64,
    /// What has become of it.
    pub state: TargetFileState,
    /// Counts the changes of the text.
    pub changed: i64,
    /// Its name; `None` before it was written.
    pub path: Option<String>,
    /// SHA-256 of what was written last.
    pub digest: Option<String>,
    /// SHA-256 of what was being written when the server died.
    pub next_digest: Option<String>,
    /// Why it waits, or is not written.
    pub problem: Option<Problem>,
    /// Tries that failed one after the other.
    pub attempts: i64,
    /// When it was written last, Unix milliseconds.
    pub written_at: Option<i64>,
}

row_columns! {
    fn read() -> TargetFile from "target_files" by "my_job_id" {
        job_id: uuid in "my_job_id",
        title: text,
        created_at: integer,
        state: word,
        changed: integer,
        path: text_or_none,
        digest: text_or_none,
        next_digest: text_or_none,
        problem: json_or_none,
        attempts: integer,
        written_at: integer_or_none,
    }
}

macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT f.my_job_id, COALESCE(j.title, j.original_filename) AS title, j.created_at, \
             f.state, f.changed, f.path, f.digest, f.next_digest, f.problem, f.attempts, f.written_at \
             FROM target_files f JOIN synced_jobs j ON j.my_job_id = f.my_job_id ",
            $condition
        )
    };
}

statements! {
    const DUE: BOTH -> TargetFile = select!(
        "WHERE f.target_id = $1 AND f.state = 'waiting' AND f.retry_at <= $3 \
         ORDER BY j.created_at, f.my_job_id LIMIT $2"
    );
    const FIND: BOTH -> TargetFile = select!("WHERE f.target_id = $1 AND f.my_job_id = $2");
    const LIST: BOTH -> TargetFile = select!(
        "WHERE f.target_id = $1 AND ($5 = '' OR f.state = $5) AND (j.created_at < $2 \
         OR (j.created_at = $2 AND f.my_job_id < $3)) \
         ORDER BY j.created_at DESC, f.my_job_id DESC LIMIT $4"
    );
    const COUNTS: BOTH =
        "SELECT state, COUNT(*) AS n FROM target_files WHERE target_id = $1 GROUP BY state";
    const IS_IN_GROUP: BOTH =
        "SELECT 1 AS n FROM grouped_jobs WHERE my_job_id = $1 AND group_id = $2";
    // What was changed or removed there stays as it is.
    const MARK: BOTH =
        "INSERT INTO target_files (target_id, my_job_id, state, changed) \
         SELECT t.id, j.my_job_id, 'waiting', 1 FROM targets t \
         JOIN synced_jobs j ON j.auth_user_id = t.account_id WHERE j.my_job_id = $1 \
         ON CONFLICT (target_id, my_job_id) DO UPDATE SET changed = target_files.changed + 1, \
         retry_at = 0, attempts = 0, \
         state = CASE WHEN target_files.state = 'foreign' THEN 'foreign' ELSE 'waiting' END";
    const MARK_TAGGED: BOTH =
        "UPDATE target_files SET changed = changed + 1, retry_at = 0, attempts = 0, \
         state = CASE WHEN state = 'foreign' THEN 'foreign' ELSE 'waiting' END \
         WHERE my_job_id IN (SELECT o.my_job_id FROM grouped_jobs o \
         JOIN job_groups g ON g.id = o.group_id \
         WHERE g.id = $1 AND g.user_id = $2 AND g.kind = 'tag')";
    const ADD_ALL: BOTH =
        "INSERT INTO target_files (target_id, my_job_id, state, changed) \
         SELECT CAST($1 AS TEXT), j.my_job_id, 'waiting', 1 FROM synced_jobs j \
         WHERE j.auth_user_id = $2 AND j.status = 'completed' ON CONFLICT DO NOTHING";
    const BEGIN_ANEW: BOTH =
        "UPDATE target_files SET state = 'waiting', changed = changed + 1, path = NULL, \
         digest = NULL, next_digest = NULL, problem = NULL, attempts = 0, retry_at = 0 \
         WHERE target_id = $1";
    const RESERVE: BOTH =
        "UPDATE target_files SET path = $3, next_digest = $4 \
         WHERE target_id = $1 AND my_job_id = $2 AND NOT EXISTS (SELECT 1 FROM target_files o \
         WHERE o.target_id = $1 AND o.path = $3 AND o.my_job_id <> $2)";
    const WRITTEN: BOTH =
        "UPDATE target_files SET state = CASE WHEN changed = $3 THEN 'written' ELSE 'waiting' END, \
         digest = $4, next_digest = NULL, problem = NULL, attempts = 0, retry_at = 0, \
         written_at = $5 WHERE target_id = $1 AND my_job_id = $2";
    // The text may have been changed meanwhile, which is looked at next.
    const UNCHANGED: BOTH =
        "UPDATE target_files SET state = 'written' \
         WHERE target_id = $1 AND my_job_id = $2 AND changed = $3 AND digest IS NOT NULL";
    const DROP: BOTH =
        "DELETE FROM target_files \
         WHERE target_id = $1 AND my_job_id = $2 AND changed = $3 AND digest IS NULL";
    const END: BOTH =
        "UPDATE target_files SET state = $3, problem = $4 WHERE target_id = $1 AND my_job_id = $2";
    const RETRY: BOTH =
        "UPDATE target_files SET problem = $3, attempts = attempts + 1, retry_at = $4 \
         WHERE target_id = $1 AND my_job_id = $2 AND state = 'waiting'";
    const RETRY_ALL: BOTH =
        "UPDATE target_files SET retry_at = 0 WHERE target_id = $1 AND state = 'waiting'";
    const WRITE_AGAIN: BOTH =
        "UPDATE target_files SET state = 'waiting', changed = changed + 1, problem = NULL, \
         attempts = 0, retry_at = 0, digest = NULL, next_digest = NULL, \
         path = CASE WHEN state = 'foreign' THEN NULL ELSE path END \
         WHERE target_id = $1 AND my_job_id = $2 AND state IN ('foreign', 'failed')";
}

/// Marks a text as changed for all targets of its account. Called with the change.
///
/// # Errors
/// When the database fails.
pub async fn mark(connection: &mut Connection, job: Uuid) -> Result<()> {
    sqlx::query(MARK)
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

/// Marks the texts with a tag as changed. Called before the tag is renamed or deleted.
///
/// # Errors
/// When the database fails.
pub async fn mark_tagged(connection: &mut Connection, user_id: &str, tag: Uuid) -> Result<()> {
    sqlx::query(MARK_TAGGED)
        .bind(tag.to_string())
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Has all finished texts of an account written.
pub(super) async fn add_all(
    connection: &mut Connection,
    target: Uuid,
    account_id: &str,
) -> Result<()> {
    sqlx::query(ADD_ALL)
        .bind(target.to_string())
        .bind(account_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Has all texts of a target written to new files.
pub(super) async fn begin_anew(connection: &mut Connection, target: Uuid) -> Result<()> {
    sqlx::query(BEGIN_ANEW)
        .bind(target.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

/// Files that may be written at `now` (Unix milliseconds), the oldest recordings first.
///
/// # Errors
/// A row that cannot be read.
pub async fn due(
    connection: &mut Connection,
    target: Uuid,
    limit: u32,
    now: i64,
) -> Result<Vec<TargetFile>> {
    let rows = sqlx::query(DUE)
        .bind(target.to_string())
        .bind(i64::from(limit))
        .bind(now)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The file of a text.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    target: Uuid,
    job: Uuid,
) -> Result<Option<TargetFile>> {
    let row = sqlx::query(FIND)
        .bind(target.to_string())
        .bind(job.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// A page of a target's files, the newest recordings first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    target: Uuid,
    state: Option<TargetFileState>,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<TargetFile>> {
    let (time, id) = after.map_or((i64::MAX, String::new()), |(time, id)| {
        (time, id.to_string())
    });
    let rows = sqlx::query(LIST)
        .bind(target.to_string())
        .bind(time)
        .bind(id)
        .bind(i64::from(limit))
        .bind(state.map_or("", TargetFileState::as_str))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// How many files of a target there are in each state; states without one are absent.
///
/// # Errors
/// A row that cannot be read.
pub async fn counts(
    connection: &mut Connection,
    target: Uuid,
) -> Result<Vec<(TargetFileState, i64)>> {
    let rows = sqlx::query(COUNTS)
        .bind(target.to_string())
        .fetch_all(connection)
        .await?;
    let mut counts = Vec::new();
    for row in &rows {
        let state: String = row.try_get("state")?;
        if let Some(state) = TargetFileState::parse(&state) {
            counts.push((state, row.try_get("n")?));
        }
    }
    Ok(counts)
}

/// Whether a job is in a folder or has a tag.
///
/// # Errors
/// When the database fails.
pub async fn is_in_group(connection: &mut Connection, job: Uuid, group: &str) -> Result<bool> {
    let row = sqlx::query(IS_IN_GROUP)
        .bind(job.to_string())
        .bind(group)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Reserves the name of a file before it is written, and keeps what is being written, so that the
/// file is known after a crash. `false` if another text has the name.
///
/// # Errors
/// When the database fails.
pub async fn reserve(
    connection: &mut Connection,
    target: &Target,
    job: Uuid,
    path: &str,
    digest: &str,
) -> Result<bool> {
    let done = sqlx::query(RESERVE)
        .bind(target.id.to_string())
        .bind(job.to_string())
        .bind(path)
        .bind(digest)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores that the file has the text as it was after `changed` changes.
///
/// # Errors
/// When the database fails.
pub async fn written(
    connection: &mut Connection,
    target: &Target,
    file: &TargetFile,
    digest: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(WRITTEN)
        .bind(target.id.to_string())
        .bind(file.job_id.to_string())
        .bind(file.changed)
        .bind(digest)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores that nothing has to be written. A file that was never written is forgotten.
///
/// # Errors
/// When the database fails.
pub async fn leave(connection: &mut Connection, target: &Target, file: &TargetFile) -> Result<()> {
    for statement in [DROP, UNCHANGED] {
        sqlx::query(statement)
            .bind(target.id.to_string())
            .bind(file.job_id.to_string())
            .bind(file.changed)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Stores that a file is not written any more: it is somebody else's now, or cannot be written.
///
/// # Errors
/// When the database fails.
pub async fn end(
    connection: &mut Connection,
    target: &Target,
    job: Uuid,
    state: TargetFileState,
    problem: &Problem,
) -> Result<()> {
    sqlx::query(END)
        .bind(target.id.to_string())
        .bind(job.to_string())
        .bind(state.as_str())
        .bind(json(problem))
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores why a file could not be written, and when that is tried again (Unix milliseconds).
///
/// # Errors
/// When the database fails.
pub async fn retry(
    connection: &mut Connection,
    target: &Target,
    job: Uuid,
    problem: &Problem,
    at: i64,
) -> Result<()> {
    sqlx::query(RETRY)
        .bind(target.id.to_string())
        .bind(job.to_string())
        .bind(json(problem))
        .bind(at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Has all files that wait tried again.
///
/// # Errors
/// When the database fails.
pub async fn retry_all(connection: &mut Connection, target: Uuid) -> Result<()> {
    sqlx::query(RETRY_ALL)
        .bind(target.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

/// Has a text written that was left alone, to a new file, or one that failed. `false` if it is
/// neither.
///
/// # Errors
/// When the database fails.
pub async fn write_again(connection: &mut Connection, target: Uuid, job: Uuid) -> Result<bool> {
    let done = sqlx::query(WRITE_AGAIN)
        .bind(target.to_string())
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
