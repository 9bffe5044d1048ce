//! The queue: which job a worker takes next, and how leases are kept, lost and returned.
//!
//! The queue is the job table itself. A claim gives the job a new `lease_id` and an expiry time;
//! every later write of the worker names the lease, so that a worker that lost it (by a
//! cancellation, a deletion, or because it was considered dead) changes nothing.

mod statements;

use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::media::Fault;
use sqlx::Row;
use uuid::Uuid;

use crate::core::advisory_locks::AdvisoryLock;
use crate::core::fields::{Fields, json, word};
use crate::core::lease::{Claim, UNREADABLE_ROW};
use crate::jobs::{self, Job};
use crate::{Backend, Connection, Error, Result};

/// Every 10 minutes since the user's last turn count as one step of plan priority: the lowest plan
/// overtakes a plan two steps higher after 20 minutes, so nobody starves, while a paid plan is not
/// noticeably slowed by those below it.
pub const AGEING_STEP_MS: i64 = 10 * 60 * 1000;

/// Claims without a finished chunk between them, after which a job is given up. Three attempts
/// exclude a machine that was switched off at a bad moment; a file that crashes the process must
/// not do so forever.
pub const MAX_ATTEMPTS: i64 = 3;

/// A lease on a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job_id: Uuid,
    /// Unique id of this lease.
    pub id: String,
}

/// What a job waits for. A download takes time but no core, recognition takes cores, so neither
/// waits behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// The download of its recording.
    Download,
    /// Recognition; its recording is stored.
    Recognition,
}

impl Line {
    /// The line of a job that awaits its download, or not.
    #[must_use]
    pub fn of(awaits_download: bool) -> Self {
        match awaits_download {
            true => Self::Download,
            false => Self::Recognition,
        }
    }

    /// The value of `awaits_download`.
    fn flag(self) -> i64 {
        i64::from(self == Self::Download)
    }
}

/// Concurrent downloads per user: half of one process's, so that no user takes all of them.
pub const MAX_DOWNLOADS: i64 = 2;

/// Takes the next job of this line, if there is one. Must run in a write transaction; the claim
/// takes effect when it is committed.
///
/// A job with an unreadable row fails in the same transaction and the next one is taken; it would
/// otherwise block the head of the queue forever.
///
/// # Errors
/// When the database fails.
pub async fn claim(
    connection: &mut Connection,
    backend: Backend,
    line: Line,
    claim: &Claim<'_>,
) -> Result<Option<(Lease, Job)>> {
    let next = match backend {
        Backend::Sqlite => statements::SELECT_NEXT_SQLITE,
        Backend::Postgres => statements::SELECT_NEXT_POSTGRES,
    };
    prepare(&mut *connection, backend, line).await?;
    loop {
        let found = sqlx::query(next)
            .bind(claim.now)
            .bind(line.flag())
            .bind(MAX_DOWNLOADS)
            .bind(AGEING_STEP_MS)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(found) = found else {
            return Ok(None);
        };
        if let Some(claimed) = take(&mut *connection, &found, claim).await? {
            return Ok(Some(claimed));
        }
    }
}

/// Takes this job if it may run now. Must run in a write transaction; the claim takes effect when it
/// is committed. A job with an unreadable row fails in the same transaction.
///
/// # Errors
/// When the database fails.
pub async fn claim_job(
    connection: &mut Connection,
    backend: Backend,
    line: Line,
    job: Uuid,
    claim: &Claim<'_>,
) -> Result<Option<(Lease, Job)>> {
    let select = match backend {
        Backend::Sqlite => statements::SELECT_JOB_SQLITE,
        Backend::Postgres => statements::SELECT_JOB_POSTGRES,
    };
    prepare(&mut *connection, backend, line).await?;
    let found = sqlx::query(select)
        .bind(claim.now)
        .bind(line.flag())
        .bind(MAX_DOWNLOADS)
        .bind(job.to_string())
        .fetch_optional(&mut *connection)
        .await?;
    match found {
        Some(found) => take(connection, &found, claim).await,
        None => Ok(None),
    }
}

/// Prepares a claim.
async fn prepare(connection: &mut Connection, backend: Backend, line: Line) -> Result<()> {
    if backend == Backend::Postgres && line == Line::Download {
        // Without the lock two concurrent claims would not count each other's download.
        AdvisoryLock::DownloadClaims.take(connection).await?;
    }
    Ok(())
}

