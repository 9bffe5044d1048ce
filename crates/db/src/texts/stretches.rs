//! Stretches of recordings that are recognised again in place: table `stretches`, which holds both
//! the queue and the record of what was done.
//!
//! At most one stretch of a job waits or runs. A lease works like a job's (see
//! [`crate::jobs::queue`]): every later write names it and does nothing once it is lost.

#[cfg(test)]
mod tests;
mod work;

use slovo_rules::edit::SegmentRef;
use slovo_rules::language::Language;
use slovo_rules::mode::TranscriptionType;
use slovo_rules::stretch::{StretchPlan, StretchStatus};
use sqlx::Row;
use uuid::Uuid;

pub use work::{
    StretchLease, any_waiting, claim, complete, expire_leases, fail, give_up, is_lease_valid,
    retry_later, store_progress,
};

use crate::core::fields::{json, word};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A stretch to be queued.
#[derive(Debug, Clone)]
pub struct NewStretch<'a> {
    /// Its id, and that of the edit that it becomes.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The recognition run whose text it changes.
    pub version: i64,
    /// The account that asked for it.
    pub user_id: &'a str,
    /// The page that asked for it, which can undo the edit.
    pub client: Uuid,
    /// What is recognised, with the segments that are in the stretch.
    pub plan: &'a StretchPlan,
    /// Unix milliseconds.
    pub now: i64,
}

/// A claimed stretch.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    /// Its id, and that of the edit that it becomes.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The recognition run whose text it changes.
    pub version: u32,
    /// The account that asked for it.
    pub user_id: String,
    /// The page that asked for it.
    pub client: Uuid,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// The mode of recognition.
    pub mode: TranscriptionType,
    /// The language; `None` to detect it.
    pub language: Option<Language>,
    /// The segments in the stretch when it was asked for.
    pub segments: Vec<SegmentRef>,
    /// Number of claims.
    pub attempts: i64,
}

row_columns! {
    fn read() -> Stretch from "stretches" by "id" {
        id: uuid,
        job: uuid in "my_job_id",
        version: index,
        user_id: text,
        client: uuid,
        start: number in "start_time",
        end: number in "end_time",
        mode: word,
        language: word_or_none,
        segments: json,
        attempts: integer,
    }
}

/// The columns of [`Stretch`].
macro_rules! stretch_columns {
    () => {
        $crate::core::statement::columns!(
            "": id, my_job_id, version, user_id, client, start_time, end_time, mode, language,
            segments, attempts
        )
    };
}
use stretch_columns;

/// How far a stretch is.
#[derive(Debug, Clone, PartialEq)]
pub struct StretchState {
    /// Its id, and that of the edit that it becomes.
    pub id: Uuid,
    /// The recognition run whose text it changes.
    pub version: u32,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// The mode of recognition.
    pub mode: TranscriptionType,
    /// The language; `None` to detect it.
    pub language: Option<Language>,
    /// Its state.
    pub status: StretchStatus,
    /// 0 to 100.
    pub percent: f64,
    /// The language of the new words, once they are in the text.
    pub found_language: Option<String>,
    /// Number of the edit that it became.
    pub seq: Option<u32>,
    /// Code of why it failed.
    pub error: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub finished_at: Option<i64>,
}

row_columns! {
    fn read_state() -> StretchState from "stretches" by "id" {
        id: uuid,
        version: index,
        start: number in "start_time",
        end: number in "end_time",
        mode: word,
        language: word_or_none,
        status: word,
        percent: number,
        found_language: text_or_none,
        seq: index_or_none,
        error: text_or_none,
        created_at: integer,
        finished_at: integer_or_none,
    }
}

/// The columns of [`StretchState`].
macro_rules! state_columns {
    () => {
        $crate::core::statement::columns!(
            "": id, version, start_time, end_time, mode, language, status, percent, found_language,
            seq, error, created_at, finished_at
        )
    };
}

statements! {
    const INSERT_STRETCH: BOTH -> StretchState = concat!(
        "INSERT INTO stretches (id, my_job_id, version, user_id, client, start_time, end_time, \
         mode, language, segments, status, run_after, created_at) \
         SELECT $1, j.my_job_id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12 \
         FROM synced_jobs j WHERE j.my_job_id = $2 ON CONFLICT DO NOTHING RETURNING ",
        state_columns!()
    );
}

/// Queues a stretch; `None` if another one of the job waits or runs, or the job was deleted.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut Connection,
    new: &NewStretch<'_>,
) -> Result<Option<StretchState>> {
    let plan = new.plan;
    let inserted = sqlx::query(INSERT_STRETCH)
        .bind(new.id.to_string())
        .bind(new.job.to_string())
        .bind(new.version)
        .bind(new.user_id)
        .bind(new.client.to_string())
        .bind(plan.start)
        .bind(plan.end)
        .bind(word(&plan.mode))
        .bind(plan.language.map(Language::as_str))
        .bind(json(&plan.segments))
        .bind(word(&StretchStatus::Waiting))
        .bind(new.now)
        .fetch_optional(connection)
        .await?;
    inserted.as_ref().map(read_state).transpose()
}

/// How many stretches [`recent`] returns.
pub const MAX_RECENT: i64 = 20;

statements! {
    const SELECT_RECENT: BOTH -> StretchState = concat!(
        "SELECT ",
        state_columns!(),
        " FROM stretches WHERE my_job_id = $1 AND version = $2 \
         ORDER BY created_at DESC, id DESC LIMIT $3"
    );
}

/// The newest stretches of a text, at most [`MAX_RECENT`], the newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn recent(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
) -> Result<Vec<StretchState>> {
    let rows = sqlx::query(SELECT_RECENT)
        .bind(job.to_string())
        .bind(version)
        .bind(MAX_RECENT)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_state).collect()
}

statements! {
    const SUM_SECONDS: BOTH =
        "SELECT COALESCE(SUM(end_time - start_time), 0.0) AS seconds FROM stretches \
         WHERE my_job_id = $1 AND status <> 'failed'";
}

/// Seconds of a job's recording that were recognised again or will be, in all runs; failed ones do
/// not count.
///
/// # Errors
/// When the database fails.
pub async fn seconds_used(connection: &mut Connection, job: Uuid) -> Result<f64> {
    let row = sqlx::query(SUM_SECONDS)
        .bind(job.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("seconds")?)
}

/// A stretch that became an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The recognition run.
    pub version: u32,
    /// The number of the edit.
    pub seq: u32,
    /// The language of the new words.
    pub language: String,
}

row_columns! {
    fn read_edited() -> Edited from "stretches" by "id" {
        version: index,
        seq: index,
        language: text in "found_language",
    }
}

statements! {
    const SELECT_EDITED: BOTH -> Edited =
        "SELECT id, version, COALESCE(seq, 0) AS seq, \
         COALESCE(found_language, '') AS found_language FROM stretches WHERE my_job_id = $1 \
         AND status = 'done' AND seq IS NOT NULL AND found_language IS NOT NULL \
         ORDER BY version, seq";
}

/// The stretches of a job that became edits, by run and number.
///
/// # Errors
/// A row that cannot be read.
pub async fn edited(connection: &mut Connection, job: Uuid) -> Result<Vec<Edited>> {
    let rows = sqlx::query(SELECT_EDITED)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_edited).collect()
}
