//! The queue: which job a worker takes next, and how it keeps, loses and gives it back.
//!
//! The queue is the job table itself. A claim gives the job a fresh `lease_id` and a time until
//! which it holds; every later write of the worker names the lease, so that one who lost it (by a
//! cancellation, a deletion, or because it was thought dead) changes nothing any more.

use slovo_rules::job::{JobStatus, Stage};
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::{Fields, json, word};
use crate::jobs::uploads::Fault;
use crate::jobs::{self, Job, counts};
use crate::{Backend, Connection, Error, Result};

/// A user's waiting counts as one step of plan priority for every 10 minutes since the user's
/// last turn: the lowest plan overtakes a plan two steps higher after 20 minutes, so nobody
/// starves, while a paid plan is not noticeably slowed by those below it.
pub const AGEING_STEP_MS: i64 = 10 * 60 * 1000;

/// Claims of one job without a finished chunk between them, after which it is given up. Three
/// rule out a machine that was switched off at a bad moment; a file that kills the process
/// should not do so for ever.
pub const MAX_ATTEMPTS: i64 = 3;

/// A claim on a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job_id: Uuid,
    /// This claim and no other.
    pub id: String,
}

/// What a job waits for. Fetching a recording takes time and no core, recognition takes cores: so
/// neither waits behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// Its recording is fetched from an address.
    Download,
    /// Its recording is there.
    Recognition,
}

impl Line {
    /// The line of a job whose recording is still to be fetched, or is there.
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

/// Who claims, and for how long.
#[derive(Debug, Clone)]
pub struct Claim<'a> {
    /// The new lease's id.
    pub lease_id: String,
    /// For what.
    pub line: Line,
    /// The worker process.
    pub owner: &'a str,
    /// Unix milliseconds.
    pub now: i64,
    /// Unix milliseconds until which the lease holds unless it is renewed.
    pub until: i64,
}

/// Recordings of one user that are fetched at a time: half of what one process fetches, so that
/// nobody keeps all places.
pub const MAX_DOWNLOADS: i64 = 2;

/// Key of the lock under which downloads are claimed in PostgreSQL; no other lock has it.
const DOWNLOAD_CLAIMS: i64 = 736_868;

/// The jobs `j` of the line $2 that may run at $1, none of whose users fetches $3 already.
macro_rules! may_run {
    () => {
        "j.awaits_download = $2 AND ((j.status = 'pending' AND j.run_after <= $1) \
        OR (j.status = 'processing' AND j.lease_until <= $1)) \
        AND (j.awaits_download = 0 OR (SELECT COUNT(*) FROM synced_jobs d \
        WHERE d.auth_user_id = j.auth_user_id AND d.awaits_download = 1 \
        AND d.status = 'processing' AND d.lease_until > $1) < $3)"
    };
}

// Among the jobs that may run: the highest plan first, raised by the user's waiting since the
// last turn (of the user, not of the job: a thousand queued jobs of one user do not grow old
// together); among equals the user with the fewest running jobs, then the one whose last turn is
// the longest ago, then the oldest job.
macro_rules! next {
    ($lock:literal) => {
        concat!(
            "SELECT j.my_job_id FROM synced_jobs j \
            LEFT JOIN queue_turns t ON t.user_id = j.auth_user_id WHERE ",
            may_run!(),
            " ORDER BY j.priority + ($1 - CASE WHEN t.taken_at > j.queued_at THEN t.taken_at \
            ELSE j.queued_at END) / $4 DESC, \
            (SELECT COUNT(*) FROM synced_jobs r WHERE r.auth_user_id = j.auth_user_id \
            AND r.status = 'processing' AND r.lease_until > $1), \
            COALESCE(t.taken_at, 0), j.queued_at, j.my_job_id LIMIT 1",
            $lock
        )
    };
}
const NEXT: &str = next!("");
const NEXT_POSTGRES: &str = next!(" FOR UPDATE OF j SKIP LOCKED");

