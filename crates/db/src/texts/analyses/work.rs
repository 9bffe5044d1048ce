//! What a worker does with the queue of parts.

use slovo_rules::analysis::{AnalysisStatus, EngineName, Outcome};
use sqlx::Row;
use uuid::Uuid;

use super::{Analysis, read};
use crate::core::fields::{Fields, json, word};
use crate::{Backend, Connection, Error, Result};

/// A claim on a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisLease {
    /// The part.
    pub analysis: Uuid,
    /// This claim and no other.
    pub id: String,
}

/// Who claims, and for how long.
#[derive(Debug, Clone)]
pub struct AnalysisClaim<'a> {
    /// The new lease's id.
    pub lease_id: String,
    /// The worker process.
    pub owner: &'a str,
    /// Unix milliseconds.
    pub now: i64,
    /// Unix milliseconds until which the lease holds unless it is renewed.
    pub until: i64,
}

/// The parts `a` that may run at $1: no other one of the same job runs.
macro_rules! may_run {
    () => {
        "((a.status = 'waiting' AND a.run_after <= $1) \
        OR (a.status = 'running' AND a.lease_until <= $1)) AND NOT EXISTS \
        (SELECT 1 FROM analyses r WHERE r.my_job_id = a.my_job_id AND r.status = 'running' \
        AND r.id <> a.id)"
    };
}
macro_rules! next {
    ($lock:literal) => {
        concat!(
            "SELECT a.id FROM analyses a WHERE ",
            may_run!(),
            " ORDER BY a.created_at, a.id LIMIT 1",
            $lock
        )
    };
}
const NEXT: &str = next!("");
const NEXT_POSTGRES: &str = next!(" FOR UPDATE OF a SKIP LOCKED");

/// Why a part fails whose row cannot be read.
const UNREADABLE: &str = "row_unreadable";

/// Takes the oldest part that may run, if there is one. Must run in a write transaction, whose
/// commit makes the claim stand. A part whose row cannot be read fails in the same transaction,
/// and the next one is taken.
///
/// # Errors
/// When the database fails; the constraint `analyses_one_running` if another process has taken
/// another part of the same job at the same moment.
pub async fn claim(
    connection: &mut Connection,
    backend: Backend,
    claim: &AnalysisClaim<'_>,
) -> Result<Option<(AnalysisLease, Analysis)>> {
    let next = match backend {
        Backend::Sqlite => NEXT,
        Backend::Postgres => NEXT_POSTGRES,
    };
    loop {
        let found = sqlx::query(next)
            .bind(claim.now)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(found) = found else {
            return Ok(None);
        };
        let key: String = found.try_get("id")?;
        match take(&mut *connection, &key, claim).await {
            Ok(analysis) => {
                let lease = AnalysisLease {
                    analysis: analysis.id,
                    id: claim.lease_id.clone(),
                };
                return Ok(Some((lease, analysis)));
            }
            Err(error @ Error::Row { .. }) => {
                tracing::error!(analysis = %key, %error, "an analysis fails because of its row");
                fail_unreadable(&mut *connection, &key, claim.now).await?;
            }
            Err(error) => return Err(error),
        }
    }
}

async fn take(
    connection: &mut Connection,
    key: &str,
    claim: &AnalysisClaim<'_>,
) -> Result<Analysis> {
    let row = sqlx::query(
        "UPDATE analyses SET status = $2, percent = 0, seconds_left = NULL, attempts = attempts + 1, lease_id = $3, \
         lease_owner = $4, lease_until = $5, started_at = COALESCE(started_at, $6) \
         WHERE id = $1 RETURNING *",
    )
    .bind(key)
    .bind(word(&AnalysisStatus::Running))
    .bind(&claim.lease_id)
    .bind(claim.owner)
    .bind(claim.until)
    .bind(claim.now)
    .fetch_one(connection)
    .await?;
    read(&row)
}

async fn fail_unreadable(connection: &mut Connection, key: &str, now: i64) -> Result<()> {
    sqlx::query(
        "UPDATE analyses SET status = $2, error = $3, finished_at = $4, lease_id = NULL, \
         lease_owner = NULL, lease_until = NULL WHERE id = $1",
    )
    .bind(key)
    .bind(word(&AnalysisStatus::Failed))
    .bind(UNREADABLE)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether there is anything that [`claim`] or [`give_up`] would touch.
///
/// # Errors
/// When the database fails.
pub async fn any_waiting(connection: &mut Connection, now: i64) -> Result<bool> {
    const ANY: &str = concat!(
        "SELECT 1 AS found FROM analyses a WHERE ",
        may_run!(),
        " LIMIT 1"
    );
    let row = sqlx::query(ANY)
        .bind(now)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// How far a part is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartProgress {
    /// 0 to 100; what is stored never falls.
    pub percent: f64,
    /// Seconds until it is made, once that can be told.
    pub seconds_left: Option<f64>,
}

/// Renews the lease and stores how far the part is; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn progress(
    connection: &mut Connection,
    lease: &AnalysisLease,
    until: i64,
    progress: PartProgress,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE analyses SET lease_until = $3, seconds_left = $5, \
         percent = CASE WHEN $4 > percent THEN $4 ELSE percent END \
         WHERE id = $1 AND lease_id = $2",
    )
    .bind(lease.analysis.to_string())
    .bind(&lease.id)
    .bind(until)
    .bind(progress.percent)
    .bind(progress.seconds_left)
    .persistent(false)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Whether the lease still stands.
