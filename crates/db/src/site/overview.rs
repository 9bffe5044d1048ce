//! Figures of the whole server for administrators: one grouped statement per chart, each served by
//! an index (`migrations/0164_overview.sql`). Samples of new accounts are excluded, except in the
//! current queue, where a sample that runs again counts like any job.
//!
//! Days are in the reader's time zone: Unix milliseconds plus the reader's UTC offset, divided by
//! the length of a day.

mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use slovo_rules::job::JobStatus;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::core::fields::word;
use crate::core::statement::statements;
use crate::{Backend, Connection, Error, Result, jobs};

/// A day, in milliseconds.
pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Numbers of accounts and jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Accounts.
    pub users: i64,
    /// Blocked accounts.
    pub blocked: i64,
    /// Jobs.
    pub jobs: i64,
    /// Jobs created since the start of the day.
    pub jobs_today: i64,
    /// Jobs created in the last seven days.
    pub jobs_week: i64,
}

statements! {
    const TOTALS: BOTH -> rows::AccountCounts =
        "SELECT (SELECT COUNT(*) FROM accounts) AS users, \
         (SELECT COUNT(*) FROM synced_users u WHERE u.status = 'blocked' \
         AND u.auth_user_id IS NOT NULL) AS blocked, \
         (SELECT COUNT(*) FROM synced_jobs WHERE created_at >= $1 \
         AND is_sample = 0) AS jobs_today, \
         (SELECT COUNT(*) FROM synced_jobs WHERE created_at >= $2 \
         AND is_sample = 0) AS jobs_week";
}

/// Counts accounts and jobs.
///
/// # Errors
/// When the database fails.
pub async fn totals(connection: &mut Connection, today: i64, week: i64) -> Result<Totals> {
    let row = sqlx::query(TOTALS)
        .bind(today)
        .bind(week)
        .fetch_one(&mut *connection)
        .await?;
    let counts = rows::read_account_counts(&row)?;
    Ok(Totals {
        users: counts.users,
        blocked: counts.blocked,
        jobs: jobs::total(connection).await?,
        jobs_today: counts.jobs_today,
        jobs_week: counts.jobs_week,
    })
}

/// The period and the time zone of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Start, Unix milliseconds.
    pub from: i64,
    /// UTC offset of the reader in milliseconds, positive to the east.
    pub offset: i64,
}

impl Span {
    /// The day number of a moment, counted from 1970.
    #[must_use]
    pub fn day(&self, at: i64) -> i64 {
        (at + self.offset).div_euclid(DAY_MS)
    }
}

/// The rows of a statement over a period; its parameters are the start, the UTC offset and the
/// length of a day.
async fn by_day(
    connection: &mut Connection,
    span: Span,
    statement: &'static str,
) -> Result<Vec<AnyRow>> {
    let rows = sqlx::query(statement)
        .bind(span.from)
        .bind(span.offset)
        .bind(DAY_MS)
        .fetch_all(connection)
        .await?;
    Ok(rows)
}

/// Jobs created on a day, by current state. Jobs with an unknown state are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreatedJobs {
    /// Day number, see [`Span::day`].
    pub day: i64,
    /// Their state.
    pub status: JobStatus,
    /// Number of jobs.
    pub jobs: i64,
}

statements! {
    const SELECT_CREATED_JOBS: BOTH -> CreatedJobs =
        "SELECT (created_at + $2) / $3 AS day, status, COUNT(*) AS jobs FROM synced_jobs \
         WHERE created_at >= $1 AND is_sample = 0 GROUP BY 1, 2 ORDER BY 1, 2";
}

