//! Minutes of runs: reserving, resizing, settling, refunding.

use slovo_rules::job::JobStatus;
use slovo_rules::minutes::{UsageChange, from_hundredths, may_start, of_duration, to_hundredths};
use slovo_rules::server_settings::Switches;
use slovo_rules::violation::Violation;
use uuid::Uuid;

use super::{Balance, Change, Run, add_entry, lock_balance};
use crate::core::fields::word;
use crate::core::statement::{row_columns, statements};
use crate::site::server_settings;
use crate::{Connection, Result};

/// Number of runs per call of [`close_ended`].
const BATCH_SIZE: i64 = 100;

/// The minutes needed by a run.
#[derive(Clone, Copy, Debug)]
pub struct RequiredMinutes<'a> {
    /// The account that pays.
    pub user_id: &'a str,
    /// The job.
    pub job_id: Uuid,
    /// The run.
    pub version: i64,
    /// The file name, for the history.
    pub name: &'a str,
    /// Length of the recording in seconds; `None` while unknown.
    pub duration: Option<f64>,
    /// Unix milliseconds.
    pub now: i64,
}

impl RequiredMinutes<'_> {
    /// The minutes in hundredths.
    fn hundredths(&self) -> i64 {
        to_hundredths(self.duration.map_or(0.0, of_duration))
    }

    /// Checks the limits. An unknown length counts as the minimum.
    fn check(&self, balance: &Balance, taken: i64) -> Result<(), Violation> {
        let used = balance.used - from_hundredths(taken);
        let needed = from_hundredths(self.hundredths().max(1));
        may_start(balance.limit(), used, needed, balance.longest)
    }
}

/// Checks that a recording of unknown length may be transcribed.
///
/// # Errors
/// No minutes are left.
pub fn check_start(balance: &Balance) -> Result<(), Violation> {
    let least = from_hundredths(1);
    may_start(balance.limit(), balance.used, least, balance.longest)
}

/// Reserves the minutes of a run, whose job is queued in the same transaction.
///
/// # Errors
/// When the database fails. The inner error: the plan does not allow it.
pub async fn reserve(
    connection: &mut Connection,
    needed: &RequiredMinutes<'_>,
) -> Result<Result<Balance, Violation>> {
    let balance = lock_balance(connection, needed.user_id, needed.now).await?;
    let previous = find(connection, needed.job_id, needed.version).await?;
    let previous = previous
        .filter(|run| run.is_open)
        .map_or(0, |run| run.minutes);
    if let Err(violation) = needed.check(&balance, previous) {
        return Ok(Err(violation));
    }
    store(connection, needed, needed.hundredths(), previous).await?;
    Ok(Ok(balance))
}

/// Resizes the reservation of an open run once its length is known. Does nothing for a run that is
/// not open (started before the ledger existed).
///
/// # Errors
/// When the database fails. The inner error: the plan does not allow it.
pub async fn resize(
    connection: &mut Connection,
    needed: &RequiredMinutes<'_>,
) -> Result<Result<(), Violation>> {
    let balance = lock_balance(connection, needed.user_id, needed.now).await?;
    let run = find(connection, needed.job_id, needed.version).await?;
    let Some(run) = run.filter(|run| run.is_open) else {
        return Ok(Ok(()));
    };
    let hundredths = needed.hundredths();
    if hundredths > run.minutes
        && let Err(violation) = needed.check(&balance, run.minutes)
    {
        return Ok(Err(violation));
    }
    store(connection, needed, hundredths, run.minutes).await?;
    Ok(Ok(()))
}

statements! {
    const STORE: BOTH =
        "INSERT INTO job_minutes (my_job_id, version, user_id, minutes, is_open) \
         VALUES ($1, $2, $3, $4, 1) ON CONFLICT (my_job_id, version) \
         DO UPDATE SET minutes = excluded.minutes, is_open = 1";
}

/// Stores the minutes of an open run, and records the difference.
async fn store(
    connection: &mut Connection,
    needed: &RequiredMinutes<'_>,
    hundredths: i64,
    previous: i64,
) -> Result<()> {
    sqlx::query(STORE)
        .bind(needed.job_id.to_string())
        .bind(needed.version)
        .bind(needed.user_id)
        .bind(hundredths)
        .execute(&mut *connection)
        .await?;
    if hundredths == previous {
        return Ok(());
    }
    let change = Change {
        kind: UsageChange::Reserve,
        used: hundredths - previous,
        bonus: 0,
        description: needed.name,
        run: Some(Run {
            job_id: needed.job_id,
            version: needed.version,
        }),
        now: needed.now,
    };
    add_entry(connection, needed.user_id, &change).await
}

/// The minutes of a run in the ledger.
struct RunMinutes {
    minutes: i64,
    is_open: bool,
}

row_columns! {
    fn read_taken() -> RunMinutes from "job_minutes" by "my_job_id" {
        minutes: integer,
        is_open: flag,
    }
}

statements! {
    const FIND: BOTH -> RunMinutes =
        "SELECT my_job_id, minutes, is_open FROM job_minutes WHERE my_job_id = $1 AND version = $2";
}

async fn find(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
) -> Result<Option<RunMinutes>> {
    let row = sqlx::query(FIND)
        .bind(job_id.to_string())
        .bind(version)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_taken).transpose()
}

