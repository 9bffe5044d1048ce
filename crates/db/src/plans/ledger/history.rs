//! The history of balances, and minutes used per day.

use slovo_rules::minutes::{UsageChange, from_hundredths};
use sqlx::Row;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A change.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Counted from 1 for each user.
    pub number: i64,
    /// The reason.
    pub kind: UsageChange,
    /// Change of the remaining minutes.
    pub minutes: f64,
    /// The file name, the administrator's reason or the plan's name; may be empty.
    pub description: String,
    /// The job, which may have been deleted.
    pub job_id: Option<Uuid>,
    /// Whether the job is hidden from its owner, who must not read its name here either.
    pub is_hidden: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

row_columns! {
    fn read() -> Entry from "synced_usage_history" by "user_id" {
        number: integer in "entry",
        kind: word in "change_type",
        minutes: integer in "change_amount_minutes" => from_hundredths,
        description: text,
        job_id: uuid_or_none in "my_job_id",
        is_hidden: integer_or_none in "visible" => is_hidden,
        created_at: integer,
    }
}

/// Whether the job exists and its owner cannot see it.
fn is_hidden(visible: Option<i64>) -> bool {
    visible == Some(0)
}

statements! {
    const LIST: BOTH -> Entry =
        "SELECT h.user_id, h.entry, h.change_type, h.change_amount_minutes, h.description, \
         h.my_job_id, h.created_at, (SELECT j.is_visible_to_user FROM synced_jobs j \
         WHERE j.my_job_id = h.my_job_id) AS visible FROM synced_usage_history h \
         WHERE h.user_id = $1 AND h.entry < $2 ORDER BY h.entry DESC LIMIT $3";
}

/// At most `limit` changes of a user's balance with lower numbers than the given one, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    user_id: &str,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Entry>> {
    let rows = sqlx::query(LIST)
        .bind(user_id)
        .bind(before.unwrap_or(i64::MAX))
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// What is read of a run besides its last change.
struct RunState {
    /// The sum of its changes.
    of_run: Option<i64>,
    is_open: bool,
}

row_columns! {
    fn read_run() -> RunState from "synced_usage_history" by "user_id" {
        of_run: integer_or_none,
        is_open: integer_or_none => |open: Option<i64>| open.is_some_and(|open| open != 0),
    }
}

statements! {
    const BY_RUN: BOTH -> Entry, RunState =
        "SELECT h.user_id, h.entry, h.change_type, h.change_amount_minutes, h.description, \
         h.my_job_id, h.created_at, (SELECT CAST(SUM(s.change_amount_minutes) AS BIGINT) \
         FROM synced_usage_history s WHERE s.user_id = h.user_id \
         AND s.my_job_id = h.my_job_id AND s.run = h.run) AS of_run, (SELECT m.is_open \
         FROM job_minutes m WHERE m.my_job_id = h.my_job_id \
         AND m.version = h.run) AS is_open, (SELECT j.is_visible_to_user FROM synced_jobs j \
         WHERE j.my_job_id = h.my_job_id) AS visible FROM synced_usage_history h \
         WHERE h.user_id = $1 AND h.entry < $2 AND NOT EXISTS (SELECT 1 \
         FROM synced_usage_history n WHERE n.user_id = h.user_id \
         AND n.my_job_id = h.my_job_id AND n.run = h.run AND n.entry > h.entry) \
         ORDER BY h.entry DESC LIMIT $3";
}

/// At most `limit` entries as displayed, with lower numbers than the given one, newest first: all
/// changes of one run are merged into one entry, at the position of the last one. It is a
/// reservation only while the run is open.
///
/// # Errors
/// A row that cannot be read.
pub async fn by_run(
    connection: &mut Connection,
    user_id: &str,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Entry>> {
    let rows = sqlx::query(BY_RUN)
        .bind(user_id)
        .bind(before.unwrap_or(i64::MAX))
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    let entry = |row: &AnyRow| {
        let mut entry = read(row)?;
        let run = read_run(row)?;
        if let Some(hundredths) = run.of_run {
            entry.minutes = from_hundredths(hundredths);
        }
        if entry.job_id.is_some() {
            entry.kind = match entry.kind {
                _ if run.is_open => UsageChange::Reserve,
                // The real duration equalled the reservation, so nothing was recorded at the end.
                UsageChange::Reserve => UsageChange::Settle,
                kind => kind,
            };
        }
        Ok(entry)
    };
    rows.iter().map(entry).collect()
}

statements! {
    const COUNT_CHANGES: BOTH = "SELECT entries FROM synced_user_usage WHERE user_id = $1";
}

/// Number of changes of a user's balance.
///
/// # Errors
/// When the database fails.
pub async fn count_changes(connection: &mut Connection, user_id: &str) -> Result<i64> {
    let row = sqlx::query(COUNT_CHANGES)
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    Ok(row
        .map(|row| row.try_get("entries"))
        .transpose()?
        .unwrap_or_default())
}

/// Minutes used by jobs on one day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Day {
    /// Days since `from`.
    pub day: i64,
    /// Minutes used.
    pub minutes: f64,
    /// Number of jobs.
    pub jobs: i64,
}

row_columns! {
    fn read_day() -> Day {
        day: integer,
        minutes: integer => from_hundredths,
        jobs: integer,
    }
}

statements! {
    const BY_DAY: BOTH -> Day =
        "SELECT (created_at - $2) / $3 AS day, \
         CAST(-SUM(change_amount_minutes) AS BIGINT) AS minutes, \
         COUNT(DISTINCT my_job_id) AS jobs FROM synced_usage_history \
         WHERE user_id = $1 AND created_at >= $2 AND change_type IN ($4, $5, $6, $7) \
         GROUP BY 1 ORDER BY 1";
}

/// Minutes used per day of 24 hours since `from` (Unix milliseconds); days without any are left
/// out.
///
/// # Errors
/// When the database fails.
pub async fn by_day(connection: &mut Connection, user_id: &str, from: i64) -> Result<Vec<Day>> {
    const DAY_MS: i64 = 24 * 3600 * 1000;
    let rows = sqlx::query(BY_DAY)
        .bind(user_id)
        .bind(from)
        .bind(DAY_MS)
        .bind(word(&UsageChange::Reserve))
        .bind(word(&UsageChange::Settle))
        .bind(word(&UsageChange::Refund))
        .bind(word(&UsageChange::Silent))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_day).collect()
}
