//! The worker's side of the queue of analyses.

mod statements;

use slovo_rules::analysis::{AnalysisStatus, EngineName, Outcome};
use sqlx::Row;
use uuid::Uuid;

use super::{Analysis, read};
use crate::core::fields::{json, word};
use crate::core::lease::{Claim, UNREADABLE_ROW};
use crate::core::statement::row_columns;
use crate::{Backend, Connection, Error, Result};

/// A lease on an analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisLease {
    /// The analysis.
    pub analysis: Uuid,
    /// Unique id of this lease.
    pub id: String,
}

/// Takes the oldest analysis that may run, of this job if one is named. Must run in a write transaction; the
/// claim takes effect when it is committed. An analysis with an unreadable row fails in the same
/// transaction, and the next one is taken.
///
/// # Errors
/// When the database fails; the constraint `analyses_one_running` if another process has just
/// claimed another analysis of the same job.
pub async fn claim(
    connection: &mut Connection,
    backend: Backend,
    job: Option<Uuid>,
    claim: &Claim<'_>,
) -> Result<Option<(AnalysisLease, Analysis)>> {
    let next = match backend {
        Backend::Sqlite => statements::SELECT_NEXT_SQLITE,
        Backend::Postgres => statements::SELECT_NEXT_POSTGRES,
    };
    loop {
        let found = sqlx::query(next)
            .bind(claim.now)
            .bind(job.map(|job| job.to_string()))
            .fetch_optional(&mut *connection)
            .await?;
        let Some(found) = found else {
            return Ok(None);
        };
        let key: String = found.try_get("id")?;
        match assign(&mut *connection, &key, claim).await {
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

async fn assign(connection: &mut Connection, key: &str, claim: &Claim<'_>) -> Result<Analysis> {
    let row = sqlx::query(statements::TAKE_ANALYSIS)
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
    sqlx::query(statements::FAIL_UNREADABLE)
        .bind(key)
        .bind(word(&AnalysisStatus::Failed))
        .bind(UNREADABLE_ROW)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Whether [`claim`] or [`give_up`] would find anything.
///
/// # Errors
/// When the database fails.
pub async fn any_waiting(connection: &mut Connection, now: i64) -> Result<bool> {
    let row = sqlx::query(statements::SELECT_ANY_WAITING)
        .bind(now)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Progress of an analysis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartProgress {
    /// 0 to 100; the stored value never decreases.
    pub percent: f64,
    /// Estimated seconds left, once known.
    pub seconds_left: Option<f64>,
}

/// Renews the lease and stores the progress; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn store_progress(
    connection: &mut Connection,
    lease: &AnalysisLease,
    until: i64,
    progress: PartProgress,
) -> Result<bool> {
    let done = sqlx::query(statements::STORE_PROGRESS)
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

/// Whether the lease is still valid.
///
/// # Errors
/// When the database fails.
pub async fn is_lease_valid(connection: &mut Connection, lease: &AnalysisLease) -> Result<bool> {
    let row = sqlx::query(statements::SELECT_IS_LEASE_VALID)
        .bind(lease.analysis.to_string())
        .bind(&lease.id)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// The engine of a result, and the transcript it was made from.
#[derive(Debug, Clone, Default)]
pub struct ResultOrigin<'a> {
    /// The engine, if one was used.
    pub engine: Option<&'a EngineName>,
    /// Number of the last edit in the transcript, if it was read.
    pub seq: Option<u32>,
    /// Digest of the transcript, if it was read.
    pub print: Option<&'a str>,
}

/// Stores the result and ends the claim; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub(crate) async fn complete(
    connection: &mut Connection,
    lease: &AnalysisLease,
    origin: &ResultOrigin<'_>,
    outcome: &Outcome,
    now: i64,
) -> Result<bool> {
    end(connection, lease, origin, Ok(outcome), now).await
}

/// Marks an analysis as failed, with a code, and ends the claim; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub(crate) async fn fail(
    connection: &mut Connection,
    lease: &AnalysisLease,
    origin: &ResultOrigin<'_>,
    code: &str,
    now: i64,
) -> Result<bool> {
    end(connection, lease, origin, Err(code), now).await
}

async fn end(
    connection: &mut Connection,
    lease: &AnalysisLease,
    origin: &ResultOrigin<'_>,
    result: Result<&Outcome, &str>,
    now: i64,
) -> Result<bool> {
    let status = match result {
        Ok(_) => AnalysisStatus::Done,
        Err(_) => AnalysisStatus::Failed,
    };
    let done = sqlx::query(statements::END_ANALYSIS)
        .bind(lease.analysis.to_string())
        .bind(&lease.id)
        .bind(word(&status))
        .bind(result.ok().map(json))
        .bind(result.err())
        .bind(origin.engine.map(json))
        .bind(origin.seq.map(i64::from))
        .bind(now)
        .bind(origin.print)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends the claim, for a retry from `run_after` (Unix milliseconds) on; with `forgive` the claim
/// does not count. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn retry_later(
    connection: &mut Connection,
    lease: &AnalysisLease,
    run_after: i64,
    forgive: bool,
) -> Result<bool> {
    let done = sqlx::query(statements::REQUEUE_ANALYSIS)
        .bind(lease.analysis.to_string())
        .bind(&lease.id)
        .bind(word(&AnalysisStatus::Waiting))
        .bind(run_after)
        .bind(i64::from(forgive))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Holds an analysis for which no engine is available any more, and ends the claim, which does not
/// count; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn hold(
    connection: &mut Connection,
    lease: &AnalysisLease,
    reason: &str,
) -> Result<bool> {
    // The newer request replaces an earlier held one of the same kind and language.
    sqlx::query(statements::DELETE_OLDER_HELD)
        .bind(lease.analysis.to_string())
        .bind(&lease.id)
        .execute(&mut *connection)
        .await?;
    let done = sqlx::query(statements::HOLD_ANALYSIS)
        .bind(lease.analysis.to_string())
        .bind(&lease.id)
        .bind(word(&AnalysisStatus::Held))
        .bind(reason)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends the leases of a dead worker process. Returns the number of analyses.
///
/// # Errors
/// When the database fails.
pub async fn expire_leases(connection: &mut Connection, owner: &str, now: i64) -> Result<u64> {
    let done = sqlx::query(statements::EXPIRE_LEASES_OF_OWNER)
        .bind(owner)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

/// An analysis that was given up.
pub(crate) struct GivenUp {
    pub id: Uuid,
    pub job: Uuid,
}

row_columns! {
    fn read_given_up() -> GivenUp from "analyses" by "id" {
        id: uuid,
        job: uuid in "my_job_id",
    }
}

/// Gives up analyses that were claimed `attempts` times and whose lease has expired.
///
/// # Errors
/// When the database fails.
pub(crate) async fn give_up(
    connection: &mut Connection,
    attempts: i64,
    code: &str,
    now: i64,
) -> Result<Vec<GivenUp>> {
    let rows = sqlx::query(statements::GIVE_UP_ANALYSES)
        .bind(word(&AnalysisStatus::Failed))
        .bind(code)
        .bind(now)
        .bind(word(&AnalysisStatus::Running))
        .bind(attempts)
        .fetch_all(connection)
        .await?;
    // A malformed id cannot be reported; its analysis is given up all the same.
    let given_up = rows.iter().filter_map(|row| read_given_up(row).ok());
    Ok(given_up.collect())
}
