//! How many jobs a user has, by kind. Triggers maintain the counts in the transaction that changes
//! a job. The sample of a new account is a kind of its own: lists show it, sums exclude it.

use slovo_rules::job::JobStatus;
use sqlx::Row;

use crate::core::advisory_locks::AdvisoryLock;
use crate::core::connect::Backend;
use crate::core::fields::word;
use crate::core::schema::Part;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Database, Result};

/// The columns of a kind, as expressions over a row of `synced_jobs`.
macro_rules! kind {
    () => {
        "auth_user_id, is_visible_to_user, status, transcription_type, language, is_sample"
    };
    ($row:literal) => {
        concat!(
            $row,
            "auth_user_id, ",
            $row,
            "is_visible_to_user, ",
            $row,
            "status, ",
            $row,
            "transcription_type, COALESCE(",
            $row,
            "language, ''), ",
            $row,
            "is_sample"
        )
    };
}

/// The length of a job's recording in milliseconds: sums of integers return exactly to zero.
macro_rules! milliseconds {
    ($row:literal) => {
        concat!(
            "CAST(ROUND(COALESCE(",
            $row,
            "duration, 0) * 1000) AS BIGINT)"
        )
    };
}

/// Whether a job has changed its kind.
macro_rules! differs {
    ($operator:literal) => {
        concat!(
            "OLD.status ",
            $operator,
            " NEW.status OR OLD.language ",
            $operator,
            " NEW.language OR OLD.duration ",
            $operator,
            " NEW.duration OR OLD.is_visible_to_user ",
            $operator,
            " NEW.is_visible_to_user OR OLD.transcription_type ",
            $operator,
            " NEW.transcription_type OR OLD.auth_user_id ",
            $operator,
            " NEW.auth_user_id"
        )
    };
}

/// Counts all existing jobs.
macro_rules! counted {
    () => {
        concat!(
            "INSERT INTO job_counts SELECT ",
            kind!(""),
            ", COUNT(*), CAST(SUM(",
            milliseconds!(""),
            ") AS BIGINT) FROM synced_jobs GROUP BY 1, 2, 3, 4, 5, 6"
        )
    };
}

/// In SQLite, with its single writer, triggers change the sums directly.
macro_rules! sqlite_more {
    () => {
        concat!(
            "INSERT INTO job_counts VALUES (",
            kind!("NEW."),
            ", 1, ",
            milliseconds!("NEW."),
            ") ON CONFLICT DO UPDATE SET jobs = jobs + 1, \
             milliseconds = milliseconds + excluded.milliseconds;"
        )
    };
}
macro_rules! sqlite_less {
    () => {
        concat!(
            "UPDATE job_counts SET jobs = jobs - 1, milliseconds = milliseconds - ",
            milliseconds!("OLD."),
            " WHERE (",
            kind!(),
            ") = (",
            kind!("OLD."),
            "); DELETE FROM job_counts WHERE jobs = 0 AND (",
            kind!(),
            ") = (",
            kind!("OLD."),
            ");"
        )
    };
}

/// In PostgreSQL two transactions that update the same two sums in opposite order would deadlock,
/// so each only records its changes.
macro_rules! postgres_change {
    ($row:literal, $sign:literal) => {
        concat!(
            "INSERT INTO job_count_changes VALUES (",
            kind!($row),
            ", ",
            $sign,
            "1, ",
            $sign,
            milliseconds!($row),
            ");"
        )
    };
}