///
/// # Errors
/// When the database fails.
pub async fn holds(connection: &mut Connection, lease: &AnalysisLease) -> Result<bool> {
    let row = sqlx::query("SELECT 1 AS held FROM analyses WHERE id = $1 AND lease_id = $2")
        .bind(lease.analysis.to_string())
        .bind(&lease.id)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// What made a part, and of which text.
#[derive(Debug, Clone, Default)]
pub struct Made<'a> {
    /// The engine, if one was asked.
    pub engine: Option<&'a EngineName>,
    /// The last edit in the text, if it was read.
    pub seq: Option<u32>,
    /// The digest of the text, if it was read.
    pub print: Option<&'a str>,
}

/// Stores what came out and ends the claim; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn done(
    connection: &mut Connection,
    lease: &AnalysisLease,
    made: &Made<'_>,
    outcome: &Outcome,
    now: i64,
) -> Result<bool> {
    end(connection, lease, made, Ok(outcome), now).await
}

/// Gives a part up with the code of the reason and ends the claim; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn failed(
    connection: &mut Connection,
    lease: &AnalysisLease,
    made: &Made<'_>,
    code: &str,
    now: i64,
) -> Result<bool> {
    end(connection, lease, made, Err(code), now).await
}

async fn end(
    connection: &mut Connection,
    lease: &AnalysisLease,
    made: &Made<'_>,
    came_out: Result<&Outcome, &str>,
    now: i64,
) -> Result<bool> {
    let status = match came_out {
        Ok(_) => AnalysisStatus::Done,
        Err(_) => AnalysisStatus::Failed,
    };
    let done = sqlx::query(
        "UPDATE analyses SET status = $3, outcome = $4, error = $5, engine = $6, \
         made_from_seq = $7, finished_at = $8, made_from_print = $9, \
         percent = CASE WHEN $5 IS NULL THEN 100 ELSE percent END, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE id = $1 AND lease_id = $2",
    )
    .bind(lease.analysis.to_string())
    .bind(&lease.id)
    .bind(word(&status))
    .bind(came_out.ok().map(json))
    .bind(came_out.err())
    .bind(made.engine.map(json))
    .bind(made.seq.map(i64::from))
    .bind(now)
    .bind(made.print)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Gives a part back, to be taken again from `run_after` (Unix milliseconds) on; with `forgive` the
/// claim does not count. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn again(
    connection: &mut Connection,
    lease: &AnalysisLease,
    run_after: i64,
    forgive: bool,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE analyses SET status = $3, run_after = $4, percent = 0, attempts = attempts - $5, \
         seconds_left = NULL, lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE id = $1 AND lease_id = $2",
    )
    .bind(lease.analysis.to_string())
    .bind(&lease.id)
    .bind(word(&AnalysisStatus::Waiting))
    .bind(run_after)
    .bind(i64::from(forgive))
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Holds a part that nothing does any more and ends the claim; `false` if the lease is lost. The
/// claim does not count.
///
/// # Errors
/// When the database fails.
pub async fn hold(
    connection: &mut Connection,
    lease: &AnalysisLease,
    reason: &str,
) -> Result<bool> {
    // One of the same part and language may be held from before: the newer wish stands for both.
    sqlx::query(
        "DELETE FROM analyses WHERE held_for IS NOT NULL AND EXISTS (SELECT 1 FROM analyses n \
         WHERE n.id = $1 AND n.lease_id = $2 AND n.my_job_id = analyses.my_job_id \
         AND n.version = analyses.version AND n.part = analyses.part \
         AND n.target = analyses.target)",
    )
    .bind(lease.analysis.to_string())
    .bind(&lease.id)
    .execute(&mut *connection)
    .await?;
    let done = sqlx::query(
        "UPDATE analyses SET status = $3, error = $4, percent = 0, attempts = attempts - 1, \
         seconds_left = NULL, lease_id = NULL, lease_owner = NULL, lease_until = NULL, \
         held_for = (SELECT j.auth_user_id FROM synced_jobs j \
         WHERE j.my_job_id = analyses.my_job_id) WHERE id = $1 AND lease_id = $2",
    )
    .bind(lease.analysis.to_string())
    .bind(&lease.id)
    .bind(word(&AnalysisStatus::Held))
    .bind(reason)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends the leases of a worker process that is known to be dead. Gives the number of parts.
///
/// # Errors
/// When the database fails.
pub async fn release_owner(connection: &mut Connection, owner: &str, now: i64) -> Result<u64> {
    let done = sqlx::query(
        "UPDATE analyses SET lease_until = $2 WHERE lease_owner = $1 AND lease_until > $2",
    )
    .bind(owner)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Gives up the parts that were claimed `attempts` times and whose worker is gone again. Gives the
/// ids of their jobs.
///
/// # Errors
/// When the database fails.
pub async fn give_up(
    connection: &mut Connection,
    attempts: i64,
    code: &str,
    now: i64,
) -> Result<Vec<Uuid>> {
    let rows = sqlx::query(
        "UPDATE analyses SET status = $1, error = $2, finished_at = $3, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE status = $4 AND lease_until <= $3 AND attempts >= $5 RETURNING id, my_job_id",
    )
    .bind(word(&AnalysisStatus::Failed))
    .bind(code)
    .bind(now)
    .bind(word(&AnalysisStatus::Running))
    .bind(attempts)
    .fetch_all(connection)
    .await?;
    Ok(rows
        .iter()
        .filter_map(|row| {
            Fields::new(row, "analyses", "id")
                .ok()?
                .uuid("my_job_id")
                .ok()
        })
        .collect())
}