/// Why a job fails whose row cannot be read.
const UNREADABLE: &str = "row_unreadable";

/// Takes the next job, if there is one. Must run in a write transaction, whose commit makes the
/// claim stand.
///
/// A job whose row cannot be read fails in the same transaction, and the next one is taken: it
/// would otherwise stand first in the queue for ever, before everybody's jobs.
///
/// # Errors
/// When the database fails.
pub async fn claim(
    connection: &mut Connection,
    backend: Backend,
    claim: &Claim<'_>,
) -> Result<Option<(Lease, Job)>> {
    let next = match backend {
        Backend::Sqlite => NEXT,
        Backend::Postgres => NEXT_POSTGRES,
    };
    if backend == Backend::Postgres && claim.line == Line::Download {
        // Two claims of one moment would each count without the other.
        sqlx::query("SELECT pg_advisory_xact_lock($1)")
            .bind(DOWNLOAD_CLAIMS)
            .execute(&mut *connection)
            .await?;
    }
    loop {
        let found = sqlx::query(next)
            .bind(claim.now)
            .bind(claim.line.flag())
            .bind(MAX_DOWNLOADS)
            .bind(AGEING_STEP_MS)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(found) = found else {
            return Ok(None);
        };
        let key: String = found.try_get("my_job_id")?;
        match take(&mut *connection, &key, claim).await {
            Ok(job) => {
                let lease = Lease {
                    job_id: job.id,
                    id: claim.lease_id.clone(),
                };
                return Ok(Some((lease, job)));
            }
            Err(error @ Error::Row { .. }) => {
                tracing::error!(job = %key, %error, "a job fails because of its row");
                fail_unreadable(&mut *connection, &key, claim.now).await?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Gives the job to the one who claims, and its user a turn.
async fn take(connection: &mut Connection, key: &str, claim: &Claim<'_>) -> Result<Job> {
    let row = sqlx::query(concat!(
        "UPDATE synced_jobs SET status = $2, lease_id = $3, lease_owner = $4, lease_until = $5, \
         attempts = attempts + 1, started_at = COALESCE(started_at, $6) \
         WHERE my_job_id = $1 RETURNING *, ",
        counts!("$1")
    ))
    .bind(key)
    .bind(word(&JobStatus::Processing))
    .bind(&claim.lease_id)
    .bind(claim.owner)
    .bind(claim.until)
    .bind(claim.now)
    .fetch_one(&mut *connection)
    .await?;
    let job = jobs::read(&row)?;
    sqlx::query(
        "INSERT INTO queue_turns (user_id, taken_at) VALUES ($1, $2) \
         ON CONFLICT (user_id) DO UPDATE SET taken_at = excluded.taken_at",
    )
    .bind(&job.user_id)
    .bind(claim.now)
    .execute(connection)
    .await?;
    Ok(job)
}

async fn fail_unreadable(connection: &mut Connection, key: &str, now: i64) -> Result<()> {
    let fault = Fault::new(UNREADABLE);
    sqlx::query(
        "UPDATE synced_jobs SET status = $2, error = $3, finished_at = $4, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL WHERE my_job_id = $1",
    )
    .bind(key)
    .bind(word(&JobStatus::Failed))
    .bind(json(&fault))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// How far a job is, as stored now and then.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// 0 to 100.
    pub percent: f64,
    /// Seconds of waiting left.
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
    let done = sqlx::query(
        "UPDATE synced_jobs SET lease_until = $3, stage = $4, percent = $5, seconds_left = $6 \
         WHERE my_job_id = $1 AND lease_id = $2",
    )
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

/// Whether the lease still stands.
///
/// # Errors
/// When the database fails.
pub async fn holds(connection: &mut Connection, lease: &Lease) -> Result<bool> {
    let row =
        sqlx::query("SELECT 1 AS held FROM synced_jobs WHERE my_job_id = $1 AND lease_id = $2")
            .bind(lease.job_id.to_string())
            .bind(&lease.id)
            .fetch_optional(connection)
            .await?;
    Ok(row.is_some())
}

/// How a claim ends without a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Release {
    /// To be taken again from `run_after` (Unix milliseconds) on. With `forgive` the claim does
    /// not count as an attempt: the process was asked to stop, nothing had failed.
    Again {
        /// Unix milliseconds.
        run_after: i64,
        /// Whether the claim does not count.
        forgive: bool,
    },
    /// The input is at fault.
    Error(Fault),
    /// The pipeline gives up.
    Failed(Fault),
}

/// Gives a job back without a text; `false` if the lease was lost. What follows from it is in
/// `lifecycle::release_job`.
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
        Release::Again { run_after, forgive } => {
            (JobStatus::Pending, *run_after, None, i64::from(*forgive))
        }
        Release::Error(fault) => (JobStatus::Error, now, Some(fault), 0),
        Release::Failed(fault) => (JobStatus::Failed, now, Some(fault), 0),
    };
    let finished = fault.map(|_| now);
    let done = sqlx::query(
        "UPDATE synced_jobs SET status = $3, run_after = $4, error = $5, finished_at = $6, \
         attempts = attempts - $7, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE my_job_id = $1 AND lease_id = $2",
    )
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

/// Ends the leases of a worker process that is known to be dead, so that its jobs are taken up at
/// once instead of when the leases run out. Gives the number of jobs.
///
/// # Errors
/// When the database fails.
pub async fn release_owner(connection: &mut Connection, owner: &str, now: i64) -> Result<u64> {
    let done = sqlx::query(
        "UPDATE synced_jobs SET lease_until = $2 WHERE lease_owner = $1 AND lease_until > $2",
    )
    .bind(owner)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Gives up the jobs that were claimed [`MAX_ATTEMPTS`] times without getting on and whose
/// worker is gone again. Gives their ids. What follows from it is in `lifecycle::give_up_jobs`.
///
/// # Errors
/// When the database fails.
pub(crate) async fn give_up(
    connection: &mut Connection,
    fault: &Fault,
    now: i64,
) -> Result<Vec<Uuid>> {
    let rows = sqlx::query(
        "UPDATE synced_jobs SET status = $1, error = $2, finished_at = $3, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE status = $4 AND lease_until <= $3 AND attempts >= $5 RETURNING my_job_id",
    )
    .bind(word(&JobStatus::Failed))
    .bind(json(fault))
    .bind(now)
    .bind(word(&JobStatus::Processing))
    .bind(MAX_ATTEMPTS)
    .fetch_all(connection)
    .await?;
    // An id that is none is nobody's to be told of; the job is given up all the same.
    let ids = rows
        .iter()
        .filter_map(|row| Fields::new(row, "synced_jobs", "my_job_id").ok())
        .filter_map(|fields| fields.uuid("my_job_id").ok());
    Ok(ids.collect())
}

/// How many jobs wait and how many are in work, over all users.
///
/// # Errors
/// When the database fails.
pub async fn lengths(connection: &mut Connection) -> Result<(i64, i64)> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM synced_jobs WHERE status = 'pending') AS waiting, \
         (SELECT COUNT(*) FROM synced_jobs WHERE status = 'processing') AS running",
    )
    .fetch_one(connection)
    .await?;
    Ok((row.try_get("waiting")?, row.try_get("running")?))
}

/// Whether there is anything in this line that [`claim`] or [`give_up`] would touch.
///
/// # Errors
/// When the database fails.
pub async fn any_waiting(connection: &mut Connection, line: Line, now: i64) -> Result<bool> {
    const ANY: &str = concat!(
        "SELECT 1 AS found FROM synced_jobs j WHERE ",
        may_run!(),
        " LIMIT 1"
    );
    let row = sqlx::query(ANY)
        .bind(now)
        .bind(line.flag())
        .bind(MAX_DOWNLOADS)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

#[cfg(test)]
mod tests;