statements! {
    const IS_FREE: BOTH =
        "SELECT 1 AS found FROM synced_output \
         WHERE my_job_id = $1 AND version = $2 AND words = 0";
}

/// Whether the run ended with a transcript without words, and this server does not charge for
/// those.
async fn is_free(connection: &mut Connection, run: Run) -> Result<bool> {
    let silent = sqlx::query(IS_FREE)
        .bind(run.job_id.to_string())
        .bind(run.version)
        .fetch_optional(&mut *connection)
        .await?;
    if silent.is_none() {
        return Ok(false);
    }
    let switches: Option<Switches> =
        server_settings::get(connection, server_settings::SWITCHES).await?;
    Ok(!switches.unwrap_or_default().charge_silence)
}

/// How to close a run whose job has ended in this state: the reason, and the final amount in
/// hundredths.
async fn settlement(
    connection: &mut Connection,
    run: Run,
    status: Option<JobStatus>,
    duration: Option<f64>,
    taken: i64,
) -> Result<(UsageChange, i64)> {
    if status != Some(JobStatus::Completed) {
        return Ok((UsageChange::Refund, 0));
    }
    if is_free(connection, run).await? {
        return Ok((UsageChange::Silent, 0));
    }
    let real = duration.map_or(taken, |seconds| to_hundredths(of_duration(seconds)));
    Ok((UsageChange::Settle, real))
}

/// An open run and its job, which may have been deleted.
struct OpenRun {
    version: i64,
    user_id: String,
    minutes: i64,
    status: Option<JobStatus>,
    duration: Option<f64>,
    name: String,
}

row_columns! {
    fn read_open() -> OpenRun from "job_minutes" by "my_job_id" {
        version: integer,
        user_id: text,
        minutes: integer,
        status: word_or_none,
        duration: number_or_none,
        name: text_or_none => Option::unwrap_or_default,
    }
}

statements! {
    const SELECT_OPEN_RUNS: BOTH -> OpenRun =
        "SELECT m.my_job_id, m.version, m.user_id, m.minutes, j.status, j.duration, \
         COALESCE(j.title, j.original_filename) AS name FROM job_minutes m \
         LEFT JOIN synced_jobs j ON j.my_job_id = m.my_job_id \
         WHERE m.is_open = 1 AND m.my_job_id = $1";
    const CLOSE: BOTH =
        "UPDATE job_minutes SET minutes = $3, is_open = 0 \
         WHERE my_job_id = $1 AND version = $2 AND is_open = 1 AND minutes = $4";
}

/// Closes the open runs of a job that has ended or was deleted: runs with a transcript are settled
/// to the real duration; the others are refunded, including those without speech unless the server
/// charges for them. Does nothing for a pending or running job. Call it in the transaction that
/// ends a job, after that change.
///
/// # Errors
/// When the database fails.
pub async fn close(connection: &mut Connection, job_id: Uuid, now: i64) -> Result<()> {
    let rows = sqlx::query(SELECT_OPEN_RUNS)
        .bind(job_id.to_string())
        .fetch_all(&mut *connection)
        .await?;
    for row in &rows {
        let OpenRun {
            version,
            user_id,
            minutes,
            status,
            duration,
            name,
        } = read_open(row)?;
        if matches!(status, Some(JobStatus::Pending | JobStatus::Processing)) {
            continue;
        }
        let run = Run { job_id, version };
        let (kind, real) = settlement(connection, run, status, duration, minutes).await?;
        lock_balance(connection, &user_id, now).await?;
        // Another process may have closed it before the balance was locked.
        let done = sqlx::query(CLOSE)
            .bind(job_id.to_string())
            .bind(version)
            .bind(real)
            .bind(minutes)
            .execute(&mut *connection)
            .await?;
        if done.rows_affected() == 0 || real == minutes {
            continue;
        }
        let change = Change {
            kind,
            used: real - minutes,
            bonus: 0,
            description: &name,
            run: Some(run),
            now,
        };
        add_entry(connection, &user_id, &change).await?;
    }
    Ok(())
}

/// A job with an open run.
struct EndedJob {
    my_job_id: Uuid,
}

row_columns! {
    fn read_ended() -> EndedJob from "job_minutes" by "my_job_id" {
        my_job_id: uuid,
    }
}

statements! {
    const SELECT_ENDED_JOBS: BOTH -> EndedJob =
        "SELECT DISTINCT m.user_id, m.my_job_id FROM job_minutes m \
         LEFT JOIN synced_jobs j ON j.my_job_id = m.my_job_id \
         WHERE m.is_open = 1 AND COALESCE(j.status, '') NOT IN ($1, $2) \
         ORDER BY m.user_id, m.my_job_id LIMIT $3";
}

/// Closes a batch of runs that stayed open although their jobs have ended or were deleted; returns
/// how many. Balances are locked in the order of the users, so that concurrent calls cannot
/// deadlock.
///
/// # Errors
/// When the database fails.
pub async fn close_ended(connection: &mut Connection, now: i64) -> Result<usize> {
    let rows = sqlx::query(SELECT_ENDED_JOBS)
        .bind(word(&JobStatus::Pending))
        .bind(word(&JobStatus::Processing))
        .bind(BATCH_SIZE)
        .fetch_all(&mut *connection)
        .await?;
    for row in &rows {
        close(connection, read_ended(row)?.my_job_id, now).await?;
    }
    Ok(rows.len())
}