/// Jobs by day of creation and current state.
///
/// # Errors
/// When the database fails.
pub async fn created_jobs(connection: &mut Connection, span: Span) -> Result<Vec<CreatedJobs>> {
    let rows = by_day(connection, span, SELECT_CREATED_JOBS).await?;
    let mut counts = Vec::new();
    for row in &rows {
        match rows::read_created_jobs(row) {
            Ok(created) => counts.push(created),
            Err(error @ Error::Row { .. }) => {
                tracing::error!(%error, "jobs are left out of the figures");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(counts)
}

/// Amounts recognised on a day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecognisedAmounts {
    /// Day number, see [`Span::day`].
    pub day: i64,
    /// Length of recordings in seconds.
    pub seconds: f64,
    /// Number of words.
    pub words: i64,
}

statements! {
    const SELECT_RECOGNISED_AMOUNTS: BOTH -> RecognisedAmounts =
        "SELECT (created_at + $2) / $3 AS day, SUM(audio_duration) AS seconds, \
         CAST(SUM(words) AS BIGINT) AS words FROM synced_output \
         WHERE created_at >= $1 AND is_sample = 0 GROUP BY 1 ORDER BY 1";
}

/// Amounts recognised, by day of completion; every run counts.
///
/// # Errors
/// When the database fails.
pub async fn recognised_amounts(
    connection: &mut Connection,
    span: Span,
) -> Result<Vec<RecognisedAmounts>> {
    let rows = by_day(connection, span, SELECT_RECOGNISED_AMOUNTS).await?;
    rows.iter().map(rows::read_recognised_amounts).collect()
}

/// Time that the jobs created on a day waited for their first worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimes {
    /// Day number, see [`Span::day`].
    pub day: i64,
    /// Median, milliseconds.
    pub median: i64,
    /// 95th percentile, milliseconds.
    pub p95: i64,
}

statements! {
    const SELECT_WAIT_TIMES: BOTH -> WaitTimes =
        "SELECT day, MAX(CASE WHEN place = (jobs + 1) / 2 \
         THEN wait END) AS median, MAX(CASE WHEN place = (jobs * 95 + 99) / 100 \
         THEN wait END) AS p95 FROM (SELECT day, wait, ROW_NUMBER() OVER (PARTITION BY day \
         ORDER BY wait) AS place, COUNT(*) OVER (PARTITION BY day) AS jobs \
         FROM (SELECT (created_at + $2) / $3 AS day, started_at - created_at AS wait \
         FROM synced_jobs WHERE created_at >= $1 AND is_sample = 0 \
         AND started_at IS NOT NULL) waits) places GROUP BY day ORDER BY day";
}

/// Waiting times of started jobs, by day of creation.
///
/// # Errors
/// When the database fails.
pub async fn wait_times(connection: &mut Connection, span: Span) -> Result<Vec<WaitTimes>> {
    // Nearest-rank percentiles: the rank is the share of the count, rounded up.
    let rows = by_day(connection, span, SELECT_WAIT_TIMES).await?;
    rows.iter().map(rows::read_wait_times).collect()
}

/// Length of the queue on a day on which it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Day number, see [`Span::day`].
    pub day: i64,
    /// Maximum number of jobs that waited for their first worker at the same time.
    pub peak: i64,
    /// Growth of the queue over the day; negative if it became shorter.
    pub grown: i64,
}

/// How long before a period jobs may have been created that still waited at its start, in
/// milliseconds.
const LONGEST_WAIT_MS: i64 = 7 * DAY_MS;

statements! {
    const SELECT_BACKLOG: BOTH -> Backlog =
        "SELECT day, MAX(depth) AS peak, CAST(SUM(step) AS BIGINT) AS grown \
         FROM (SELECT (at + $2) / $3 AS day, step, SUM(step) OVER (ORDER BY at, step DESC ROWS \
         UNBOUNDED PRECEDING) AS depth FROM (SELECT created_at AS at, 1 AS step \
         FROM synced_jobs WHERE created_at >= $1 AND is_sample = 0 \
         UNION ALL SELECT COALESCE(started_at, finished_at) AS at, -1 AS step \
         FROM synced_jobs WHERE created_at >= $1 AND is_sample = 0 \
         AND COALESCE(started_at, finished_at) IS NOT NULL) steps) depths GROUP BY day \
         ORDER BY day";
}

/// Length of the queue by day; days without a change are left out. Includes days of the week before
/// the period.
///
/// # Errors
/// When the database fails.
pub async fn backlog(connection: &mut Connection, span: Span) -> Result<Vec<Backlog>> {
    let rows = by_day(
        connection,
        Span {
            from: span.from - LONGEST_WAIT_MS,
            ..span
        },
        SELECT_BACKLOG,
    )
    .await?;
    rows.iter().map(rows::read_backlog).collect()
}

/// All figures that are slow to compute.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Accounts and jobs.
    pub totals: Totals,
    /// See [`created_jobs`].
    pub created: Vec<CreatedJobs>,
    /// See [`recognised_amounts`].
    pub recognised: Vec<RecognisedAmounts>,
    /// See [`wait_times`].
    pub wait_times: Vec<WaitTimes>,
    /// See [`backlog`].
    pub backlog: Vec<Backlog>,
    /// See [`failures`].
    pub failures: BTreeMap<String, i64>,
}

