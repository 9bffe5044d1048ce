//! Figures of the whole server, for administrators: one grouped statement a chart, each of which
//! an index answers (`migrations/0164_overview.sql`). The samples of new accounts are in none of
//! them, but for the queue at this moment, which one that runs again is in like any job.
//!
//! Days are those of the reader: the time since 1970 in Unix milliseconds, moved by the reader's
//! distance from UTC, divided by the length of a day.

use std::collections::BTreeMap;

use slovo_rules::job::JobStatus;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::core::fields::{Fields, word};
use crate::{Backend, Connection, Result, jobs};

/// A day, in milliseconds.
pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How many there are of people and jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Accounts.
    pub users: i64,
    /// Those of them that are blocked.
    pub blocked: i64,
    /// Jobs.
    pub jobs: i64,
    /// Those made since the day began.
    pub jobs_today: i64,
    /// Those made in the last seven days.
    pub jobs_week: i64,
}

/// Counts people and jobs.
///
/// # Errors
/// When the database fails.
pub async fn totals(connection: &mut Connection, today: i64, week: i64) -> Result<Totals> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM accounts) AS users, \
         (SELECT COUNT(*) FROM synced_users u WHERE u.status = 'blocked' \
         AND u.auth_user_id IS NOT NULL) AS blocked, \
         (SELECT COUNT(*) FROM synced_jobs WHERE created_at >= $1 \
         AND is_sample = 0) AS jobs_today, \
         (SELECT COUNT(*) FROM synced_jobs WHERE created_at >= $2 \
         AND is_sample = 0) AS jobs_week",
    )
    .bind(today)
    .bind(week)
    .fetch_one(&mut *connection)
    .await?;
    Ok(Totals {
        users: row.try_get("users")?,
        blocked: row.try_get("blocked")?,
        jobs: jobs::total(connection).await?,
        jobs_today: row.try_get("jobs_today")?,
        jobs_week: row.try_get("jobs_week")?,
    })
}

/// Whose days, and from which moment on.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The first one, Unix milliseconds.
    pub from: i64,
    /// How far the reader's clock is before UTC, in milliseconds.
    pub offset: i64,
}

impl Span {
    /// The number of the day that a moment is in, from 1970.
    #[must_use]
    pub fn day(&self, at: i64) -> i64 {
        (at + self.offset).div_euclid(DAY_MS)
    }
}

/// The rows of a statement over a span; it is given the first moment, how far the reader's clock is
/// before UTC, and the length of a day.
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

/// Jobs made on a day that stand at this now. One whose state cannot be read is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its number, see [`Span::day`].
    pub day: i64,
    /// Where they stand.
    pub status: JobStatus,
    /// How many.
    pub jobs: i64,
}

/// Jobs by the day on which they were made, and by where they stand.
///
/// # Errors
/// When the database fails.
pub async fn made(connection: &mut Connection, span: Span) -> Result<Vec<Made>> {
    let rows = by_day(
        connection,
        span,
        "SELECT (created_at + $2) / $3 AS day, status, COUNT(*) AS jobs FROM synced_jobs \
         WHERE created_at >= $1 AND is_sample = 0 GROUP BY 1, 2 ORDER BY 1, 2",
    )
    .await?;
    let mut made = Vec::new();
    for row in &rows {
        match Fields::new(row, "synced_jobs", "status")?.word("status") {
            Ok(status) => made.push(Made {
                day: row.try_get("day")?,
                status,
                jobs: row.try_get("jobs")?,
            }),
            Err(error) => tracing::error!(%error, "jobs are left out of the figures"),
        }
    }
    Ok(made)
}

/// What was recognised on a day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recognised {
    /// Its number, see [`Span::day`].
    pub day: i64,
    /// Seconds of recordings.
    pub seconds: f64,
    /// Words.
    pub words: i64,
}