/// Table `job_counts` and its triggers.
pub(crate) const COUNTS: Part = Part {
    slot: 2,
    shape: 2,
    tables: &[],
    sqlite: &[
        "DROP TRIGGER IF EXISTS job_counts_more",
        "DROP TRIGGER IF EXISTS job_counts_less",
        "DROP TRIGGER IF EXISTS job_counts_other",
        concat!(
            "CREATE TRIGGER job_counts_more AFTER INSERT ON synced_jobs BEGIN ",
            sqlite_more!(),
            " END"
        ),
        concat!(
            "CREATE TRIGGER job_counts_less AFTER DELETE ON synced_jobs BEGIN ",
            sqlite_less!(),
            " END"
        ),
        concat!(
            "CREATE TRIGGER job_counts_other AFTER UPDATE ON synced_jobs WHEN ",
            differs!("IS NOT"),
            " BEGIN ",
            sqlite_less!(),
            sqlite_more!(),
            " END"
        ),
        "DELETE FROM job_counts",
        counted!(),
    ],
    postgres: &[
        concat!(
            "CREATE OR REPLACE FUNCTION slovo_count_jobs() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN IF TG_OP <> 'INSERT' THEN ",
            postgres_change!("OLD.", "-"),
            " END IF; IF TG_OP <> 'DELETE' THEN ",
            postgres_change!("NEW.", "+"),
            " END IF; RETURN NULL; END $$"
        ),
        "DROP TRIGGER IF EXISTS job_counts_number ON synced_jobs",
        "DROP TRIGGER IF EXISTS job_counts_other ON synced_jobs",
        "CREATE TRIGGER job_counts_number AFTER INSERT OR DELETE ON synced_jobs \
         FOR EACH ROW EXECUTE FUNCTION slovo_count_jobs()",
        concat!(
            "CREATE TRIGGER job_counts_other AFTER UPDATE ON synced_jobs FOR EACH ROW WHEN (",
            differs!("IS DISTINCT FROM"),
            ") EXECUTE FUNCTION slovo_count_jobs()"
        ),
        "DELETE FROM job_count_changes",
        "DELETE FROM job_counts",
        counted!(),
    ],
};

/// Jobs of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Kind {
    /// As stored; this program may not know the value.
    pub status: String,
    /// As stored.
    pub mode: String,
    /// Chosen or detected; empty if unknown.
    pub language: String,
    /// Number of jobs.
    pub jobs: i64,
    milliseconds: i64,
}

/// The kinds of the user's visible jobs that match a condition, with their numbers.
macro_rules! kinds {
    ($condition:literal) => {
        concat!(
            "SELECT status, transcription_type, language, CAST(SUM(jobs) AS BIGINT) AS jobs, \
             CAST(SUM(milliseconds) AS BIGINT) AS milliseconds FROM \
             (SELECT status, transcription_type, language, is_sample, jobs, milliseconds \
             FROM job_counts WHERE auth_user_id = $1 AND is_visible_to_user = 1 UNION ALL \
             SELECT status, transcription_type, language, is_sample, jobs, milliseconds \
             FROM job_count_changes WHERE auth_user_id = $1 AND is_visible_to_user = 1) one ",
            $condition,
            " GROUP BY status, transcription_type, language HAVING SUM(jobs) > 0 \
             ORDER BY status, transcription_type, language"
        )
    };
}

row_columns! {
    fn read_kind() -> Kind from "job_counts" by "status" {
        status: text,
        mode: text in "transcription_type",
        language: text,
        jobs: integer,
        milliseconds: integer,
    }
}

statements! {
    const SELECT_KINDS: BOTH -> Kind = kinds!("");
    const SELECT_COUNTED_KINDS: BOTH -> Kind = kinds!("WHERE is_sample = 0");
}

/// The kinds of the user's visible jobs, including the sample, with their numbers.
pub(super) async fn kinds(connection: &mut Connection, user_id: &str) -> Result<Vec<Kind>> {
    read_kinds(connection, user_id, SELECT_KINDS).await
}

/// Like [`kinds`], without the sample.
async fn counted_kinds(connection: &mut Connection, user_id: &str) -> Result<Vec<Kind>> {
    read_kinds(connection, user_id, SELECT_COUNTED_KINDS).await
}

async fn read_kinds(
    connection: &mut Connection,
    user_id: &str,
    statement: &'static str,
) -> Result<Vec<Kind>> {
    let rows = sqlx::query(statement)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_kind).collect()
}

statements! {
    const SELECT_TOTAL: BOTH =
        "SELECT CAST((SELECT COALESCE(SUM(jobs), 0) FROM job_counts WHERE is_sample = 0) + \
         (SELECT COALESCE(SUM(jobs), 0) FROM job_count_changes WHERE is_sample = 0) \
         AS BIGINT) AS jobs";
}

/// The number of jobs of all users, including hidden ones, without samples.
///
/// # Errors
/// When the database fails.
pub async fn total(connection: &mut Connection) -> Result<i64> {
    let row = sqlx::query(SELECT_TOTAL).fetch_one(connection).await?;
    Ok(row.try_get("jobs")?)
}