/// The figures of a period, with the totals since `today` and `week`.
///
/// # Errors
/// When the database fails.
pub async fn figures(
    connection: &mut Connection,
    span: Span,
    today: i64,
    week: i64,
) -> Result<Figures> {
    Ok(Figures {
        totals: totals(&mut *connection, today, week).await?,
        created: created_jobs(&mut *connection, span).await?,
        recognised: recognised_amounts(&mut *connection, span).await?,
        wait_times: wait_times(&mut *connection, span).await?,
        backlog: backlog(&mut *connection, span).await?,
        failures: failures(connection, span.from).await?,
    })
}

/// The current queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Jobs with a recording but no worker.
    pub waiting: i64,
    /// Jobs in recognition.
    pub running: i64,
    /// Jobs that wait for their download or are being downloaded.
    pub downloads: i64,
    /// When the oldest job without a worker was queued, Unix milliseconds.
    pub oldest: Option<i64>,
}

statements! {
    const SELECT_QUEUE_DEPTH: BOTH -> rows::QueuePart =
        "SELECT status, awaits_download, COUNT(*) AS jobs, MIN(queued_at) AS oldest \
         FROM synced_jobs WHERE status IN ($1, $2) GROUP BY status, awaits_download";
}

/// Counts the queue.
///
/// # Errors
/// When the database fails.
pub async fn queue_depth(connection: &mut Connection) -> Result<Depth> {
    let rows = sqlx::query(SELECT_QUEUE_DEPTH)
        .bind(word(&JobStatus::Pending))
        .bind(word(&JobStatus::Processing))
        .fetch_all(connection)
        .await?;
    let mut depth = Depth::default();
    for row in &rows {
        let part = rows::read_queue_part(row)?;
        let waits = part.status == word(&JobStatus::Pending);
        match (waits, part.awaits_download) {
            (_, true) => depth.downloads += part.jobs,
            (true, false) => depth.waiting += part.jobs,
            (false, false) => depth.running += part.jobs,
        }
        if waits {
            let oldest = depth.oldest.unwrap_or(part.oldest).min(part.oldest);
            depth.oldest = Some(oldest);
        }
    }
    Ok(depth)
}

/// The JSON before the error code, as serialised by [`slovo_rules::media::Fault`].
const BEFORE_CODE: &str = "{\"code\":\"";

statements! {
    const FAILURES: BOTH -> rows::FailedJobs =
        "SELECT SUBSTR(error, 1, 64) AS cause, COUNT(*) AS jobs FROM synced_jobs \
         WHERE status IN ($2, $3) AND created_at >= $1 AND is_sample = 0 GROUP BY 1";
}

/// Number of jobs created since `from` that ended without a transcript, by error code; the code is
/// empty if it cannot be read.
///
/// # Errors
/// When the database fails.
pub async fn failures(connection: &mut Connection, from: i64) -> Result<BTreeMap<String, i64>> {
    // Grouping by the start of the JSON, which does not depend on the parameters of the error,
    // returns few rows. It is not parsed in the database, because a damaged row would fail the
    // statement.
    let rows = sqlx::query(FAILURES)
        .bind(from)
        .bind(word(&JobStatus::Failed))
        .bind(word(&JobStatus::Error))
        .fetch_all(connection)
        .await?;
    let mut failures = BTreeMap::new();
    for row in &rows {
        let failed = rows::read_failed_jobs(row)?;
        let code = failed.cause.as_deref().unwrap_or_default();
        let code = code.strip_prefix(BEFORE_CODE).unwrap_or_default();
        let code = code.split('"').next().unwrap_or_default();
        *failures.entry(code.to_owned()).or_default() += failed.jobs;
    }
    Ok(failures)
}

statements! {
    const DATABASE_BYTES: SQLITE =
        "SELECT c.page_count * s.page_size AS bytes \
         FROM pragma_page_count() c, pragma_page_size() s";
    const DATABASE_BYTES_POSTGRES: POSTGRES =
        "SELECT pg_database_size(current_database()) AS bytes";
}

/// Size of the database on the disk, in bytes.
///
/// # Errors
/// When the database fails.
pub async fn database_bytes(connection: &mut Connection, backend: Backend) -> Result<i64> {
    let statement = match backend {
        Backend::Sqlite => DATABASE_BYTES,
        Backend::Postgres => DATABASE_BYTES_POSTGRES,
    };
    let row = sqlx::query(statement).fetch_one(connection).await?;
    Ok(row.try_get("bytes")?)
}