/// What was recognised, by the day on which it was done: every run counts.
///
/// # Errors
/// When the database fails.
pub async fn recognised(connection: &mut Connection, span: Span) -> Result<Vec<Recognised>> {
    let rows = by_day(
        connection,
        span,
        "SELECT (created_at + $2) / $3 AS day, SUM(audio_duration) AS seconds, \
         CAST(SUM(words) AS BIGINT) AS words FROM synced_output \
         WHERE created_at >= $1 AND is_sample = 0 GROUP BY 1 ORDER BY 1",
    )
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Recognised {
                day: row.try_get("day")?,
                seconds: row.try_get("seconds")?,
                words: row.try_get("words")?,
            })
        })
        .collect()
}

/// How long the jobs made on a day waited for their first worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// Its number, see [`Span::day`].
    pub day: i64,
    /// Half of them waited no longer, milliseconds.
    pub median: i64,
    /// Of twenty, nineteen waited no longer, milliseconds.
    pub p95: i64,
}

/// How long jobs waited, by the day on which they were made; those that wait are not among them.
///
/// # Errors
/// When the database fails.
pub async fn waited(connection: &mut Connection, span: Span) -> Result<Vec<Waited>> {
    // The n-th of them, n being the share of their number, rounded up.
    let rows = by_day(
        connection,
        span,
        "SELECT day, MAX(CASE WHEN place = (jobs + 1) / 2 THEN wait END) AS median, \
         MAX(CASE WHEN place = (jobs * 95 + 99) / 100 THEN wait END) AS p95 FROM \
         (SELECT day, wait, ROW_NUMBER() OVER (PARTITION BY day ORDER BY wait) AS place, \
         COUNT(*) OVER (PARTITION BY day) AS jobs FROM \
         (SELECT (created_at + $2) / $3 AS day, started_at - created_at AS wait \
         FROM synced_jobs WHERE created_at >= $1 AND is_sample = 0 \
         AND started_at IS NOT NULL) waits) places \
         GROUP BY day ORDER BY day",
    )
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Waited {
                day: row.try_get("day")?,
                median: row.try_get("median")?,
                p95: row.try_get("p95")?,
            })
        })
        .collect()
}

/// How long the queue was on a day on which it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Its number, see [`Span::day`].
    pub day: i64,
    /// The most jobs that waited for their first worker at once.
    pub peak: i64,
    /// By how many more of them it was longer when the day ended than when it began.
    pub grown: i64,
}

/// How far before a span jobs are looked for that still waited when it began, in milliseconds.
const LONGEST_WAIT_MS: i64 = 7 * DAY_MS;

/// How long the queue was, by day; a day on which nothing came or went is left out. Days of the
/// week before the span are among them.
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
        "SELECT day, MAX(depth) AS peak, CAST(SUM(step) AS BIGINT) AS grown FROM \
         (SELECT (at + $2) / $3 AS day, step, \
         SUM(step) OVER (ORDER BY at, step DESC ROWS UNBOUNDED PRECEDING) AS depth FROM \
         (SELECT created_at AS at, 1 AS step FROM synced_jobs WHERE created_at >= $1 \
         AND is_sample = 0 UNION ALL \
         SELECT COALESCE(started_at, finished_at) AS at, -1 AS step FROM synced_jobs \
         WHERE created_at >= $1 AND is_sample = 0 \
         AND COALESCE(started_at, finished_at) IS NOT NULL) steps) depths \
         GROUP BY day ORDER BY day",
    )
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Backlog {
                day: row.try_get("day")?,
                peak: row.try_get("peak")?,
                grown: row.try_get("grown")?,
            })
        })
        .collect()
}

/// All that takes long to count.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// People and jobs.
    pub totals: Totals,
    /// See [`made`].
    pub made: Vec<Made>,
    /// See [`recognised`].
    pub recognised: Vec<Recognised>,
    /// See [`waited`].
    pub waited: Vec<Waited>,
    /// See [`backlog`].
    pub backlog: Vec<Backlog>,
    /// See [`failures`].
    pub failures: BTreeMap<String, i64>,
}