statements! {
    const MERGE_COUNT_CHANGES: POSTGRES = concat!(
        "WITH deleted AS (DELETE FROM job_count_changes RETURNING ",
        kind!(),
        ", jobs, milliseconds) INSERT INTO job_counts SELECT ",
        kind!(),
        ", SUM(jobs), SUM(milliseconds) FROM deleted GROUP BY 1, 2, 3, 4, 5, 6 \
         ON CONFLICT ON CONSTRAINT job_counts_pkey DO UPDATE SET \
         jobs = job_counts.jobs + EXCLUDED.jobs, \
         milliseconds = job_counts.milliseconds + EXCLUDED.milliseconds"
    );
    const DELETE_EMPTY_COUNTS: POSTGRES = "DELETE FROM job_counts WHERE jobs = 0";
}

/// Adds the changes recorded by PostgreSQL's triggers to the sums; returns how many kinds changed.
/// Only one process at a time does this.
///
/// # Errors
/// When the database fails.
pub async fn merge_count_changes(database: &Database) -> Result<u64> {
    if database.backend() == Backend::Sqlite {
        return Ok(0);
    }
    let mut transaction = database.write().await?;
    if !AdvisoryLock::JobCounts.try_take(&mut transaction).await? {
        return Ok(0);
    }
    let done = sqlx::query(MERGE_COUNT_CHANGES)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(DELETE_EMPTY_COUNTS)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(done.rows_affected())
}

statements! {
    const DELETE_COUNTS_OF_USER: BOTH = "DELETE FROM job_counts WHERE auth_user_id = $1";
    const DELETE_CHANGES_OF_USER: BOTH = "DELETE FROM job_count_changes WHERE auth_user_id = $1";
}

/// Removes the counts of a user whose jobs are deleted.
///
/// # Errors
/// When the database fails.
pub(crate) async fn delete_counts(connection: &mut Connection, user_id: &str) -> Result<()> {
    if Backend::of(connection) == Backend::Postgres {
        // [`merge_count_changes`] locks the same rows in another order; both take this lock first,
        // so they cannot deadlock.
        AdvisoryLock::JobCounts.take(&mut *connection).await?;
    }
    for statement in [DELETE_COUNTS_OF_USER, DELETE_CHANGES_OF_USER] {
        sqlx::query(statement)
            .bind(user_id)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Number of a user's jobs by state.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Summary {
    /// All of them.
    pub total: i64,
    /// Waiting in the queue.
    pub pending: i64,
    /// Being processed.
    pub processing: i64,
    /// With a transcript.
    pub completed: i64,
    /// Ended without a transcript (`failed` and `error`).
    pub failed: i64,
    /// Cancelled by the owner.
    pub cancelled: i64,
    /// Total length of the completed jobs' recordings, in seconds.
    pub processed_seconds: f64,
}

/// The counts of a user's jobs without the sample. Jobs with an unknown state count only in the
/// total.
///
/// # Errors
/// When the database fails.
pub async fn summary(connection: &mut Connection, user_id: &str) -> Result<Summary> {
    let mut summary = Summary::default();
    let mut milliseconds = 0;
    for kind in counted_kinds(connection, user_id).await? {
        summary.total += kind.jobs;
        let Some(status) = JobStatus::parse(&kind.status) else {
            tracing::error!(status = kind.status, kind.jobs, "jobs of no known state");
            continue;
        };
        match status {
            JobStatus::Pending | JobStatus::Uploaded => summary.pending += kind.jobs,
            JobStatus::Processing => summary.processing += kind.jobs,
            JobStatus::Completed => {
                summary.completed += kind.jobs;
                milliseconds += kind.milliseconds;
            }
            JobStatus::Failed | JobStatus::Error => summary.failed += kind.jobs,
            JobStatus::Cancelled => summary.cancelled += kind.jobs,
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "some centuries at most")]
    let seconds = milliseconds as f64 / 1000.0;
    summary.processed_seconds = seconds;
    Ok(summary)
}

statements! {
    const LOCK_ACCOUNT: BOTH = "UPDATE accounts SET id = id WHERE id = $1";
}

/// Number of the user's jobs that wait in the queue. Locks the account until the transaction ends,
/// so that concurrent requests see each other's jobs.
///
/// # Errors
/// When the database fails.
pub async fn count_waiting(connection: &mut Connection, user_id: &str) -> Result<i64> {
    // Takes the lock in PostgreSQL too.
    sqlx::query(LOCK_ACCOUNT)
        .bind(user_id)
        .execute(&mut *connection)
        .await?;
    let waiting = word(&JobStatus::Pending);
    let kinds = kinds(connection, user_id).await?;
    let waiting = kinds.iter().filter(|kind| kind.status == waiting);
    Ok(waiting.map(|kind| kind.jobs).sum())
}

#[cfg(test)]
mod tests;
