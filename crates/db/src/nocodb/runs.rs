//! Runs of the synchronisation: table `nocodb_runs`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::core::fields::json;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// Number of runs that are kept.
const MAX_RUNS: i64 = 50;

/// What started a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An administrator.
    Admin,
    /// The schedule.
    Interval,
    /// A user who opened the dashboard.
    Load,
}

impl Cause {
    /// The stored and serialised name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Interval => "interval",
            Self::Load => "load",
        }
    }
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Running.
    Running,
    /// Everything was synchronised.
    Succeeded,
    /// Some rows were not synchronised.
    Partial,
    /// Aborted by an error.
    Failed,
    /// Its process ended; the next run continues.
    Interrupted,
}

impl Status {
    /// The stored and serialised name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its id, which sorts by time.
    pub id: Uuid,
    /// What started it.
    pub cause: String,
    /// Its state.
    pub status: Status,
    /// The current table, while it runs.
    pub at_kind: Option<String>,
    /// Code of the error that aborted it.
    pub failure: Option<String>,
    /// Statistics.
    pub stats: Value,
    /// Problems of rows.
    pub problems: Value,
    /// Unix milliseconds.
    pub started_at: i64,
    /// Unix milliseconds.
    pub ended_at: Option<i64>,
}

row_columns! {
    fn read() -> Run from "nocodb_runs" by "id" {
        id: uuid,
        cause: text,
        status: word,
        at_kind: text_or_none,
        failure: text_or_none,
        stats: json,
        problems: json,
        started_at: integer,
        ended_at: integer_or_none,
    }
}

statements! {
    const END_INTERRUPTED: BOTH =
        "UPDATE nocodb_runs SET status = 'interrupted', ended_at = lease_until \
         WHERE status = 'running' AND lease_until <= $1";
    const INSERT: BOTH =
        "INSERT INTO nocodb_runs (id, cause, status, stats, problems, started_at, lease_until) \
         VALUES ($1, $2, 'running', '{}', '[]', $3, $4) ON CONFLICT DO NOTHING";
    const REMOVE_OLD: BOTH =
        "DELETE FROM nocodb_runs WHERE id NOT IN (SELECT id FROM nocodb_runs \
         ORDER BY started_at DESC, id DESC LIMIT $1)";
}

/// Starts a run unless one is running; `false` if one is. A run with an expired lease does not
/// count.
///
/// # Errors
/// When the database fails.
pub async fn begin(
    connection: &mut Connection,
    id: Uuid,
    cause: Cause,
    now: i64,
    lease_until: i64,
) -> Result<bool> {
    sqlx::query(END_INTERRUPTED)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    let inserted = sqlx::query(INSERT)
        .bind(id.to_string())
        .bind(cause.as_str())
        .bind(now)
        .bind(lease_until)
        .execute(&mut *connection)
        .await?;
    if inserted.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(REMOVE_OLD)
        .bind(MAX_RUNS)
        .execute(connection)
        .await?;
    Ok(true)
}

statements! {
    const STORE_PROGRESS: BOTH =
        "UPDATE nocodb_runs SET at_kind = $2, stats = $3 WHERE id = $1 AND status = 'running'";
}

/// Stores the progress of a run; `false` if this process no longer owns it.
///
/// # Errors
/// When the database fails.
pub async fn store_progress<S: Serialize>(
    connection: &mut Connection,
    id: Uuid,
    at_kind: &str,
    stats: &S,
) -> Result<bool> {
    let done = sqlx::query(STORE_PROGRESS)
        .bind(id.to_string())
        .bind(at_kind)
        .bind(json(stats))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const RENEW: BOTH =
        "UPDATE nocodb_runs SET lease_until = $2 WHERE id = $1 AND status = 'running'";
}

/// Renews a run's lease; `false` if it was lost.
///
/// # Errors
/// When the database fails.
pub async fn renew(connection: &mut Connection, id: Uuid, lease_until: i64) -> Result<bool> {
    let done = sqlx::query(RENEW)
        .bind(id.to_string())
        .bind(lease_until)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const FINISH: BOTH =
        "UPDATE nocodb_runs SET status = $2, failure = $3, at_kind = NULL, stats = $4, \
         problems = $5, ended_at = $6 WHERE id = $1 AND status = 'running'";
}

/// Finishes a run.
///
/// # Errors
/// When the database fails.
pub async fn finish<S: Serialize, P: Serialize>(
    connection: &mut Connection,
    id: Uuid,
    ended: (Status, Option<&str>),
    stats: &S,
    problems: &P,
    now: i64,
) -> Result<()> {
    sqlx::query(FINISH)
        .bind(id.to_string())
        .bind(ended.0.as_str())
        .bind(ended.1)
        .bind(json(stats))
        .bind(json(problems))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const LATEST: BOTH -> Run =
        "SELECT id, cause, status, at_kind, failure, stats, problems, started_at, ended_at \
         FROM nocodb_runs ORDER BY started_at DESC, id DESC LIMIT 1";
}

/// The run that started last.
///
/// # Errors
/// A row that cannot be read.
pub async fn latest(connection: &mut Connection) -> Result<Option<Run>> {
    sqlx::query(LATEST)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// Whether a run goes on, and until when its process holds it.
struct RunLease {
    status: String,
    lease_until: i64,
}

row_columns! {
    fn read_lease() -> RunLease {
        status: text,
        lease_until: integer,
    }
}

statements! {
    const UNFINISHED: BOTH -> RunLease =
        "SELECT status, lease_until FROM nocodb_runs ORDER BY started_at DESC, id DESC LIMIT 1";
}

/// Whether the latest run was interrupted.
///
/// # Errors
/// A row that cannot be read.
pub async fn unfinished(connection: &mut Connection, now: i64) -> Result<bool> {
    let row = sqlx::query(UNFINISHED).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(false) };
    let run = read_lease(&row)?;
    Ok(run.status == "interrupted" || (run.status == "running" && run.lease_until <= now))
}
