//! Analyses of transcripts: table `analyses`, which holds both results and queue.
//!
//! Analyses of a job run one after the other, oldest first; the job stays completed whatever their
//! results. A lease works like a job's (see [`crate::jobs::queue`]): every later write names it and
//! does nothing once it is lost.

mod held;
mod work;

use slovo_rules::analysis::{AnalysisStatus, EngineName, Outcome, Params, Part, PartRequest};
use slovo_rules::language::TranslationTarget;
use sqlx::Row;
use uuid::Uuid;

pub use held::{HeldPart, count_held, delete_held, queue_held_of_job, queue_held_of_user};
pub use work::{
    AnalysisLease, PartProgress, ResultOrigin, any_waiting, claim, expire_leases, hold,
    is_lease_valid, retry_later, store_progress,
};
pub(crate) use work::{complete, fail, give_up};

use crate::core::fields::{json, word};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// Maximum number of rows per job: enough for a hundred attempts at a summary, while the table
/// stays bounded.
pub const MAX_PER_JOB: i64 = 200;

/// A new analysis.
#[derive(Debug, Clone)]
pub struct NewAnalysis<'a> {
    /// Its id.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The recognition run whose transcript is analysed.
    pub version: i64,
    /// The validated request.
    pub request: &'a PartRequest,
    /// The reason why it is held instead of queued, if any.
    pub held_reason: Option<&'a str>,
    /// Unix milliseconds.
    pub now: i64,
}

/// A requested analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Its id.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The recognition run whose transcript is analysed.
    pub version: u32,
    /// The kind of analysis.
    pub part: Part,
    /// Language of a translation.
    pub target: Option<TranslationTarget>,
    /// Parameters of the request.
    pub params: Params,
    /// Its state.
    pub status: AnalysisStatus,
    /// 0 to 100.
    pub percent: f64,
    /// Estimated seconds left, while it runs and if known.
    pub seconds_left: Option<f64>,
    /// The engine that made it.
    pub engine: Option<EngineName>,
    /// Number of the last edit in the analysed transcript.
    pub made_from_seq: Option<u32>,
    /// Digest of the analysed transcript; `None` if it was made before digests were stored.
    pub made_from_print: Option<String>,
    /// The result.
    pub outcome: Option<Outcome>,
    /// Code of why it failed or is held.
    pub error: Option<String>,
    /// Number of claims.
    pub attempts: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub finished_at: Option<i64>,
}

row_columns! {
    fn read() -> Analysis from "analyses" by "id" {
        id: uuid,
        job: uuid in "my_job_id",
        version: index,
        part: word,
        target: word_or_none in "target_language",
        params: json,
        status: word,
        percent: number,
        seconds_left: number_or_none,
        engine: json_or_none,
        made_from_seq: index_or_none,
        made_from_print: text_or_none,
        outcome: json_or_none,
        error: text_or_none,
        attempts: integer,
        created_at: integer,
        finished_at: integer_or_none,
    }
}

/// The columns of [`Analysis`]; the target's own column is empty if there is none.
macro_rules! analysis_columns {
    () => {
        concat!(
            $crate::core::statement::columns!(
                "": id, my_job_id, version, part, params, status, percent, seconds_left, engine,
                made_from_seq, made_from_print, outcome, error, attempts, created_at, finished_at
            ),
            ", NULLIF(target, '') AS target_language"
        )
    };
}
use analysis_columns;

statements! {
    const INSERT_ANALYSIS: BOTH =
        "INSERT INTO analyses (id, my_job_id, version, part, target, params, status, run_after, \
         created_at, error, held_for) SELECT $1, j.my_job_id, $3, $4, $5, $6, $7, $8, $8, $9, \
         CASE WHEN CAST($9 AS TEXT) IS NULL THEN NULL ELSE j.auth_user_id END \
         FROM synced_jobs j WHERE j.my_job_id = $2 ON CONFLICT DO NOTHING";
}

/// Queues or holds an analysis; `false` if the same kind and language is already queued or running,
/// or the job was deleted.
///
/// # Errors
/// When the database fails.
pub async fn insert(connection: &mut Connection, new: &NewAnalysis<'_>) -> Result<bool> {
    let target = new.request.target.map_or("", TranslationTarget::as_str);
    let inserted = sqlx::query(INSERT_ANALYSIS)
        .bind(new.id.to_string())
        .bind(new.job.to_string())
        .bind(new.version)
        .bind(word(&new.request.part))
        .bind(target)
        .bind(json(&new.request.params()))
        .bind(word(&match new.held_reason {
            None => AnalysisStatus::Waiting,
            Some(_) => AnalysisStatus::Held,
        }))
        .bind(new.now)
        .bind(new.held_reason)
        .execute(connection)
        .await?;
    Ok(inserted.rows_affected() > 0)
}

statements! {
    const SELECT_ANALYSIS: BOTH -> Analysis = concat!(
        "SELECT ",
        analysis_columns!(),
        " FROM analyses WHERE id = $1 AND my_job_id = $2"
    );
}

/// An analysis of the job.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, job: Uuid, id: Uuid) -> Result<Option<Analysis>> {
    sqlx::query(SELECT_ANALYSIS)
        .bind(id.to_string())
        .bind(job.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const SELECT_ANALYSES: BOTH -> Analysis = concat!(
        "SELECT ",
        analysis_columns!(),
        " FROM analyses WHERE my_job_id = $1 AND ($2 < 0 OR version = $2) \
         ORDER BY part, target, created_at DESC, id DESC"
    );
}

/// The job's analyses of one run, or of all runs: by kind and language, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    job: Uuid,
    version: Option<i64>,
) -> Result<Vec<Analysis>> {
    sqlx::query(SELECT_ANALYSES)
        .bind(job.to_string())
        .bind(version.unwrap_or(-1))
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

statements! {
    const COUNT_ANALYSES: BOTH = "SELECT COUNT(*) AS rows FROM analyses WHERE my_job_id = $1";
}

/// Number of the job's rows.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, job: Uuid) -> Result<i64> {
    let row = sqlx::query(COUNT_ANALYSES)
        .bind(job.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("rows")?)
}

statements! {
    const DELETE_ANALYSIS: BOTH = "DELETE FROM analyses WHERE id = $1 AND my_job_id = $2";
}

/// Deletes an analysis, even a running one, whose worker then loses its lease; `false` if there is
/// none.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, job: Uuid, id: Uuid) -> Result<bool> {
    let deleted = sqlx::query(DELETE_ANALYSIS)
        .bind(id.to_string())
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(deleted.rows_affected() > 0)
}

/// The state of an analysis, without its result.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalysisState {
    /// Its id.
    pub id: Uuid,
    /// The kind of analysis.
    pub part: Part,
    /// Language of a translation.
    pub target: Option<TranslationTarget>,
    /// Its state.
    pub status: AnalysisStatus,
    /// 0 to 100.
    pub percent: f64,
}

row_columns! {
    fn read_state() -> AnalysisState from "analyses" by "id" {
        id: uuid,
        part: word,
        target: word_or_none,
        status: word,
        percent: number,
    }
}

statements! {
    const SELECT_STATES: BOTH -> AnalysisState =
        "SELECT id, part, NULLIF(target, '') AS target, status, percent FROM analyses \
         WHERE my_job_id = $1 ORDER BY created_at, id";
}

/// The states of all analyses of a job, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn states(connection: &mut Connection, job: Uuid) -> Result<Vec<AnalysisState>> {
    sqlx::query(SELECT_STATES)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read_state)
        .collect()
}

#[cfg(test)]
mod tests;