/// The figures of a span, and of the time since two moments.
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
        made: made(&mut *connection, span).await?,
        recognised: recognised(&mut *connection, span).await?,
        waited: waited(&mut *connection, span).await?,
        backlog: backlog(&mut *connection, span).await?,
        failures: failures(connection, span.from).await?,
    })
}

/// The queue at this moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Jobs with a recording that no worker has.
    pub waiting: i64,
    /// Jobs in recognition.
    pub running: i64,
    /// Jobs whose recording is being fetched, or is to be.
    pub downloads: i64,
    /// Since when the oldest of those that no worker has has been waiting, Unix milliseconds.
    pub oldest: Option<i64>,
}

/// Counts what is in the queue.
///
/// # Errors
/// When the database fails.
pub async fn depth(connection: &mut Connection) -> Result<Depth> {
    let rows = sqlx::query(
        "SELECT status, awaits_download, COUNT(*) AS jobs, MIN(queued_at) AS oldest \
         FROM synced_jobs WHERE status IN ($1, $2) GROUP BY status, awaits_download",
    )
    .bind(word(&JobStatus::Pending))
    .bind(word(&JobStatus::Processing))
    .fetch_all(connection)
    .await?;
    let mut depth = Depth::default();
    for row in &rows {
        let jobs: i64 = row.try_get("jobs")?;
        let waits = row.try_get::<String, _>("status")? == word(&JobStatus::Pending);
        match (waits, row.try_get::<i64, _>("awaits_download")? != 0) {
            (_, true) => depth.downloads += jobs,
            (true, false) => depth.waiting += jobs,
            (false, false) => depth.running += jobs,
        }
        if waits {
            let oldest: i64 = row.try_get("oldest")?;
            depth.oldest = Some(depth.oldest.map_or(oldest, |known| known.min(oldest)));
        }
    }
    Ok(depth)
}

/// Where the code of an error begins in its JSON, which is written by [`crate::jobs::uploads::Fault`].
const BEFORE_CODE: &str = "{\"code\":\"";

/// How many jobs made since `from` ended without a text, by the code of the cause; the code is
/// empty where there is none to read.
///
/// # Errors
/// When the database fails.
pub async fn failures(connection: &mut Connection, from: i64) -> Result<BTreeMap<String, i64>> {
    // The beginning is the same for all figures that a cause may come with, so few groups are
    // read. Neither database is asked to read the JSON: one that is damaged would stop it.
    let rows = sqlx::query(
        "SELECT SUBSTR(error, 1, 64) AS cause, COUNT(*) AS jobs FROM synced_jobs \
         WHERE status IN ($2, $3) AND created_at >= $1 AND is_sample = 0 GROUP BY 1",
    )
    .bind(from)
    .bind(word(&JobStatus::Failed))
    .bind(word(&JobStatus::Error))
    .fetch_all(connection)
    .await?;
    let mut failures = BTreeMap::new();
    for row in &rows {
        let cause: Option<String> = row.try_get("cause")?;
        let code = cause.as_deref().unwrap_or_default();
        let code = code.strip_prefix(BEFORE_CODE).unwrap_or_default();
        let code = code.split('"').next().unwrap_or_default();
        *failures.entry(code.to_owned()).or_default() += row.try_get::<i64, _>("jobs")?;
    }
    Ok(failures)
}

/// Bytes of the database on its disk.
///
/// # Errors
/// When the database fails.
pub async fn database_bytes(connection: &mut Connection, backend: Backend) -> Result<i64> {
    let statement = match backend {
        Backend::Sqlite => {
            "SELECT c.page_count * s.page_size AS bytes \
             FROM pragma_page_count() c, pragma_page_size() s"
        }
        Backend::Postgres => "SELECT pg_database_size(current_database()) AS bytes",
    };
    let row = sqlx::query(statement).fetch_one(connection).await?;
    Ok(row.try_get("bytes")?)
}

#[cfg(test)]
mod tests;