/// Takes the job that was found; `None` if it fails because its row cannot be read.
async fn take(
    connection: &mut Connection,
    found: &sqlx::any::AnyRow,
    claim: &Claim<'_>,
) -> Result<Option<(Lease, Job)>> {
    let key: String = found.try_get("my_job_id")?;
    match assign(&mut *connection, &key, claim).await {
        Ok(job) => {
            let lease = Lease {
                job_id: job.id,
                id: claim.lease_id.clone(),
            };
            Ok(Some((lease, job)))
        }
        Err(error @ Error::Row { .. }) => {
            tracing::error!(job = %key, %error, "a job fails because of its row");
            fail_unreadable(connection, &key, claim.now).await?;
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Gives the job to the claiming worker, and records a turn of its user.
async fn assign(connection: &mut Connection, key: &str, claim: &Claim<'_>) -> Result<Job> {
    let row = sqlx::query(statements::TAKE_JOB)
        .bind(key)
        .bind(word(&JobStatus::Processing))
        .bind(&claim.lease_id)
        .bind(claim.owner)
        .bind(claim.until)
        .bind(claim.now)
        .fetch_one(&mut *connection)
        .await?;
    let job = jobs::read(&row)?;
    sqlx::query(statements::UPSERT_TURN)
        .bind(&job.user_id)
        .bind(claim.now)
        .execute(connection)
        .await?;
    Ok(job)
}

async fn fail_unreadable(connection: &mut Connection, key: &str, now: i64) -> Result<()> {
    let fault = Fault::new(UNREADABLE_ROW);
    sqlx::query(statements::FAIL_UNREADABLE)
        .bind(key)
        .bind(word(&JobStatus::Failed))
        .bind(json(&fault))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Progress of a job, stored from time to time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// 0 to 100.
    pub percent: f64,
    /// Estimated seconds left.
    pub seconds_left: Option<f64>,
}

/// Renews the lease and stores the progress; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn renew(
    connection: &mut Connection,
    lease: &Lease,
    until: i64,
    progress: &Progress,
) -> Result<bool> {
    let done = sqlx::query(statements::RENEW_LEASE)
        .bind(lease.job_id.to_string())
        .bind(&lease.id)
        .bind(until)
        .bind(word(&progress.stage))
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
pub async fn is_lease_valid(connection: &mut Connection, lease: &Lease) -> Result<bool> {
    let row = sqlx::query(statements::SELECT_IS_LEASE_VALID)
        .bind(lease.job_id.to_string())
        .bind(&lease.id)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// How a claim ends without a transcript.
#[derive(Debug, Clone, PartialEq)]
pub enum Release {
    /// To be retried from `run_after` (Unix milliseconds) on. With `forgive` the claim does not
    /// count as an attempt: the process was asked to stop, nothing failed.
    Requeue {
        /// Unix milliseconds.
        run_after: i64,
        /// Whether the claim does not count.
        forgive: bool,
    },
    /// The input is invalid.
    Error(Fault),
    /// Processing failed for good.
    Failed(Fault),
}

/// Ends a claim without a transcript; `false` if the lease was lost. `lifecycle::release_job` does
/// the steps that must follow.
///
/// # Errors
/// When the database fails.
pub(crate) async fn release(
    connection: &mut Connection,
    lease: &Lease,
    release: &Release,
    now: i64,
) -> Result<bool> {
    let (status, run_after, fault, forgiven) = match release {
        Release::Requeue { run_after, forgive } => {
            (JobStatus::Pending, *run_after, None, i64::from(*forgive))
        }
        Release::Error(fault) => (JobStatus::Error, now, Some(fault), 0),
        Release::Failed(fault) => (JobStatus::Failed, now, Some(fault), 0),
    };
    let finished = fault.map(|_| now);
    let done = sqlx::query(statements::RELEASE_JOB)
        .bind(lease.job_id.to_string())
        .bind(&lease.id)
        .bind(word(&status))
        .bind(run_after)
        .bind(fault.map(json))
        .bind(finished)
        .bind(forgiven)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends the leases of a dead worker process, so that its jobs are taken at once and not only when
/// the leases expire. Returns the number of jobs.
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

/// Gives up jobs that were claimed [`MAX_ATTEMPTS`] times without progress and whose lease has
/// expired. Returns their ids. `lifecycle::give_up_jobs` does the steps that must follow.
///
/// # Errors
/// When the database fails.
pub(crate) async fn give_up(
    connection: &mut Connection,
    fault: &Fault,
    now: i64,
) -> Result<Vec<Uuid>> {
    let rows = sqlx::query(statements::GIVE_UP_JOBS)
        .bind(word(&JobStatus::Failed))
        .bind(json(fault))
        .bind(now)
        .bind(word(&JobStatus::Processing))
        .bind(MAX_ATTEMPTS)
        .fetch_all(connection)
        .await?;
    // A malformed id cannot be reported; its job is given up all the same.
    let ids = rows
        .iter()
        .filter_map(|row| Fields::new(row, "synced_jobs", "my_job_id").ok())
        .filter_map(|fields| fields.uuid("my_job_id").ok());
    Ok(ids.collect())
}

/// Whether [`claim`] or [`give_up`] would find anything in this line.
///
/// # Errors
/// When the database fails.
pub async fn any_waiting(connection: &mut Connection, line: Line, now: i64) -> Result<bool> {
    let row = sqlx::query(statements::SELECT_ANY_WAITING)
        .bind(now)
        .bind(line.flag())
        .bind(MAX_DOWNLOADS)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

#[cfg(test)]
mod tests;
